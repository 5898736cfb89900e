/**
 * Tries a change on a copy of the workspace before it is made: what would become of an event. The copy has
 * a workspace number of its own in the engine.
 */
import type { EngineApi, Workspace } from '../engine/api.ts';
import type { Foreseen } from '../model/inject.ts';
import type { Model, Preview } from '../model/model.ts';
import { Recording } from '../model/recording.ts';
import { outcomeAt } from '../model/view.ts';

/** Replays beyond this length are not run again for every movement of the hand. */
const SLOTS_MOST = 3000;

/** Runs copies, one at a time; only the newest question is answered. */
export class Foresight {
  readonly #engine: EngineApi;
  readonly #ws: number;
  #next: (() => Promise<void>) | undefined;
  #busy = false;

  constructor(engine: EngineApi, ws: number) {
    this.#engine = engine;
    this.#ws = ws;
  }

  /** What becomes of the event that arrives at `step` of a changed workspace, for one query. */
  previewMove(model: Model, changed: Workspace, at: { step: number; lane: number }): void {
    if (changed.events.length > SLOTS_MOST) return;
    this.#ask(async () => {
      const recording = await this.#recorded(changed, at.step);
      const query = recording.queries[at.lane];
      if (query === undefined) return;
      const { late, behind } = outcomeAt(recording, query, at.step);
      const words: Preview['words'] = late !== undefined ? 'drop' : behind ? 'behind' : 'count';
      model.preview.value = { words };
    });
  }

  /** What each query does with an event that was inserted at `step`. */
  foresee(model: Model, changed: Workspace, step: number): void {
    if (changed.events.length > SLOTS_MOST) return;
    this.#ask(async () => {
      const recording = await this.#recorded(changed, step);
      const problem = recording.opened.scriptDiagnostics.find((d) => d.severity === 'error');
      model.foreseen.value = recording.queries.map((query, lane): Foreseen | undefined => {
        if (problem !== undefined) return { kind: 'refused', reason: problem.message };
        return query.view.ok ? fateOf(recording, lane, step) : undefined;
      });
    });
  }

  /** Answers nothing that was asked before. */
  forget(): void {
    this.#next = undefined;
  }

  #ask(question: () => Promise<void>): void {
    this.#next = question;
    if (this.#busy) return;
    this.#busy = true;
    this.#answer().then(
      () => {
        this.#busy = false;
      },
      () => {
        this.#busy = false;
      },
    );
  }

  async #answer(): Promise<void> {
    for (;;) {
      const question = this.#next;
      if (question === undefined) return;
      this.#next = undefined;
      await question();
    }
  }

  /** Runs a workspace up to a step. */
  async #recorded(workspace: Workspace, step: number): Promise<Recording> {
    const opened = await this.#engine.open(this.#ws, workspace);
    const recording = new Recording(opened);
    for (let left = step + 1; left > 0 && recording.lastStep < step; ) {
      const { frames, done } = await this.#engine.advance(this.#ws, left, 50);
      recording.ingest(frames);
      left = step - recording.lastStep;
      if (done) break;
    }
    return recording;
  }
}

/** What a query did at a step, in the words of the form. */
function fateOf(recording: Recording, lane: number, step: number): Foreseen | undefined {
  const query = recording.queries[lane];
  if (query === undefined) return undefined;
  const { late, behind } = outcomeAt(recording, query, step);
  if (late !== undefined) {
    const known = Number.isFinite(late.startMs) && late.endMs > late.startMs;
    return { kind: 'dropped', window: known ? late : undefined };
  }
  const { log } = query.tracks;
  const texts = (at: number) => query.row(log.cells[at] ?? []).map((cell) => cell ?? 'NULL');
  const after = log.steps.findIndex((each, at) => each === step && log.kinds[at] === '+U');
  if (after > 0 && log.kinds[after - 1] === '-U') {
    return { kind: 'rewrites', before: texts(after - 1), after: texts(after) };
  }
  const inserted = log.steps.findIndex((each, at) => each === step && log.kinds[at] === '+I');
  if (inserted >= 0 && query.plan.windowed === undefined) {
    return { kind: 'inserts', row: texts(inserted) };
  }
  return { kind: 'counted', behind };
}
