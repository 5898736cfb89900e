/** Which stretch of arrivals and event times a timeline shows. */
import { eventRange, type Stage, stageFor } from '../layout/stage.ts';
import type { SlotScale } from '../layout/time_scale.ts';
import type { Band } from '../model/bands.ts';
import type { Recording } from '../model/recording.ts';
import type { TimelineInput } from './timeline.ts';

/** Lays the stage out for what it has to show: event times in view decide the range upwards. */
export function stageOf(input: TimelineInput): Stage {
  const { recording, table, bands, view } = input;
  const slots = Math.max(1, recording.endStep + 1) + tailSlots(recording);
  const needs = {
    ...input.size,
    slots,
    p: view.p,
    visible: input.visible,
    partitions: input.query.tracks.partitions.length,
    options: input.options,
  };
  const spans = bands.length === 0 ? undefined : spanOf(bands);
  const whole = eventRange({ fromMs: table.fromMs, toMs: table.toMs }, spans);
  const stage = stageFor({ ...needs, ...whole });
  if (stage.oneScale || stage.narrow) return stage;
  return stageFor({ ...needs, ...rangeInView(input, stage.slots) });
}

/** Event times in view, gliding from slot to slot as the view does. */
function rangeInView(input: TimelineInput, slots: SlotScale): { fromMs: number; toMs: number } {
  const first = Math.floor(slots.first);
  const share = slots.first - first;
  const here = rangeOfSlots(input, first, slots.visible);
  const next = rangeOfSlots(input, first + 1, slots.visible);
  const blend = (a: number, b: number) => a + (b - a) * share;
  return { fromMs: blend(here.fromMs, next.fromMs), toMs: blend(here.toMs, next.toMs) };
}

function rangeOfSlots(
  input: TimelineInput,
  first: number,
  visible: number,
): { fromMs: number; toMs: number } {
  let fromMs = input.query.tracks.watermark.at(first) ?? Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  const last = Math.min(input.table.marks.length - 1, Math.ceil(first + visible));
  for (let step = first; step <= last; step++) {
    const ms = input.table.marks[step]?.rowtimeMs;
    if (ms === undefined) continue;
    fromMs = Math.min(fromMs, ms);
    toMs = Math.max(toMs, ms);
  }
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) {
    return { fromMs: input.table.fromMs, toMs: input.table.toMs };
  }
  const room = Math.max(1000, toMs - fromMs) * ROOM_ABOVE;
  return { fromMs, toMs: toMs + room };
}

/** Free room above the latest event in view, as a share of the range. */
const ROOM_ABOVE = 0.12;

/** Room behind the last arrival, so that it does not stick to the edge. */
function tailSlots(recording: Recording): number {
  return recording.endStep < 100 ? 1 : 0;
}

function spanOf(bands: readonly Band[]): { fromMs: number; toMs: number } {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const band of bands) {
    fromMs = Math.min(fromMs, band.startMs);
    toMs = Math.max(toMs, band.endMs);
  }
  return { fromMs, toMs };
}
