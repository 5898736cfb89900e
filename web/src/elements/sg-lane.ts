/**
 * `<sg-lane>`: one query with its SQL, dataflow, changelog and result.
 *
 * Properties: `model`; `lane`, the number of the query; `piece`, what is shown where there is room for one:
 * `all`, `sql`, `flow`, `result`.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import { count } from '../i18n/format.ts';
import { sinkWords } from '../i18n/sinks.ts';
import { letterOf } from '../model/model.ts';
import { NO_PLAN, type Plan, verdictOf } from '../model/plan.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';
import './sg-changelog.ts';
import './sg-encodings.ts';
import './sg-flow.ts';
import './sg-presets.ts';
import './sg-result.ts';
import './sg-sql.ts';

export class SgLane extends SgElement {
  static override relaxed = true;
  static override properties = {
    ...SgElement.properties,
    lane: { type: Number, reflect: true },
    piece: { type: String, reflect: true, attribute: 'data-part' },
    alone: { type: Boolean, reflect: true },
    tables: { state: true },
  };
  declare lane: number;
  declare piece: 'all' | 'sql' | 'flow' | 'result';
  declare alone: boolean;
  /** Whether the shared tables are shown in place of the query. */
  declare tables: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template: 30px 158px / 316px minmax(0, 1fr) 336px;
        border-block-end: 1px solid var(--line);
        min-inline-size: 0;
        background: var(--surface);
      }
      :host([alone]) {
        grid-template-rows: 30px 220px;
      }
      :host([hidden]) {
        display: none;
      }
      .head {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 0 12px;
        font-size: 12px;
        color: var(--ink-2);
        border-inline-start: 1px solid var(--line);
        min-inline-size: 0;
        overflow: hidden;
        white-space: nowrap;
      }
      .head.first,
      sg-sql {
        border-inline-start: 0;
      }
      .name {
        font: 600 12px var(--ui);
        color: var(--ink);
        background: none;
        border: 0;
        padding: 1px 3px;
        margin-inline-start: -3px;
        min-inline-size: 0;
        flex: 1;
        border-radius: var(--r-s);
        text-overflow: ellipsis;
      }
      .name:hover {
        background: var(--surface-2);
      }
      .tables {
        block-size: 22px;
        padding: 0 6px;
        border-radius: var(--r-m);
        font-size: var(--t-s);
        font-weight: 500;
        color: var(--ink-3);
        flex: none;
      }
      .tables:hover,
      .tables[aria-pressed='true'] {
        background: var(--surface-3);
        color: var(--ink);
      }
      .two {
        display: grid;
        grid-template-columns: minmax(0, 1.1fr) minmax(0, 0.95fr);
        padding: 0;
        gap: 0;
      }
      .half {
        display: flex;
        align-items: center;
        gap: 6px;
        padding: 0 10px;
        block-size: 100%;
        min-inline-size: 0;
        overflow: hidden;
      }
      .half > span:first-child {
        overflow: hidden;
        text-overflow: ellipsis;
        min-inline-size: 3em;
      }
      .half + .half {
        border-inline-start: 1px solid var(--line);
      }
      .half .n {
        display: inline-flex;
        align-items: center;
        gap: 3px;
        color: var(--ink-3);
      }
      .half .n .i {
        color: var(--water);
      }
      sg-sql {
        min-inline-size: 0;
        min-block-size: 0;
      }
      sg-flow,
      .res {
        border-inline-start: 1px solid var(--line);
        min-inline-size: 0;
        min-block-size: 0;
      }
      .res {
        display: grid;
        grid-template-columns: minmax(0, 1.1fr) minmax(0, 0.95fr);
      }
      :host([data-encoded]) {
        grid-template-columns: 316px minmax(160px, 1fr) minmax(336px, 540px);
      }
      sg-encodings {
        grid-column: 1 / -1;
      }
      .mode {
        text-decoration: underline dotted;
        text-underline-offset: 3px;
      }
      .mode:hover,
      .mode[aria-pressed='true'] {
        box-shadow: inset 0 0 0 1px currentColor;
      }
      .res sg-result {
        border-inline-start: 1px solid var(--line);
      }
      .stale {
        opacity: 0.6;
      }
      .spin {
        inline-size: 12px;
        block-size: 12px;
        border-radius: 50%;
        border: 1.5px solid var(--line-2);
        border-block-start-color: var(--ink-2);
        animation: turn 0.9s linear infinite;
        flex: none;
      }
      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .spin {
          animation: none;
        }
      }
      @media (min-width: 1600px) {
        :host {
          grid-template-columns: 340px minmax(0, 1fr) 400px;
        }
      }
      @media (max-width: 1180px) {
        :host {
          grid-template-columns: 266px minmax(0, 1fr) 312px;
        }
      }
      @media (max-width: 760px) {
        :host {
          display: block;
          border: 0;
          block-size: 100%;
        }
        .head,
        sg-sql,
        sg-flow,
        .res {
          display: none;
          border: 0;
        }
        :host([data-part='sql']) sg-sql {
          display: block;
          block-size: 100%;
        }
        :host([data-part='flow']) {
          block-size: auto;
        }
        :host([data-part='flow']) .head.first {
          display: flex;
          block-size: 38px;
          margin-block-start: 6px;
        }
        :host([data-part='flow']) sg-presets {
          display: none;
        }
        :host([data-part='flow']) sg-flow {
          display: block;
          block-size: 186px;
        }
        :host([data-part='result']) .result {
          display: flex;
          block-size: 40px;
          border-block-end: 1px solid var(--line);
        }
        :host([data-part='result']) .two {
          display: grid;
        }
        :host([data-part='result']) .res {
          display: grid;
          grid-template-rows: minmax(0, 1fr);
          block-size: calc(100% - 40px);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.lane = 0;
    this.piece = 'all';
    this.alone = false;
    this.tables = false;
  }

  override render(): TemplateResult {
    const { model, t, lane } = this;
    const query = model.recording.value?.queries[lane];
    const plan = query?.plan ?? NO_PLAN;
    const sql = model.sql.value[lane];
    const outdated = query?.outdated === true;
    const encoded = model.encoded.value.includes(lane);
    this.toggleAttribute('data-encoded', encoded);
    const stale = outdated ? 'stale' : '';
    return html`<div class="head first">
        <span class="ab" data-lane=${lane}>${letterOf(lane)}</span>
        <input
          class="name"
          type="text"
          aria-label=${t.lane.name(letterOf(lane))}
          .value=${model.names.value[lane] ?? ''}
          @change=${this.#rename}
        />
        ${sql?.planning === true ? html`<span class="spin" role="status" aria-label=${t.lane.planning}></span>` : nothing}
        <button
          type="button"
          class="tables"
          aria-pressed=${this.tables}
          title=${t.lane.tablesTitle}
          @click=${() => {
            this.tables = !this.tables;
          }}
        >
          ${t.lane.tables}
        </button>
        <sg-presets .model=${model} lane=${lane}></sg-presets>
      </div>
      <div class="head">
        <span>${t.lane.flow}</span><span class="grow"></span>${outdated ? html`<span class="tag plain">${t.lane.lastGood}</span>` : plan === NO_PLAN ? nothing : this.#verdict(plan)}
      </div>
      ${encoded ? this.#encodedHead(plan) : this.#resultHead(plan)}
      ${
        this.tables
          ? html`<sg-sql .model=${model} lane="-1"></sg-sql>`
          : html`<sg-sql .model=${model} lane=${lane}></sg-sql>`
      }
      <sg-flow .model=${model} lane=${lane} class=${stale}></sg-flow>
      <div class="res ${stale}">
        ${
          encoded
            ? html`<sg-encodings .model=${model} lane=${lane}></sg-encodings>`
            : html`<sg-changelog .model=${model} lane=${lane}></sg-changelog>
                <sg-result .model=${model} lane=${lane}></sg-result>`
        }
      </div>`;
  }

  #resultHead(plan: Plan): TemplateResult {
    const { t } = this;
    return html`<div class="head two result">
        <span class="half">
          <span>${t.lane.log}</span><span class="grow"></span>
          ${plan === NO_PLAN ? nothing : this.#mode(plan)}
        </span>
        <span class="half">
          <span>${t.lane.table}</span><span class="grow"></span>${this.#rows(plan)}
        </span>
      </div>`;
  }

  #encodedHead(plan: Plan): TemplateResult {
    const words = sinkWords(this.model.language.value);
    return html`<div class="head result">
      <span>${words.encodings}</span><span class="grow"></span>${this.#mode(plan)}
    </div>`;
  }

  /** How the result changes, and the switch to its encodings. */
  #mode(plan: Plan): TemplateResult {
    const { model, t, lane } = this;
    const words = sinkWords(model.language.value);
    const on = model.encoded.value.includes(lane);
    return html`<button
      type="button"
      class="tag mode ${plan.query.mode === 'append-only' ? 'plain' : 'ua'}"
      aria-pressed=${on}
      title=${words.encodingsTitle}
      @click=${() => this.intent({ kind: 'encodings', lane, on: !on })}
    >
      ${on ? html`${words.close}${icon('cross', 11)}` : t.mode[plan.query.mode]}
    </button>`;
  }

  #verdict(plan: Plan): TemplateResult {
    const { t } = this;
    switch (verdictOf(plan)) {
      case 'bounded':
        return html`<span class="tag good">${icon('lock', 13)}${t.lane.boundedLong}</span>`;
      case 'unbounded':
        return html`<span class="tag bad">${icon('infinity', 13)}${t.lane.unboundedLong}</span>`;
      case 'ttl':
        return html`<span class="tag ua">${icon('hourglass', 13)}${t.lane.ttlLong}</span>`;
      case 'stateless':
        return html`<span class="tag plain">${t.lane.statelessLong}</span>`;
    }
  }

  #rows(plan: Plan): TemplateResult {
    const { model, t } = this;
    void model.logLengths.value;
    const query = model.recording.value?.queries[this.lane];
    const rows = query?.resultAt(model.shownStep.value).rows.size ?? 0;
    const final = plan.windowed !== undefined && plan.query.mode === 'append-only' && rows > 0;
    return html`<span class="n" title=${final ? t.table.final : ''}
      >${final ? icon('lock', 12) : nothing}${t.table.rows(rows, count(rows))}</span
    >`;
  }

  readonly #rename = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.intent({ kind: 'name', query: this.lane, name: event.target.value });
  };
}

define('sg-lane', SgLane);
