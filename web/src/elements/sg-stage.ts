/**
 * `<sg-stage>`: the timeline with its head: switch, watermark declaration, legend, zoom.
 *
 * Property: `model`. Keys: on the literal of the declaration ↑ ↓ change it, with Shift by ten.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { SourceDeclaration } from '../model/declaration.ts';
import { declarationOf } from '../model/declaration.ts';
import { letterOf } from '../model/model.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';
import './sg-timeline.ts';
import './sg-timeline-table.ts';

export class SgStage extends SgElement {
  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        container-type: inline-size;
        grid-template-rows: 32px minmax(0, 1fr);
        min-block-size: 0;
        min-inline-size: 0;
        background: var(--surface);
      }
      .head {
        display: flex;
        align-items: center;
        gap: 11px;
        padding: 0 16px 0 14px;
        font-size: 12px;
        color: var(--ink-3);
        white-space: nowrap;
        min-inline-size: 0;
      }
      .head > b {
        color: var(--ink);
      }
      .seg {
        block-size: 22px;
      }
      .seg button {
        min-inline-size: 26px;
        font: 600 11.5px var(--ui);
      }
      .decl {
        font: 400 11.5px var(--mono);
        color: var(--ink-2);
        padding: 2px 7px;
        border-radius: var(--r-s);
        background: var(--surface-2);
        white-space: pre;
        flex: none;
      }
      .hint {
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .k {
        color: var(--c-kw);
        font-weight: 500;
      }
      .scrubby {
        border-block-end: 1.5px dashed var(--c-num);
        cursor: ew-resize;
        color: var(--c-num);
        touch-action: none;
      }
      .legend {
        display: inline-flex;
        align-items: center;
        gap: 5px;
      }
      .tools {
        display: flex;
        gap: 0;
      }
      .tools button {
        display: grid;
        place-items: center;
        inline-size: 24px;
        block-size: 24px;
        border-radius: var(--r-s);
        color: var(--ink-3);
      }
      .tools button:hover {
        background: var(--surface-3);
        color: var(--ink);
      }
      .tools button[aria-pressed='true'] {
        color: var(--ink);
        background: var(--surface-3);
      }
      @container (max-width: 1080px) {
        .hint {
          display: none;
        }
      }
      @container (max-width: 940px) {
        .sealed {
          display: none;
        }
      }
      @container (max-width: 800px) {
        .shapes {
          display: none;
        }
      }
      @media (max-width: 760px) {
        .head {
          padding: 0 10px;
          overflow-x: auto;
          scrollbar-width: none;
          gap: 10px;
        }
        .legend,
        .head > b,
        .head > .grow {
          display: none;
        }
      }
    `,
  ];

  #dragFrom: { x: number; ms: number } | undefined;

  override render(): TemplateResult {
    const { model, t } = this;
    const lanes = model.workspace.value.queries.map((_, lane) => lane);
    return html`<div class="head">
        <b>${t.timeline.title}</b>
        ${
          lanes.length > 1
            ? html`<span class="seg" role="radiogroup" aria-label=${t.timeline.windowsOf}>
                ${lanes.map(
                  (lane) => html`<button
                    type="button"
                    role="radio"
                    aria-checked=${model.lane.value === lane}
                    @click=${() => this.intent({ kind: 'lane', lane })}
                  >
                    ${letterOf(lane)}
                  </button>`,
                )}
              </span>`
            : nothing
        }
        ${this.#declaration()}
        <span class="hint">${t.timeline.hint}</span>
        <span class="grow"></span>
        ${this.#legend()}
        <span class="tools">${this.#tools()}</span>
      </div>
      ${
        model.asTable.value
          ? html`<sg-timeline-table .model=${model}></sg-timeline-table>`
          : html`<sg-timeline .model=${model}></sg-timeline>`
      }`;
  }

  #declaration(): TemplateResult {
    const { model, t } = this;
    const recording = model.recording.value;
    const declared =
      recording === undefined
        ? undefined
        : declarationOf(recording, model.workspace.value, model.step.value);
    if (declared === undefined) return html`<span class="decl">${t.timeline.noWatermark}</span>`;
    const { before, literal, after } = declared;
    const marked = literal === undefined ? nothing : this.#literal(declared, literal);
    const head = html`<span class="k">WATERMARK FOR</span> ${declared.column} <span class="k">AS</span>`;
    return html`<span class="decl" title=${t.timeline.combinerSplit}
      >${head} ${before}${marked}<span class="k">${after}</span></span
    >`;
  }

  #literal(
    declared: SourceDeclaration,
    literal: NonNullable<SourceDeclaration['literal']>,
  ): TemplateResult {
    const { t } = this;
    const set = (ms: number) =>
      this.intent({ kind: 'declared-bound', source: declared.source, ms });
    return html`<span
      class="scrubby"
      role="slider"
      tabindex="0"
      aria-label=${t.timeline.outOfOrderness}
      aria-valuemin="0"
      aria-valuemax=${literal.most}
      aria-valuenow=${literal.value}
      aria-valuetext=${t.length(literal.ms)}
      @pointerdown=${(event: PointerEvent) => {
        this.#dragFrom = { x: event.clientX, ms: literal.ms };
        if (event.currentTarget instanceof HTMLElement)
          event.currentTarget.setPointerCapture(event.pointerId);
      }}
      @pointermove=${(event: PointerEvent) => {
        const from = this.#dragFrom;
        if (from === undefined) return;
        const steps = Math.round((event.clientX - from.x) / 4);
        set(Math.max(0, Math.min(literal.most * literal.unitMs, from.ms + steps * literal.unitMs)));
      }}
      @pointerup=${() => {
        this.#dragFrom = undefined;
      }}
      @pointercancel=${() => {
        this.#dragFrom = undefined;
      }}
      @keydown=${(event: KeyboardEvent) => {
        const up = event.key === 'ArrowUp' || event.key === 'ArrowRight' ? 1 : 0;
        const down = event.key === 'ArrowDown' || event.key === 'ArrowLeft' ? 1 : 0;
        if (up + down === 0) return;
        event.preventDefault();
        event.stopPropagation();
        const by = (up - down) * literal.unitMs * (event.shiftKey ? 10 : 1);
        set(Math.max(0, literal.ms + by));
      }}
      >'${literal.value}'</span
    >`;
  }

  #legend(): TemplateResult {
    const { t } = this;
    return html`<span class="legend shapes"
        ><svg width="44" height="14" viewBox="0 0 44 14" aria-hidden="true">
          <g fill="var(--surface)" stroke="var(--ink)" stroke-width="1.3">
            <circle cx="7" cy="7" r="5" />
            <rect x="17" y="2.2" width="9.6" height="9.6" rx="2" />
            <path d="M37 1.5 41.8 4.2v5.6L37 12.5l-4.8-2.7V4.2z" />
          </g></svg
        >${t.timeline.legendEvent}</span
      >
      <span class="legend"
        ><svg width="22" height="14" viewBox="0 0 22 14" aria-hidden="true">
          <path d="M1 12h6V7h7V3h7v11H1z" fill="var(--water-fill)" />
          <path d="M1 12h6V7h7V3h7" fill="none" stroke="var(--water)" stroke-width="2" /></svg
        >${t.timeline.legendWatermark}</span
      >
      <span class="legend sealed"
        ><svg width="20" height="14" viewBox="0 0 20 14" aria-hidden="true">
          <rect
            x="1"
            y="1"
            width="18"
            height="12"
            rx="2"
            fill="var(--sealed-fill)"
            stroke="var(--water)"
            stroke-opacity=".5"
          />
          <path
            d="M4 13 13 1M9 13 18 1M1 10 8 1"
            stroke="var(--water)"
            stroke-opacity=".45"
            stroke-width="1.1"
          /></svg
        >${t.timeline.legendSealed}</span
      >`;
  }

  #tools(): TemplateResult {
    const { model, t } = this;
    const slots = model.recording.value?.slots ?? 0;
    const visible = model.visibleSlots.value ?? slots;
    const zoom = (to: number | undefined) => this.intent({ kind: 'zoom', visible: to });
    const table = model.asTable.value;
    const zooms =
      slots <= 60 || table
        ? nothing
        : html`<button
              type="button"
              title=${t.timeline.zoomIn}
              aria-label=${t.timeline.zoomIn}
              @click=${() => zoom(Math.max(12, visible / 2))}
            >
              ${icon('zoom-in')}
            </button>
            <button
              type="button"
              title=${t.timeline.zoomOut}
              aria-label=${t.timeline.zoomOut}
              @click=${() => zoom(Math.min(slots, visible * 2))}
            >
              ${icon('zoom-out')}
            </button>
            <button
              type="button"
              title=${t.timeline.fit}
              aria-label=${t.timeline.fit}
              @click=${() => zoom(slots)}
            >
              ${icon('fit')}
            </button>`;
    const flush = model.workspace.value.end === 'flush';
    return html`${zooms}<button
        type="button"
        aria-pressed=${flush}
        aria-label=${t.transport.flush}
        title=${t.transport.flushLong}
        @click=${() => this.intent({ kind: 'end-of-input', end: flush ? 'open' : 'flush' })}
      >
        ${icon('end')}
      </button><button
        type="button"
        aria-pressed=${table}
        title=${table ? t.timeline.asPicture : t.timeline.asTable}
        aria-label=${t.timeline.asTable}
        @click=${() => this.intent({ kind: 'as-table', on: !table })}
      >
        ${icon('table')}
      </button>`;
  }
}

define('sg-stage', SgStage);
