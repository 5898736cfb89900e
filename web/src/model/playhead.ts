/** Where the playhead goes: pure functions from a position and a recording to another position. */
import { MOMENTS } from './view.ts';

/** Duration of a slot at speed 1. */
export const SLOT_MS = 720;
/** Before the first arrival. */
export const START = -0.5;
/** Speeds that the transport offers. `Infinity` shows every slot as fast as it can be drawn. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 4, 16, Number.POSITIVE_INFINITY];

/** Last position: a little behind the last step, so that its changes are seen. */
export function endOf(lastStep: number): number {
  return lastStep + MOMENTS.rest;
}

/** Keeps a position within the replay. */
export function bounded(p: number, lastStep: number): number {
  return Math.max(START, Math.min(endOf(lastStep), p));
}

/** Where a step forward comes to rest. */
export function stepForward(p: number, lastStep: number): number {
  return Math.min(lastStep, Math.floor(p + 0.04) + 1) + MOMENTS.rest;
}

/** Where a step back comes to rest. */
export function stepBack(p: number): number {
  const rest = Math.floor(p - 0.04) - 1 + MOMENTS.rest;
  return rest < 0 ? START : rest;
}

/** Position after a time of playing. Beyond speed 16 the slots of a frame are as many as keep it short. */
export function advanced(p: number, elapsedMs: number, speed: number): number {
  const rate = Number.isFinite(speed) ? speed : 60;
  return p + (Math.min(60, elapsedMs) / SLOT_MS) * rate;
}

/** Next marker in a direction; `steps` are rising. */
export function markerFrom(
  p: number,
  steps: readonly number[],
  direction: 1 | -1,
): number | undefined {
  const here = Math.floor(p);
  const found =
    direction > 0
      ? steps.find((step) => step > here)
      : [...steps].reverse().find((step) => step < here);
  return found === undefined ? undefined : found + MOMENTS.rest;
}

/** Share of a glide that is done: quick at first, then at rest. */
export function eased(share: number): number {
  const left = 1 - Math.max(0, Math.min(1, share));
  return 1 - left * left * left;
}
