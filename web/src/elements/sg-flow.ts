/**
 * `<sg-flow>`: the dataflow of one query, with records in flight.
 *
 * Properties: `model`; `lane`, the number of the query. Operators are buttons in reading order.
 */
import { effect } from '@preact/signals-core';
import { css, html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { type FlowInput, flowLayers } from '../draw/flow.ts';
import { FACE_CSS } from '../draw/svg.ts';
import type { FlowWords } from '../draw/words.ts';
import { bytes, count } from '../i18n/format.ts';
import { type FlowLayout, flowLayout } from '../layout/plan.ts';
import { letterOf } from '../model/model.ts';
import { NO_PLAN, type Plan, verdictOf } from '../model/plan.ts';
import type { Recording } from '../model/recording.ts';
import { define, formatsOf, prefersStill, SgElement } from './element.ts';
import { forgetPaint, paintSoon } from './frame_loop.ts';
import { Painter } from './painter.ts';
import { shared } from './shared.ts';

/** Above this speed single records are not seen any more. */
const RUSHING = 8;

export class SgFlow extends SgElement {
  static override properties = { ...SgElement.properties, lane: { type: Number } };
  declare lane: number;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        min-inline-size: 0;
        min-block-size: 0;
        overflow: auto hidden;
        scrollbar-width: none;
        position: relative;
      }
      .scene {
        position: relative;
        block-size: 100%;
      }
      .picture {
        position: absolute;
        inset: 0;
        display: block;
      }
      .operators button {
        position: absolute;
        border-radius: 8px;
      }
    `,
    unsafeCSS(FACE_CSS),
  ];

  #painter: Painter | undefined;
  #resize: ResizeObserver | undefined;
  #stopDrawing: (() => void) | undefined;
  #size = { width: 0, height: 0 };
  #laidOut: { plan: Plan; key: string; layout: FlowLayout } | undefined;

  constructor() {
    super();
    this.lane = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      const box = entry?.contentRect;
      if (box === undefined) return;
      this.#size = { width: box.width, height: box.height };
      this.requestUpdate();
      paintSoon(this.#draw);
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
    forgetPaint(this.#draw);
    this.#painter?.clear();
    this.#painter = undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const host = this.renderRoot.querySelector<HTMLElement>('.scene');
    if (host === null) return;
    this.#painter ??= new Painter(host);
    this.#stopDrawing ??= effect(() => {
      const { model } = this;
      void [model.view.value, model.language.value, model.hotOperator.value, model.speed.value];
      paintSoon(this.#draw);
    });
  }

  get #plan(): Plan {
    return this.model.recording.value?.queries[this.lane]?.plan ?? NO_PLAN;
  }

  #layout(): FlowLayout {
    const plan = this.#plan;
    const key = `${this.#size.width}:${this.#size.height}`;
    if (this.#laidOut?.plan !== plan || this.#laidOut.key !== key) {
      this.#laidOut = { plan, key, layout: flowLayout(plan, this.#size) };
      this.requestUpdate();
    }
    return this.#laidOut.layout;
  }

  readonly #draw = (): void => {
    const input = this.#input();
    if (input === undefined || this.#painter === undefined) return;
    const layers = flowLayers(input);
    const size = { width: input.layout.width, height: input.layout.height };
    const boxKey = [
      layers.boxKey,
      size.width,
      size.height,
      this.model.language.value,
      this.model.grown.value,
    ].join();
    this.#painter.paint(
      [
        { name: 'edges', key: undefined, items: layers.edges },
        { name: 'boxes', key: boxKey, items: layers.boxes },
        { name: 'flights', key: undefined, items: layers.flights },
      ],
      size,
      'svg',
    );
  };

  #input(): FlowInput | undefined {
    const { model } = this;
    const view = model.view.value;
    const recording = model.recording.value;
    const lane = view?.lanes[this.lane];
    if (view === undefined || recording === undefined || lane === undefined) return undefined;
    if (this.#size.width < 80 || this.#size.height < 60) return undefined;
    const plan = this.#plan;
    const hot = model.hotOperator.value;
    return {
      plan,
      layout: this.#layout(),
      view,
      lane,
      steps: recording.endStep + 1,
      mostBytes: mostBytes(recording),
      verdict: verdictOf(plan),
      words: this.#words(),
      still: prefersStill(),
      rushing: model.playing.value && model.speed.value > RUSHING,
      hotOperator: hot?.query === this.lane ? hot.operator : undefined,
    };
  }

  #words(): FlowWords {
    const { t, model } = this;
    return {
      ...formatsOf(model, t),
      ...t.flow,
      entries: (n) => t.flow.entries(n, count(n)),
    };
  }

  override render(): TemplateResult {
    const { t, model } = this;
    void model.recording.value;
    const layout = this.#size.width > 0 ? this.#layout() : undefined;
    const width = layout === undefined ? '100%' : `${layout.width}px`;
    return html`<div
      class="scene"
      role="figure"
      aria-label=${t.flow.title(letterOf(this.lane))}
      style=${styleMap({ inlineSize: width })}
    >
      <div class="operators">${layout === undefined ? nothing : this.#buttons(layout)}</div>
    </div>`;
  }

  #buttons(layout: FlowLayout): TemplateResult[] {
    const { model, t } = this;
    const view = model.view.value;
    const tracks = model.recording.value?.queries[this.lane]?.tracks;
    return layout.boxes.flatMap((box) => {
      const operator = box.task.stateful ?? box.task.operators[0];
      if (operator === undefined) return [];
      const track = tracks?.operators.get(operator.id);
      const entries = track?.entries.at(view?.settledStep ?? -1) ?? 0;
      const size = bytes(track?.bytes.at(view?.settledStep ?? -1) ?? 0);
      const label =
        operator.role === 'stateful'
          ? t.flow.operator(operator.name, t.flow.entries(entries, count(entries)), size)
          : box.task.operators.map((each) => each.name).join(', ');
      const hover = (on: boolean) =>
        this.intent({
          kind: 'hot-operator',
          at: on ? { query: this.lane, operator: operator.id } : undefined,
        });
      const place = {
        insetInlineStart: `${box.x}px`,
        insetBlockStart: `${box.y}px`,
        inlineSize: `${box.w}px`,
        blockSize: `${box.h}px`,
      };
      return [
        html`<button
          type="button"
          aria-label=${label}
          style=${styleMap(place)}
          @pointerenter=${() => hover(true)}
          @pointerleave=${() => hover(false)}
          @focus=${() => hover(true)}
          @blur=${() => hover(false)}
          @click=${() => this.intent({ kind: 'tab', tab: 'plan' })}
        ></button>`,
      ];
    });
  }
}

const most = new WeakMap<Recording, { version: number; bytes: number }>();

/** Most bytes of any operator of any query: the scale of all sparklines. */
export function mostBytes(recording: Recording): number {
  const known = most.get(recording);
  if (known !== undefined && known.version === recording.version) return known.bytes;
  let value = 1;
  for (const query of recording.queries) {
    for (const track of query.tracks.operators.values()) {
      for (const each of track.bytes.values) value = Math.max(value, each);
    }
  }
  most.set(recording, { version: recording.version, bytes: value });
  return value;
}

define('sg-flow', SgFlow);
