/** Moves the playhead with the clock of the page: playing and gliding. */
import { runClock } from '../elements/frame_loop.ts';
import type { Model } from '../model/model.ts';
import { advanced, bounded, eased, endOf } from '../model/playhead.ts';

/** Time of a glide from one position to another. */
const GLIDE_MS = 620;

/** The only place that moves `p` over time. */
export class Player {
  readonly #model: Model;
  #stopClock: (() => void) | undefined;
  #heading: number | undefined;

  constructor(model: Model) {
    this.#model = model;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.pause();
    });
  }

  /** Last step that can be reached. */
  get lastStep(): number {
    const recording = this.#model.recording.value;
    return recording === undefined ? -1 : recording.endStep;
  }

  /** Where the playhead is or, while it glides, where it will come to rest: steps in quick succession all count. */
  get aim(): number {
    return this.#heading ?? this.#model.p.value;
  }

  get #limit(): number {
    return Math.min(endOf(this.lastStep), this.#model.until.value ?? Number.POSITIVE_INFINITY);
  }

  /** Starts playing; from the end it starts over. */
  play(): void {
    const model = this.#model;
    this.#halt();
    if (model.p.value >= this.#limit - 0.01) {
      if (model.until.value !== undefined && this.#limit < endOf(this.lastStep)) return;
      model.p.value = bounded(-1, this.lastStep);
    }
    model.playing.value = true;
    this.#stopClock = runClock((elapsed) => {
      const next = advanced(model.p.value, elapsed, model.speed.value);
      const reached = model.recording.value?.lastStep ?? -1;
      model.p.value = Math.min(next, this.#limit, Math.max(model.p.value, endOf(reached)));
      if (next >= this.#limit) this.pause();
    });
  }

  /** Stops where it is. */
  pause(): void {
    this.#halt();
    this.#model.playing.value = false;
  }

  /** Jumps to a position. */
  seek(p: number): void {
    this.pause();
    this.#model.p.value = Math.min(this.#limit, bounded(p, this.lastStep));
  }

  /** Moves to a position; without motion where that is preferred. */
  glide(to: number, ms = GLIDE_MS): Promise<void> {
    this.pause();
    const model = this.#model;
    const target = Math.min(this.#limit, bounded(to, this.lastStep));
    const from = model.p.value;
    if (ms <= 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      model.p.value = target;
      return Promise.resolve();
    }
    this.#heading = target;
    return new Promise((resolve) => {
      let elapsed = 0;
      const stop = runClock((passed) => {
        elapsed += passed;
        const share = elapsed / ms;
        model.p.value = share >= 1 ? target : from + (target - from) * pace(share, target - from);
        if (share < 1) return;
        this.#heading = undefined;
        stop();
        resolve();
      });
      this.#stopClock = () => {
        stop();
        resolve();
      };
    });
  }

  #halt(): void {
    this.#stopClock?.();
    this.#stopClock = undefined;
    this.#heading = undefined;
  }
}

/** A step forward goes evenly, so that its moments can be seen; a long way slows down at the end. */
function pace(share: number, distance: number): number {
  return distance > 0 && distance <= 2 ? share : eased(share);
}
