/** Pointer on the timeline: seek, scrub, drag events, hover, zoom by wheel. */
import { hit } from '../draw/list.ts';
import { markPlace } from '../draw/marks.ts';
import type { DragView } from '../draw/timeline.ts';
import { pxFromSlot, slotFromPx, timeFromPx } from '../layout/time_scale.ts';
import type { SgTimeline } from './sg-timeline.ts';

type Mode =
  | { readonly kind: 'none' }
  | { readonly kind: 'seek' | 'scrub' }
  | {
      readonly kind: 'event';
      readonly step: number;
      readonly startY: number;
      readonly vertical: boolean;
      readonly moved: boolean;
    };

/** Extra room around marks in which they are still met. */
const SLACK_PX = 3;

/** Listens on a stage. */
export class TimelinePointer {
  readonly #timeline: SgTimeline;
  readonly #host: HTMLElement;
  readonly #redraw: () => void;
  #mode: Mode = { kind: 'none' };
  #at = { x: 0, y: 0 };

  constructor(timeline: SgTimeline, host: HTMLElement, redraw: () => void) {
    this.#timeline = timeline;
    this.#host = host;
    this.#redraw = redraw;
    host.addEventListener('pointerdown', this.#down);
    host.addEventListener('pointermove', this.#move);
    host.addEventListener('pointerup', this.#up);
    host.addEventListener('pointercancel', this.#cancel);
    host.addEventListener('pointerleave', this.#leave);
    host.addEventListener('wheel', this.#wheel, { passive: false });
  }

  /** Stops listening. */
  detach(): void {
    this.#host.removeEventListener('pointerdown', this.#down);
    this.#host.removeEventListener('pointermove', this.#move);
    this.#host.removeEventListener('pointerup', this.#up);
    this.#host.removeEventListener('pointercancel', this.#cancel);
    this.#host.removeEventListener('pointerleave', this.#leave);
    this.#host.removeEventListener('wheel', this.#wheel);
  }

  /** The event that is being dragged, for the picture. */
  get drag(): DragView | undefined {
    const mode = this.#mode;
    const { layers, model } = this.#timeline;
    if (mode.kind !== 'event' || !mode.moved || layers === undefined) return undefined;
    const mark = model.marks.value?.marks[mode.step];
    if (mark === undefined) return undefined;
    const place = markPlace(layers.stage, mark);
    const { words, tone } = this.#preview();
    return {
      step: mode.step,
      x: mode.vertical ? place.x : this.#clampX(this.#at.x),
      y: mode.vertical ? this.#at.y : place.y,
      target: mode.vertical ? mode.step : this.#target(),
      words: mode.vertical ? this.#timeWords(words) : words,
      tone,
    };
  }

  #preview(): { words: string; tone: DragView['tone'] } {
    const { model, t } = this.#timeline;
    const preview = model.preview.value;
    switch (preview?.words) {
      case 'drop':
        return { words: t.timeline.wouldDrop, tone: 'bad' };
      case 'behind':
        return { words: t.timeline.behind, tone: 'good' };
      case 'count':
        return { words: t.timeline.wouldCount, tone: 'good' };
      case 'asking':
      case undefined:
        return { words: '', tone: 'plain' };
    }
  }

  #timeWords(words: string): string {
    const { layers } = this.#timeline;
    if (layers === undefined) return words;
    const time = new Date(this.#draggedMs()).toISOString().slice(11, 19);
    return words === '' ? time : `${time} · ${words}`;
  }

  #draggedMs(): number {
    const { layers } = this.#timeline;
    if (layers === undefined) return 0;
    return Math.round(timeFromPx(layers.stage.events, this.#at.y) / 1000) * 1000;
  }

  #clampX(x: number): number {
    const stage = this.#timeline.layers?.stage;
    if (stage === undefined) return x;
    const last = (this.#timeline.model.recording.value?.slots ?? 1) - 1;
    return Math.max(pxFromSlot(stage.slots, 0), Math.min(pxFromSlot(stage.slots, last), x));
  }

  #target(): number {
    const stage = this.#timeline.layers?.stage;
    const last = (this.#timeline.model.recording.value?.slots ?? 1) - 1;
    if (stage === undefined) return 0;
    return Math.max(0, Math.min(last, Math.round(slotFromPx(stage.slots, this.#at.x))));
  }

  #locate(event: PointerEvent | WheelEvent): { x: number; y: number } {
    const box = this.#host.getBoundingClientRect();
    this.#at = { x: event.clientX - box.left, y: event.clientY - box.top };
    return this.#at;
  }

  /** Step of the event under a point. */
  #eventAt(at: { x: number; y: number }): number | undefined {
    const { layers, model } = this.#timeline;
    if (layers === undefined || layers.stage.detail === 'density') return undefined;
    const { plot } = layers.stage;
    if (at.y > plot.y + plot.h + 8 || at.x < plot.x - 4) return undefined;
    const near = Math.round(slotFromPx(layers.stage.slots, at.x));
    const candidates = [near, near - 1, near + 1].flatMap((step) => {
      const mark = model.marks.value?.marks[step];
      return mark === undefined ? [] : [{ step, ...markPlace(layers.stage, mark) }];
    });
    const radius = layers.stage.detail === 'full' ? 11 : layers.stage.detail === 'number' ? 8 : 5;
    const items = candidates.map(({ step, x, y }) => ({
      kind: 'circle' as const,
      x,
      y,
      r: radius,
      look: {},
      trace: String(step),
    }));
    const found = hit(items.reverse(), at, SLACK_PX);
    return found?.kind === 'circle' ? Number(found.trace) : undefined;
  }

  readonly #down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const at = this.#locate(event);
    const stage = this.#timeline.layers?.stage;
    if (stage === undefined) return;
    const step = this.#timeline.movable ? this.#eventAt(at) : undefined;
    const mark = step === undefined ? undefined : this.#timeline.model.marks.value?.marks[step];
    if (step !== undefined && mark !== undefined && !mark.control) {
      this.#mode = { kind: 'event', step, startY: at.y, vertical: event.altKey, moved: false };
      this.#timeline.intent({ kind: 'pause' });
    } else if (at.x >= stage.plot.x - 10) {
      const scrub = this.#timeline.options.scrubber && at.y > stage.barY - 22;
      this.#mode = { kind: scrub ? 'scrub' : 'seek' };
      this.#timeline.intent({ kind: 'pause' });
      this.#seek();
    } else return;
    this.#host.setPointerCapture(event.pointerId);
  };

  readonly #move = (event: PointerEvent): void => {
    const at = this.#locate(event);
    const mode = this.#mode;
    if (mode.kind === 'none') {
      this.#hover(at);
      return;
    }
    if (mode.kind !== 'event') {
      this.#seek();
      return;
    }
    this.#mode = { ...mode, moved: true };
    const ms = mode.vertical ? { ms: this.#draggedMs() } : {};
    const to = mode.vertical ? mode.step : this.#target();
    this.#timeline.intent({ kind: 'preview-move', step: mode.step, to, ...ms });
    this.#redraw();
  };

  readonly #up = (): void => {
    const mode = this.#mode;
    this.#mode = { kind: 'none' };
    if (mode.kind !== 'event') return;
    this.#timeline.intent({ kind: 'end-preview' });
    if (mode.moved && mode.vertical) {
      this.#timeline.intent({ kind: 'shift-event-time', step: mode.step, ms: this.#draggedMs() });
    } else if (mode.moved) {
      this.#timeline.intent({ kind: 'move-event', step: mode.step, to: this.#target() });
    }
    this.#redraw();
  };

  readonly #cancel = (): void => {
    this.#mode = { kind: 'none' };
    this.#timeline.intent({ kind: 'end-preview' });
    this.#redraw();
  };

  /** Lets a dragged event go back to its place. */
  cancelDrag(): boolean {
    if (this.#mode.kind !== 'event') return false;
    this.#cancel();
    return true;
  }

  readonly #leave = (): void => {
    this.#timeline.intent({ kind: 'touch', step: undefined });
  };

  #hover(at: { x: number; y: number }): void {
    const step = this.#eventAt(at);
    const stage = this.#timeline.layers?.stage;
    this.#host.classList.toggle('grab', step !== undefined && this.#timeline.movable);
    const bar = stage !== undefined && at.y > stage.barY - 22 && at.x > stage.plot.x - 10;
    this.#host.classList.toggle('seek', step === undefined && bar);
    if (step !== this.#timeline.model.touchedStep.value) {
      this.#timeline.intent({ kind: 'touch', step });
    }
  }

  #seek(): void {
    const stage = this.#timeline.layers?.stage;
    if (stage === undefined) return;
    const scale = this.#mode.kind === 'scrub' ? stage.whole : stage.slots;
    this.#timeline.intent({ kind: 'seek', p: slotFromPx(scale, this.#at.x) });
  }

  readonly #wheel = (event: WheelEvent): void => {
    const stage = this.#timeline.layers?.stage;
    if (stage === undefined || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const factor = Math.exp(event.deltaY * 0.004);
    const all = stage.whole.visible;
    const visible = Math.max(8, Math.min(all, stage.slots.visible * factor));
    this.#timeline.intent({ kind: 'zoom', visible: visible >= all ? undefined : visible });
  };
}
