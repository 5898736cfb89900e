/**
 * `<sg-result>`: what the changelog adds up to, ordered by key, changed in place.
 *
 * Properties: `model`; `lane`, the number of the query.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { count } from '../i18n/format.ts';
import { isNumber, shortCell } from '../model/cells.ts';
import { rolesOf } from '../model/columns.ts';
import type { ResultFold, ResultRow } from '../model/fold.ts';
import { letterOf } from '../model/model.ts';
import type { QueryRecording } from '../model/recording.ts';
import { define, formatsOf, SgElement } from './element.ts';
import { atRest, forgetPaint } from './frame_loop.ts';
import { columnsShown, widthsOf } from './rows.ts';
import { shared } from './shared.ts';

const WINDOWED = 60;
/** While playing only those that can be seen. */
const PLAYING = 16;
/** Rows that tell how wide columns are. */
const SAMPLED = 12;
/** Larger results keep the order in which they changed last. */
const ORDERED_MOST = 1000;

export class SgResult extends SgElement {
  static override relaxed = true;
  static override properties = {
    ...SgElement.properties,
    lane: { type: Number },
    room: { state: true },
  };
  declare lane: number;
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
        inset: 0;
        overflow: auto;
        scrollbar-width: none;
        outline-offset: -2px;
        contain: strict;
      }
      table {
        inline-size: 100%;
        border-collapse: collapse;
        font: 500 11px/1 var(--mono);
      }
      th {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
        background: var(--surface);
        block-size: 20px;
        text-align: start;
        font: 500 10.5px var(--ui);
        color: var(--ink-3);
        padding: 0 4px;
        box-shadow: inset 0 -1px var(--line);
        max-inline-size: 52px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      td {
        block-size: 19px;
        padding: 0 4px;
        white-space: nowrap;
      }
      th:first-child,
      td:first-child {
        padding-inline-start: 10px;
      }
      th:last-child,
      td:last-child {
        padding-inline-end: 10px;
      }
      .num {
        text-align: end;
      }
      td.ch {
        background: color-mix(in srgb, var(--ua) calc(var(--fade) * 42%), transparent);
        font-weight: 700;
      }
      tr.new td {
        background: color-mix(in srgb, var(--ins) calc(var(--fade) * 16%), transparent);
      }
      tr.gone td {
        text-decoration: line-through;
        color: var(--del-ink);
        background: color-mix(in srgb, var(--del) calc(var(--fade) * 20%), transparent);
      }
      .ne.ch {
        background: color-mix(in srgb, var(--ua) calc(var(--fade) * 18%), transparent);
      }
      .ne {
        color: var(--alarm-ink);
      }
      .more td {
        color: var(--ink-3);
        font: 400 11px/1 var(--ui);
      }
    `,
  ];

  #resize: ResizeObserver | undefined;
  #twins: { key: string; rows: ReadonlyMap<string, readonly (string | null)[]> } | undefined;
  #order: { key: string; query: QueryRecording; rows: readonly ResultRow[] } | undefined;

  constructor() {
    super();
    this.lane = 0;
    this.room = 150;
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
    forgetPaint(this.#reveal);
  }

  override render(): TemplateResult {
    const { model } = this;
    const query = model.recording.value?.queries[this.lane];
    const shownStep = model.shownStep.value;
    void model.logLengths.value;
    if (query === undefined) return html`<div class="rows"></div>`;
    const fold = query.resultAt(shownStep);
    const fade = model.fade.value;
    const all = this.#ordered(query, shownStep, fold);
    const gone = fade > 0 ? fold.gone : [];
    const rows = windowOf([...all, ...gone], shownStep, model.playing.value ? PLAYING : WINDOWED);
    const { outputColumns } = query.plan.query;
    const { edge } = formatsOf(model, this.t);
    const names = outputColumns.map((column) => column.name);
    const sample = rows.shown
      .slice(0, SAMPLED)
      .map((row) => query.row(row.cells).map((cell) => shortCell(cell, edge)));
    const columns = columnsShown(query.plan, widthsOf(sample, names), this.room - 8);
    const { measures } = rolesOf(query.plan);
    const other = this.lane > 0 ? this.#firstLane(shownStep) : undefined;
    const heads = columns.map((at) => {
      const column = outputColumns[at];
      return html`<th class=${measures.includes(at) ? 'num' : ''} scope="col" title=${column?.name ?? ''}>
        ${column?.name}
      </th>`;
    });
    return html`<div class="rows" tabindex="0" role="region" aria-label="${this.t.lane.table} ${letterOf(this.lane)}">
      ${
        rows.shown.length === 0
          ? nothing
          : html`<table>
              <thead>
                <tr>
                  ${heads}
                </tr>
              </thead>
              <tbody style="--fade:${fade.toFixed(2)}">
                ${repeat(
                  rows.shown,
                  (row) => row.id,
                  (row) => this.#row(row, { query, columns, shownStep, other }),
                )}
                ${
                  rows.more > 0
                    ? html`<tr class="more">
                        <td colspan=${columns.length}>${this.t.table.more(count(rows.more))}</td>
                      </tr>`
                    : nothing
                }
              </tbody>
            </table>`
      }
    </div>`;
  }

  /** Rows in order, put in order once per step. */
  #ordered(query: QueryRecording, step: number, fold: ResultFold): readonly ResultRow[] {
    const key = `${query.version}:${step}`;
    if (this.#order?.key !== key || this.#order.query !== query) {
      this.#order = { key, query, rows: ordered(query, [...fold.rows.values()]) };
    }
    return this.#order.rows;
  }

  #row(
    row: ResultRow,
    of: {
      query: QueryRecording;
      columns: readonly number[];
      shownStep: number;
      other: ReadonlyMap<string, readonly (string | null)[]> | undefined;
    },
  ): TemplateResult {
    const { query, columns, shownStep, other } = of;
    const fresh = row.changedStep === shownStep && this.model.fade.value > 0;
    const kind = row.kind === '-D' ? 'gone' : fresh && row.kind === '+I' ? 'new' : '';
    const cells = query.row(row.cells);
    const twin = other?.get(keyOf(query, cells));
    const { edge } = formatsOf(this.model, this.t);
    const { measures } = rolesOf(query.plan);
    const unlike = columns.find(
      (at) => twin !== undefined && measures.includes(at) && twin[at] !== cells[at],
    );
    return html`<tr class=${kind}>
      ${columns.map((at) => {
        const differs = at === unlike;
        const changed = fresh && row.kind === '+U' && row.changed[at] === true;
        const shown = shortCell(cells[at] ?? null, edge);
        const classes = [
          measures.includes(at) ? 'num' : '',
          changed ? 'ch' : '',
          differs ? 'ne' : '',
        ];
        return differs
          ? html`<td class=${classes.join(' ')} title=${this.t.table.differs(twin?.[at] ?? 'NULL')}>≠ ${shown}</td>`
          : html`<td class=${classes.join(' ')}>${shown}</td>`;
      })}
    </tr>`;
  }

  /** Rows of the first query by key, where both have the same columns. */
  #firstLane(step: number): ReadonlyMap<string, readonly (string | null)[]> | undefined {
    const queries = this.model.recording.value?.queries;
    const first = queries?.[0];
    const mine = queries?.[this.lane];
    if (first === undefined || mine === undefined) return undefined;
    const names = (query: QueryRecording) =>
      query.plan.query.outputColumns.map((column) => column.name).join();
    if (names(first) !== names(mine)) return undefined;
    const key = `${first.version}:${step}`;
    if (this.#twins?.key === key) return this.#twins.rows;
    const rows = new Map<string, readonly (string | null)[]>();
    for (const row of first.resultAt(step).rows.values()) {
      const cells = first.row(row.cells);
      rows.set(keyOf(first, cells), cells);
    }
    this.#twins = { key, rows };
    return rows;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    atRest(this.#reveal);
  }

  /** Brings the row that has just changed into view. */
  readonly #reveal = (): void => {
    const box = this.renderRoot.querySelector<HTMLElement>('.rows');
    const now = box?.querySelector<HTMLElement>('.ch, .new')?.closest('tr');
    if (box === null || now === null || now === undefined) return;
    const top = now.offsetTop;
    if (top + 22 > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight + 26;
    else if (top < box.scrollTop + 22) box.scrollTop = top - 22;
  };
}

/** Cells that tell a row from others. */
function keyOf(query: QueryRecording, cells: readonly (string | null)[]): string {
  return rolesOf(query.plan)
    .keys.map((at) => cells[at])
    .join('\u001f');
}

/** Rows by key, times before texts, never by arrival. */
function ordered(query: QueryRecording, rows: readonly ResultRow[]): readonly ResultRow[] {
  if (rows.length > ORDERED_MOST) return rows;
  const columns = query.plan.query.outputColumns;
  const order = rolesOf(query.plan)
    .keys.map((at) => ({ at, time: /TIME|DATE/.test(columns[at]?.type ?? '') }))
    .sort((a, b) => Number(b.time) - Number(a.time) || a.at - b.at)
    .map(({ at }) => at);
  const firstSeen = new Map<string, number>();
  for (const row of rows) {
    for (const at of order) {
      const cell = query.text(row.cells[at] ?? 0) ?? '';
      const seen = firstSeen.get(`${at}:${cell}`);
      firstSeen.set(`${at}:${cell}`, Math.min(seen ?? Number.POSITIVE_INFINITY, row.id));
    }
  }
  return [...rows].sort((a, b) => {
    for (const at of order) {
      const x = query.text(a.cells[at] ?? 0) ?? '';
      const y = query.text(b.cells[at] ?? 0) ?? '';
      if (x === y) continue;
      if (/TIME|DATE/.test(columns[at]?.type ?? '')) return x < y ? -1 : 1;
      if (isNumber(x) && isNumber(y)) return Number(x) - Number(y);
      return (firstSeen.get(`${at}:${x}`) ?? 0) - (firstSeen.get(`${at}:${y}`) ?? 0);
    }
    return a.id - b.id;
  });
}

/** The part of the rows that is in the document: around what has just changed. */
function windowOf(
  rows: readonly ResultRow[],
  step: number,
  most: number,
): { shown: readonly ResultRow[]; more: number } {
  if (rows.length <= most) return { shown: rows, more: 0 };
  const now = rows.findIndex((row) => row.changedStep === step);
  const from = Math.max(0, Math.min(rows.length - most, now - most / 2));
  return { shown: rows.slice(from, from + most), more: rows.length - most };
}

define('sg-result', SgResult);
