/**
 * `<sg-changelog>`: what the query has emitted, newest at the bottom, halves of an update tied together.
 *
 * Properties: `model`; `lane`, the number of the query.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { count, kindText } from '../i18n/format.ts';
import { shortCell } from '../model/cells.ts';
import { rolesOf } from '../model/columns.ts';
import type { RowKind } from '../model/kinds.ts';
import { letterOf } from '../model/model.ts';
import type { QueryRecording } from '../model/recording.ts';
import { define, formatsOf, SgElement } from './element.ts';
import { icon, kindIcon } from './icon.ts';
import { columnsShown, firstWindowNeed, widthsOf } from './rows.ts';
import { shared } from './shared.ts';

/** Rows that are in the document at most. */
const WINDOWED = 60;
/** While playing only those that can be seen. */
const PLAYING = 16;
/** Rows that tell how wide columns are. */
const SAMPLED = 12;

interface LogRow {
  readonly at: number;
  readonly kind: RowKind;
  readonly cells: readonly string[];
  readonly now: boolean;
  readonly pair: '' | 'before' | 'after';
}

export class SgChangelog extends SgElement {
  static override relaxed = true;
  static override properties = {
    ...SgElement.properties,
    lane: { type: Number },
    following: { state: true },
    room: { state: true },
  };
  declare lane: number;
  declare following: boolean;
  declare room: number;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        position: relative;
        min-inline-size: 0;
        min-block-size: 0;
      }
      .rows {
        position: absolute;
        inset: 0 0 auto;
        block-size: 100%;
        block-size: round(down, 100%, 19px);
        overflow: auto;
        scrollbar-width: none;
        display: flex;
        flex-direction: column-reverse;
        contain: strict;
      }
      table,
      .empty {
        margin-block-end: auto;
      }
      table {
        flex: none;
        inline-size: 100%;
        border-collapse: collapse;
        font: 500 11px/1 var(--mono);
      }
      td {
        block-size: 19px;
        padding: 0 4px;
        white-space: nowrap;
      }
      td:first-child {
        position: relative;
        padding-inline-start: 10px;
        inline-size: 42px;
      }
      td:last-child {
        padding-inline-end: 10px;
      }
      .num {
        text-align: end;
      }
      .op {
        display: inline-flex;
        align-items: center;
        gap: 5px;
      }
      tr.ins .op span:last-child {
        color: var(--ins-ink);
      }
      tr.ub .op span:last-child {
        color: var(--ub-ink);
      }
      tr.ua .op span:last-child {
        color: var(--ua-ink);
      }
      tr.del .op span:last-child {
        color: var(--del-ink);
      }
      tr.ub {
        color: var(--ink-3);
      }
      tr.ub .num,
      tr.del td:not(:first-child) {
        text-decoration: line-through;
      }
      tr.ub .num {
        text-decoration-color: var(--ub);
      }
      tr.before td:first-child::before,
      tr.after td:first-child::before {
        content: '';
        position: absolute;
        inset-inline-start: 3px;
        inline-size: 4px;
        border: 1.25px solid var(--ub);
        border-inline-end: 0;
      }
      tr.before td:first-child::before {
        inset-block: 9px 0;
        border-block-end: 0;
        border-start-start-radius: 3px;
      }
      tr.after td:first-child::before {
        inset-block: 0 9px;
        border-block-start: 0;
        border-color: var(--ua);
        border-end-start-radius: 3px;
      }
      tr.now {
        background: var(--surface-2);
      }
      tr.now.ins {
        background: var(--ins-soft);
      }
      tr.now.ua {
        background: var(--ua-soft);
      }
      tr.now.ub {
        background: var(--ub-soft);
      }
      tr.now.del {
        background: var(--del-soft);
      }
      tr.more td {
        color: var(--ink-3);
        font: 400 11px/1 var(--ui);
      }
      .empty {
        padding: 14px 12px;
        color: var(--ink-3);
        font-size: 12px;
        line-height: 1.5;
      }
      .empty b {
        display: block;
        color: var(--ink-2);
      }
      .newest {
        position: absolute;
        inset-block-end: 6px;
        inset-inline-end: 8px;
        display: inline-flex;
        gap: 3px;
        align-items: center;
        padding: 2px 8px;
        border-radius: var(--r-full);
        background: var(--ink);
        color: var(--surface);
        font-size: 11px;
      }
    `,
  ];

  #resize: ResizeObserver | undefined;

  constructor() {
    super();
    this.lane = 0;
    this.following = true;
    this.room = 176;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.room = Math.round(entry.contentRect.width);
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  override render(): TemplateResult {
    const query = this.model.recording.value?.queries[this.lane];
    const length = this.model.logLengths.value[this.lane] ?? 0;
    if (query === undefined) return html`<div class="rows"></div>`;
    if (length === 0) return this.#empty(query);
    const most = this.model.playing.value ? PLAYING : WINDOWED;
    const hidden = Math.max(0, length - most);
    const { edge } = formatsOf(this.model, this.t);
    const { plan } = query;
    const rows = this.#rows(query, length, { from: hidden, edge });
    const widths = widthsOf(rows.slice(-SAMPLED).map((row) => row.cells));
    const columns = columnsShown(plan, widths, this.room - 50);
    const { measures } = rolesOf(plan);
    return html`<div class="rows" role="log" aria-live="off" tabindex="0" aria-label="${this.t.lane.log} ${letterOf(this.lane)}" @scroll=${this.#scrolled}>
        <table>
          <tbody>
            ${
              hidden > 0
                ? html`<tr class="more">
                    <td colspan=${columns.length + 1}>${this.t.log.earlier(count(hidden))}</td>
                  </tr>`
                : nothing
            }
            ${repeat(
              rows,
              (row) => row.at,
              (row) => html`<tr class="${kindClass(row.kind)} ${row.pair} ${row.now ? 'now' : ''}">
                <td>
                  <span class="op">${kindIcon(row.kind)}<span aria-label=${this.t.kind[row.kind]}>${kindText(row.kind)}</span></span>
                </td>
                ${columns.map(
                  (column) =>
                    html`<td class=${measures.includes(column) ? 'num' : ''}>${row.cells[column]}</td>`,
                )}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        this.following
          ? nothing
          : html`<button type="button" class="newest" @click=${this.#follow}>
              ${icon('chevron', 12)}${this.t.log.newest}
            </button>`
      }`;
  }

  #rows(
    query: QueryRecording,
    length: number,
    by: { from: number; edge: (ms: number) => string },
  ): LogRow[] {
    const { log } = query.tracks;
    const now = this.model.nowSteps.value;
    const rows: LogRow[] = [];
    for (let at = by.from; at < length; at++) {
      const kind = log.kinds[at] ?? '+I';
      const step = log.steps[at] ?? 0;
      const paired = (first: number) =>
        log.kinds[first] === '-U' &&
        log.kinds[first + 1] === '+U' &&
        log.steps[first] === log.steps[first + 1] &&
        first + 1 < length;
      rows.push({
        at,
        kind,
        cells: query.row(log.cells[at] ?? []).map((cell) => shortCell(cell, by.edge, 18)),
        now: step === now.step && now.fresh,
        pair: paired(at) ? 'before' : paired(at - 1) ? 'after' : '',
      });
    }
    return rows;
  }

  #empty(query: QueryRecording): TemplateResult {
    const { t } = this;
    const need = firstWindowNeed(query, formatsOf(this.model, t));
    const stateful = query.plan.tasks.some((task) => task.stateful !== undefined);
    const words =
      need !== undefined
        ? t.log.emptyWindow(need)
        : stateful || query.plan.tasks.length > 0
          ? t.log.emptyEvent
          : t.log.emptyQuiet;
    return html`<div class="rows"><div class="empty"><b>${t.log.empty}</b>${words}</div></div>`;
  }

  readonly #scrolled = (event: Event): void => {
    const rows = event.currentTarget;
    if (!(rows instanceof HTMLElement)) return;
    // The rows hang from the bottom, so that the newest is in view by itself: 0 is the bottom.
    this.following = rows.scrollTop > -12;
  };

  readonly #follow = (): void => {
    const rows = this.renderRoot.querySelector('.rows');
    if (rows !== null) rows.scrollTop = 0;
    this.following = true;
  };
}

function kindClass(kind: RowKind): string {
  return { '+I': 'ins', '-U': 'ub', '+U': 'ua', '-D': 'del' }[kind];
}

define('sg-changelog', SgChangelog);
