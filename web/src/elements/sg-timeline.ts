/**
 * `<sg-timeline>`: the stream as it arrives, event time upwards, the watermark as water.
 *
 * Properties: `model`; `options`, what is shown beside the plot; `solo`, markers of the shown query only;
 * `movable`, whether events can be dragged.
 * Keys: on an event ← → move it, Alt ↑ ↓ change its event time; on the playhead ← → step, Home, End.
 */

import { effect } from '@preact/signals-core';
import { css, html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { markPlace } from '../draw/marks.ts';
import { FACE_CSS } from '../draw/svg.ts';
import { type TimelineLayers, timeline } from '../draw/timeline.ts';
import type { TimelineWords } from '../draw/words.ts';
import type { StageOptions } from '../layout/stage.ts';
import { processingAt } from '../model/view.ts';
import { define, formatsOf, prefersStill, SgElement } from './element.ts';
import { forgetPaint, paintSoon } from './frame_loop.ts';
import { type Layer, Painter } from './painter.ts';
import { shared } from './shared.ts';
import { eventButtons, moveByKey } from './timeline_events.ts';
import { TimelinePointer } from './timeline_pointer.ts';

/** Replays with more marks than this are painted on a canvas. */
const SVG_MARKS = 500;

export const PLAYGROUND_STAGE: StageOptions = {
  tracks: true,
  scrubber: true,
  scrubberHeight: 44,
  gutter: 'wide',
  right: 16,
};

export class SgTimeline extends SgElement {
  static override properties = {
    ...SgElement.properties,
    options: { attribute: false },
    solo: { type: Boolean },
    movable: { type: Boolean },
  };
  declare options: StageOptions;
  declare solo: boolean;
  declare movable: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        position: relative;
        min-block-size: 0;
        overflow: hidden;
      }
      .stage {
        position: absolute;
        inset: 0;
        touch-action: none;
        user-select: none;
        cursor: default;
      }
      .stage.grab {
        cursor: grab;
      }
      .stage.grabbing {
        cursor: grabbing;
      }
      .stage.seek {
        cursor: ew-resize;
      }
      .picture {
        position: absolute;
        inset: 0;
        display: block;
        overflow: visible;
      }
      .events {
        position: absolute;
        inset: 0;
        pointer-events: none;
      }
      .events button {
        position: absolute;
        inline-size: 28px;
        block-size: 28px;
        margin: -14px 0 0 -14px;
        border-radius: 50%;
      }
      .knob {
        position: absolute;
        inset-block-start: 0;
        inset-inline-start: 0;
        inline-size: 28px;
        block-size: 28px;
        margin: -14px 0 0 -14px;
        border-radius: 50%;
        pointer-events: none;
      }
      .knob:focus-visible,
      .events button:focus-visible {
        outline-offset: -2px;
        border-radius: 50%;
      }
      .tip {
        position: absolute;
        inset-block-start: 0;
        inset-inline-start: 0;
        z-index: 4;
        pointer-events: none;
        background: var(--ink);
        color: var(--surface);
        border-radius: var(--r-m);
        padding: 6px 10px;
        font: 500 11.5px/1.5 var(--mono);
        box-shadow: var(--shadow-pop);
        white-space: pre;
        max-inline-size: 320px;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .empty {
        position: absolute;
        inset: 0;
        display: grid;
        place-items: center;
        color: var(--ink-3);
      }
    `,
    unsafeCSS(FACE_CSS),
  ];

  #painter: Painter | undefined;
  #pointer: TimelinePointer | undefined;
  #resize: ResizeObserver | undefined;
  #stopDrawing: (() => void) | undefined;
  #layers: TimelineLayers | undefined;
  #size = { width: 0, height: 0 };

  constructor() {
    super();
    this.options = PLAYGROUND_STAGE;
    this.solo = false;
    this.movable = true;
  }

  /** The timeline as it was painted last. */
  get layers(): TimelineLayers | undefined {
    return this.#layers;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      const box = entry?.contentRect;
      if (box === undefined) return;
      this.#size = { width: box.width, height: box.height };
      paintSoon(this.#draw);
      this.requestUpdate();
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
    forgetPaint(this.#draw);
    this.#pointer?.detach();
    this.#pointer = undefined;
    this.#painter?.clear();
    this.#painter = undefined;
  }

  /** Colours have changed. */
  retheme(): void {
    this.#painter?.retheme();
    paintSoon(this.#draw);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const host = this.renderRoot.querySelector<HTMLElement>('.stage');
    if (host === null) return;
    this.#painter ??= new Painter(host);
    this.#pointer ??= new TimelinePointer(this, host, () => paintSoon(this.#draw));
    this.#stopDrawing ??= effect(() => {
      this.#touchSignals();
      paintSoon(this.#draw);
    });
    paintSoon(this.#draw);
  }

  /** Reads everything that the picture depends on, so that a change asks for a new one. */
  #touchSignals(): void {
    const { model } = this;
    void [
      model.view.value,
      model.bands.value,
      model.markers.value,
      model.lane.value,
      model.visibleSlots.value,
      model.hotPartition.value,
      model.touchedStep.value,
      model.preview.value,
      model.language.value,
      model.theme.value,
      model.until.value,
    ];
  }

  readonly #draw = (): void => {
    const layers = this.#layersNow();
    const painter = this.#painter;
    if (layers === undefined || painter === undefined) return;
    this.#layers = layers;
    const slots = this.model.recording.value?.slots ?? 0;
    const many = slots > SVG_MARKS || isSplit(layers);
    painter.paint(this.#pictureLayers(layers, many), this.#size, many ? 'canvas' : 'svg');
    this.#placeKnob(layers);
  };

  #layersNow(): TimelineLayers | undefined {
    const { model } = this;
    const recording = model.recording.value;
    const view = model.view.value;
    const table = model.marks.value;
    const lane = Math.min(model.lane.value, (recording?.queries.length ?? 1) - 1);
    const query = recording?.queries[lane];
    if (recording === undefined || view === undefined || table === undefined) return undefined;
    if (query === undefined || this.#size.width < 80 || this.#size.height < 60) return undefined;
    const markers = model.markers.value;
    const letters = model.letters.value;
    return timeline({
      recording,
      query,
      lane,
      view,
      table,
      letters: this.solo ? letters.slice(lane, lane + 1) : letters,
      bands: model.bands.value,
      markers: this.solo ? markers.slice(lane, lane + 1) : markers,
      size: this.#size,
      visible: model.visibleSlots.value,
      options: this.options,
      words: wordsOf(this),
      hotPartition: model.hotPartition.value,
      touchedStep: model.touchedStep.value,
      drag: this.#pointer?.drag,
      still: prefersStill(),
      limit: model.until.value,
    });
  }

  #pictureLayers(layers: TimelineLayers, many: boolean): Layer[] {
    const { model } = this;
    const { stage, playheadX } = layers;
    const drag = this.#pointer?.drag;
    const fixed = [
      this.#size.width,
      this.#size.height,
      model.language.value,
      model.theme.value,
      model.lane.value,
      model.recording.value?.version,
      stage.slots.visible,
    ].join();
    const step = model.step.value;
    const { first } = stage.slots;
    const base = `${fixed},${first},${stage.events.fromMs},${stage.events.toMs}`;
    // A view that follows the playhead changes with every frame: nothing of it is worth keeping.
    const follows = many && !stage.oneScale && first > 0;
    const baseKey = follows ? undefined : base;
    const perStep = [base, step, model.touchedStep.value, drag?.step].join();
    const bottom = stage.barY - 22;
    const below = { x: 0, y: bottom, w: stage.width, h: stage.height - bottom };
    const left = { x: 0, y: 0, w: stage.gutter, h: stage.height };
    return [
      { name: 'ground', key: baseKey, items: layers.ground },
      { name: 'axis', key: fixed, items: layers.axis, area: below },
      { name: 'under', key: undefined, items: layers.under },
      ...this.#markLayers(layers, {
        many,
        base: baseKey,
        perStep: follows ? undefined : perStep,
        playheadX,
      }),
      { name: 'gutter', key: perStep, items: layers.gutter, area: left },
      ...this.#scrubLayers(layers, { many, fixed, perStep, step }),
      { name: 'over', key: undefined, items: layers.over },
    ];
  }

  #markLayers(
    layers: TimelineLayers,
    by: {
      many: boolean;
      base: string | undefined;
      perStep: string | undefined;
      playheadX: number;
    },
  ): Layer[] {
    const { stage } = layers;
    const made = by.many && isSplit(layers) ? layers.marks() : undefined;
    if (made?.kind !== 'split') {
      const items = () => {
        const layer = layers.marks();
        return layer.kind === 'marks' ? layer.items : [...layer.past];
      };
      return [{ name: 'marks', key: by.perStep, items }];
    }
    const { plot, gutter, width } = stage;
    const area = { x: gutter - 6, y: 0, w: width - gutter + 6, h: stage.barY - plot.y - 8 };
    const x = by.playheadX;
    return [
      { name: 'past', key: by.base, items: () => made.past, area, cut: { from: 0, to: x } },
      { name: 'future', key: by.base, items: () => made.future, area, cut: { from: x, to: 1e5 } },
    ];
  }

  #scrubLayers(
    layers: TimelineLayers,
    by: { many: boolean; fixed: string; perStep: string; step: number },
  ): Layer[] {
    if (!by.many) return [{ name: 'scrub', key: by.perStep, items: layers.scrubCut }];
    const { whole, barY, width, gutter } = layers.stage;
    const x = whole.left + (by.step + 1 - whole.first) * whole.perSlot;
    const area = { x: gutter - 6, y: barY - 22, w: width - gutter + 6, h: 44 };
    const half = (past: boolean) => () => (past ? layers.scrub().past : layers.scrub().future);
    return [
      { name: 'scrubPast', key: by.fixed, items: half(true), area, cut: { from: 0, to: x } },
      { name: 'scrubFuture', key: by.fixed, items: half(false), area, cut: { from: x, to: 1e5 } },
    ];
  }

  #placeKnob(layers: TimelineLayers): void {
    const knob = this.renderRoot.querySelector<HTMLElement>('.knob');
    if (knob === null) return;
    const { whole } = layers.stage;
    const x = whole.left + (this.model.p.value - whole.first + 0.5) * whole.perSlot;
    knob.style.transform = `translate(${Math.max(whole.left, x)}px, ${layers.stage.barY}px)`;
  }

  override render(): TemplateResult {
    const { model, t } = this;
    const recording = model.recording.value;
    const empty = recording !== undefined && recording.marks.length === 0;
    return html`<div class="stage" role="group" aria-label=${t.timeline.title}>
      <div class="events" @keydown=${(event: KeyboardEvent) => moveByKey(this, event)}>
        ${empty ? nothing : eventButtons(this, this.#layers)}
      </div>
      ${this.options.scrubber ? this.#knob() : nothing}
      ${this.#tip()}
      ${empty ? html`<div class="empty">${t.timeline.empty}</div>` : nothing}
    </div>`;
  }

  /** What the event under the pointer carries. */
  #tip(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const step = model.touchedStep.value;
    const layers = this.#layers;
    const mark = step === undefined ? undefined : model.marks.value?.marks[step];
    const arrival = step === undefined ? undefined : model.recording.value?.marks[step];
    if (mark === undefined || arrival === undefined || layers === undefined) return nothing;
    if (this.#pointer?.drag !== undefined || mark.silent) return nothing;
    const { full, kind } = formatsOf(model, t);
    const source = model.recording.value?.opened.sources.find((s) => s.source === arrival.source);
    const rows = (source?.columns ?? []).map(
      (column, at) => `${column.name}  ${arrival.cells[at] ?? 'NULL'}`,
    );
    const head = mark.control ? arrival.kind : kind(arrival.kind);
    const lines = [`${head}  ${mark.partition}  ${full(arrival.atMs)}`, ...rows];
    const { x, y } = markPlace(layers.stage, mark);
    const left = x > layers.stage.width - 220;
    const place = {
      transform: `translate(${left ? x - 18 : x + 18}px, ${Math.max(4, y - 14)}px)${left ? ' translateX(-100%)' : ''}`,
    };
    return html`<div class="tip" style=${styleMap(place)}>${lines.join('\n')}</div>`;
  }

  #knob(): TemplateResult {
    const { model, t } = this;
    const recording = model.recording.value;
    const step = model.step.value;
    const formats = formatsOf(model, t);
    const time = recording === undefined ? '' : formats.full(processingAt(recording, step));
    return html`<div
      class="knob"
      role="slider"
      tabindex="0"
      aria-label=${t.timeline.playhead}
      aria-valuemin="0"
      aria-valuemax=${Math.max(0, recording?.endStep ?? 0)}
      aria-valuenow=${Math.max(0, step)}
      aria-valuetext=${time}
    ></div>`;
  }
}

function isSplit(layers: TimelineLayers): boolean {
  return layers.stage.detail === 'tick' || layers.stage.detail === 'density';
}

function wordsOf(element: SgTimeline): TimelineWords {
  const { t, model } = element;
  const { timeline: words } = t;
  return {
    ...formatsOf(model, t),
    noEvents: words.noEvents,
    filling: words.filling,
    waiting: words.waiting,
    sealed: words.sealed,
    kept: words.kept,
    idle: words.idle,
    silent: words.silent,
    late: words.late,
    rewrites: words.rewrites,
    rewritesShort: words.rewritesShort,
    behind: words.behind,
    heldBy: words.heldBy,
    rows: words.rows,
    eventTime: words.eventTime,
    processingTime: words.processingTime,
    processing: words.processing,
    endOfInput: words.endOfInput,
    more: (n) => `+${n}`,
  };
}

define('sg-timeline', SgTimeline);
