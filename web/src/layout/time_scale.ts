/**
 * Scales of the timeline: arrival slots to the right, event time upwards. Both are plain numbers, so that
 * they can be compared, cached and tested.
 */

/** Slots that are in view, and where. */
export interface SlotScale {
  readonly left: number;
  readonly width: number;
  /** First slot in view; may lie between slots. */
  readonly first: number;
  /** Number of slots in view. */
  readonly visible: number;
  readonly perSlot: number;
}

/** A scale for `visible` of `slots` slots that keeps the playhead at a share of the width. */
export function slotScale(
  box: { left: number; width: number },
  slots: number,
  view: { visible: number; p: number; share: number },
): SlotScale {
  const visible = Math.max(1, Math.min(slots, view.visible));
  const first = Math.max(0, Math.min(slots - visible, view.p - visible * view.share));
  return { ...box, first, visible, perSlot: box.width / visible };
}

/** Middle of a slot in pixels. */
export function pxFromSlot(scale: SlotScale, slot: number): number {
  return scale.left + (slot - scale.first + 0.5) * scale.perSlot;
}

/** Position on the slot axis under a pixel. */
export function slotFromPx(scale: SlotScale, at: number): number {
  return (at - scale.left) / scale.perSlot - 0.5 + scale.first;
}

/** Event time in view, and where: later is higher. */
export interface EventScale {
  readonly top: number;
  readonly height: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Pixel row of an event time. */
export function pxFromTime(scale: EventScale, ms: number): number {
  return scale.top + ((scale.toMs - ms) / (scale.toMs - scale.fromMs)) * scale.height;
}

/** Event time at a pixel row. */
export function timeFromPx(scale: EventScale, at: number): number {
  return scale.toMs - ((at - scale.top) / scale.height) * (scale.toMs - scale.fromMs);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
];

/** The round step that puts at most `most` marks on a stretch of time. */
export function timeStep(spanMs: number, most: number): number {
  const least = spanMs / Math.max(1, most);
  const found = STEPS.find((step) => step >= least);
  if (found !== undefined) return found;
  return Math.ceil(least / DAY) * DAY;
}

/** Round times from `fromMs` to `toMs`. */
export function timeTicks(fromMs: number, toMs: number, most: number): number[] {
  const step = timeStep(toMs - fromMs, most);
  const ticks: number[] = [];
  for (let at = Math.ceil(fromMs / step) * step; at <= toMs; at += step) ticks.push(at);
  return ticks;
}

/** How much of an event is drawn at a width per slot (ui.md 11). */
export type Detail = 'full' | 'number' | 'dot' | 'tick' | 'density';

/** The detail for a width per slot. */
export function detailFor(perSlot: number): Detail {
  if (perSlot >= 18) return 'full';
  if (perSlot >= 10) return 'number';
  if (perSlot >= 4) return 'dot';
  return perSlot >= 1 ? 'tick' : 'density';
}
