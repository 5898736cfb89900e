/** Asks the engine for causes and bills of the step at the playhead, when it rests or now and then. */
import { effect } from '@preact/signals-core';
import type { EngineApi } from '../engine/api.ts';
import type { Model } from '../model/model.ts';

/** Time between two questions while the playhead moves. */
const APART_MS = 220;

/** Keeps `model.explained` up to date. Returns what stops it. */
export function keepExplained(model: Model, engine: EngineApi, ws: number): () => void {
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  const isLookedAt = () => model.tab.value === 'sinks' || model.encoded.value.length > 0;
  const keyNow = () => {
    const shown = isLookedAt() ? model.shownStep.value : '';
    return `${model.recording.value?.version}:${model.step.value}:${shown}`;
  };
  const ask = async (): Promise<void> => {
    timer = undefined;
    const recording = model.recording.value;
    const step = model.step.value;
    const shown = model.shownStep.value;
    if (recording === undefined || !recording.complete) return;
    const looked = isLookedAt();
    const key = keyNow();
    if (busy || key === asked) return;
    busy = true;
    asked = key;
    try {
      const slot = Math.max(0, step);
      const lanes = recording.queries.map((_, lane) => lane);
      const runs = lanes.filter((lane) => recording.queries[lane]?.view.ok === true);
      const before = step < 0;
      const cards = before ? [] : await Promise.all(runs.map((lane) => engine.why(ws, lane, slot)));
      const bills = await Promise.all(
        lanes.map((lane) => (runs.includes(lane) ? engine.bill(ws, lane, slot) : [])),
      );
      const behind = looked
        ? await Promise.all(
            lanes.map((lane) =>
              runs.includes(lane) ? engine.downstream(ws, lane, shown) : undefined,
            ),
          )
        : undefined;
      if (model.recording.value === recording) {
        model.downstream.value = behind ?? model.downstream.value;
        model.explained.value = { step, cards: distinct(cards.flat()), bills };
      }
    } finally {
      busy = false;
    }
    // What was asked for meanwhile found this one busy.
    if (keyNow() !== key) later();
  };
  const later = () => {
    timer ??= setTimeout(
      () => {
        ask().catch(() => {
          asked = '';
        });
      },
      model.playing.value ? APART_MS : 16,
    );
  };
  const stop = effect(() => {
    void [model.step.value, model.shownStep.value, model.grown.value, model.recording.value];
    void [model.tab.value, model.encoded.value];
    later();
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** Both queries may tell the same fact about the stream: it is shown once. */
function distinct<T extends { readonly id: string; readonly heading: { readonly en: string } }>(
  cards: readonly T[],
): T[] {
  const seen = new Set<string>();
  return cards.filter((card) => {
    const key = `${card.id}:${card.heading.en}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
