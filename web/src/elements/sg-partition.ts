/** `<sg-partition>`: the card of a partition: bound, hold, idle. Properties: `model`; `index`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { shapeOf } from '../draw/glyph.ts';
import { SILENT_MS } from '../draw/partitions.ts';
import type { PartitionView } from '../model/view.ts';
import { boundOf } from '../model/workspace.ts';
import { define, formatsOf, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

/** Right end of the slider, unless the bound is larger. */
const MOST_SECONDS = 60;
/** Silence from which the card says so. */
const TOLD_MS = 20_000;

export class SgPartition extends SgElement {
  static override relaxed = true;
  static override properties = { ...SgElement.properties, index: { type: Number } };
  declare index: number;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        container-type: inline-size;
        flex: 1 1 0;
        min-inline-size: 0;
        max-inline-size: 420px;
      }
      .card {
        display: grid;
        grid-template: 20px 22px / auto auto minmax(0, 1fr);
        gap: 1px 9px;
        align-items: center;
        padding: 5px 10px;
        border: 1px solid var(--line);
        border-radius: 9px;
        font-size: var(--t-s);
        min-inline-size: 0;
      }
      .card.hot {
        border-color: var(--ink-3);
      }
      .card.holder {
        border-color: var(--ua);
        background: var(--ua-faint);
      }
      .name {
        display: flex;
        align-items: center;
        gap: 6px;
        font: 600 12px var(--mono);
        white-space: nowrap;
      }
      .mark {
        font: 600 12px var(--mono);
        color: var(--water-ink);
      }
      .status {
        grid-column: 3;
        color: var(--ink-3);
        text-align: end;
        white-space: nowrap;
        font-size: 11px;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .status.ua {
        color: var(--ua-ink);
        font-weight: 500;
      }
      label {
        grid-column: 1/3;
        display: flex;
        align-items: center;
        gap: 7px;
        color: var(--ink-2);
        min-inline-size: 0;
      }
      label input {
        inline-size: 64px;
        flex: none;
      }
      output {
        white-space: nowrap;
        font-size: var(--t-s);
      }
      .toggles {
        display: flex;
        gap: 4px;
        justify-self: end;
      }
      .toggles button {
        block-size: 21px;
        padding: 0 7px;
        border-radius: 5px;
        border: 1px solid var(--line-2);
        font-size: 11px;
        font-weight: 500;
        color: var(--ink-2);
        display: flex;
        align-items: center;
        gap: 3px;
        white-space: nowrap;
        background: var(--surface);
      }
      .toggles button[aria-pressed='true'] {
        background: var(--ink);
        color: var(--surface);
        border-color: var(--ink);
      }
      @container (max-width: 278px) {
        .tolerates {
          display: none;
        }
      }
      @container (max-width: 214px) {
        label input {
          inline-size: 48px;
        }
        .toggles span {
          display: none;
        }
      }
      @media (max-width: 760px) {
        :host {
          flex: 0 0 298px;
        }
        .card {
          grid-template-rows: 20px 30px;
        }
        .toggles button {
          block-size: 28px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.index = 0;
  }

  override render(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const recording = model.recording.value;
    const partition = model.partitions.value[this.index];
    if (recording === undefined || partition === undefined) return nothing;
    const source = recording.opened.sources.find((each) => each.source === partition.source);
    const bound =
      source === undefined
        ? undefined
        : boundOf(model.workspace.value, source, partition.partition);
    const { style } = formatsOf(model, t);
    const at = style.dated ? style.short : style.full;
    const silent = partition.silentMs ?? 0;
    const holding = partition.holder && silent >= SILENT_MS && !partition.idle;
    const hot = model.hotPartition.value === this.index;
    const hover = (on: boolean) =>
      this.intent({ kind: 'hot-partition', partition: on ? this.index : undefined });
    return html`<div
      class="card ${holding ? 'holder' : ''} ${hot ? 'hot' : ''}"
      role="group"
      aria-label=${t.transport.partition(partition.name)}
      @pointerenter=${() => hover(true)}
      @pointerleave=${() => hover(false)}
      @focusin=${() => hover(true)}
      @focusout=${() => hover(false)}
    >
      <span class="name">${icon(shapeOf(partition.shape), 13)}${partition.name}</span>
      <span class="mark"
        >${partition.watermarkMs === undefined ? '—' : at(partition.watermarkMs)}</span
      >
      <span class="status ${holding ? 'ua' : ''}">${this.#status(partition)}</span>
      ${bound === undefined ? html`<span></span><span></span>` : this.#slider(partition, bound)}
      <span class="toggles">
        ${this.#toggle(partition, 'hold')} ${this.#toggle(partition, 'idle')}
      </span>
    </div>`;
  }

  #status(partition: PartitionView): string {
    const { t } = this;
    if (partition.idle) return t.transport.idleNow;
    if (partition.held) return t.transport.held;
    if (partition.silentMs === undefined) return t.transport.noEvent;
    return partition.silentMs >= TOLD_MS ? t.transport.silent(t.length(partition.silentMs)) : '';
  }

  #slider(partition: PartitionView, boundMs: number): TemplateResult {
    const { t } = this;
    const seconds = boundMs / 1000;
    const most = Math.max(MOST_SECONDS, Math.ceil(seconds / 60) * 60);
    const share = `${(seconds / most) * 100}%`;
    return html`<label
      ><span class="sr">${t.timeline.outOfOrderness}</span
      ><input
        type="range"
        min="0"
        max=${most}
        step=${most > 600 ? 60 : 1}
        .value=${String(seconds)}
        style="--v:${share}"
        aria-valuetext=${t.length(boundMs)}
        @input=${(event: Event) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          const ms = Number(event.target.value) * 1000;
          const { table } = partition;
          this.intent({ kind: 'bound', table, partition: partition.partition, ms });
        }}
      /><output><span class="tolerates">${t.transport.tolerates} </span>${t.length(boundMs)}</output></label
    >`;
  }

  #toggle(partition: PartitionView, kind: 'hold' | 'idle'): TemplateResult {
    const { t } = this;
    const on = kind === 'hold' ? partition.held : partition.idle;
    const long = kind === 'hold' ? t.transport.holdLong : t.transport.idleLong;
    return html`<button
      type="button"
      aria-pressed=${on}
      title=${long(partition.name)}
      @click=${() => {
        const { table } = partition;
        this.intent({ kind, table, partition: partition.partition, on: !on });
      }}
    >
      ${icon(kind === 'hold' ? 'hold' : 'moon', 12)}<span
        >${kind === 'hold' ? t.transport.hold : t.transport.idle}</span
      >
    </button>`;
  }
}

define('sg-partition', SgPartition);
