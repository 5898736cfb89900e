/**
 * `<sg-encodings>`: the result of a query as an append, a retract and an upsert stream, line by line beside
 * each other.
 *
 * Properties: `model`; `lane`, the number of the query.
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { count } from '../i18n/format.ts';
import { type SinkWords, sinkWords } from '../i18n/sinks.ts';
import { shortCell } from '../model/cells.ts';
import type { Downstream } from '../model/explain.ts';
import { letterOf } from '../model/model.ts';
import { define, formatsOf, rich, SgElement } from './element.ts';
import { kindIcon } from './icon.ts';
import { shared } from './shared.ts';

type Encodings = Downstream['encodings'];
type Row = Encodings['rows'][number];

export class SgEncodings extends SgElement {
  static override relaxed = true;
  static override properties = { ...SgElement.properties, lane: { type: Number } };
  declare lane: number;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        min-inline-size: 0;
        min-block-size: 0;
        background: var(--surface);
      }
      .streams {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        border-block-end: 1px solid var(--line);
      }
      .streams div {
        padding: 5px 10px 4px;
        min-inline-size: 0;
        font-size: 11px;
        line-height: 1.35;
        color: var(--ink-3);
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .streams div + div {
        border-inline-start: 1px solid var(--line);
      }
      .streams b {
        font: 600 12px var(--ui);
        color: var(--ink);
        margin-inline-end: 5px;
      }
      .rows {
        /* Hangs from the bottom, so that the newest is in view by itself. */
        display: flex;
        flex-direction: column-reverse;
        overflow: auto;
        min-block-size: 0;
        scrollbar-width: thin;
        container-type: size;
      }
      .cols {
        flex: 1 0 auto;
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
      }
      .col {
        min-inline-size: 0;
      }
      .col + .col {
        border-inline-start: 1px solid var(--line);
      }
      .cell {
        display: flex;
        align-items: center;
        gap: 5px;
        block-size: 19px;
        padding: 0 10px;
        font: 500 11px/1 var(--mono);
        white-space: nowrap;
        overflow: hidden;
      }
      .cell span:last-child {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .take span:last-child,
      .tombstone span:last-child {
        color: var(--ink-3);
        text-decoration: line-through;
      }
      .none {
        color: var(--ink-4);
      }
      .now.add,
      .now.put {
        background: var(--ins-soft);
      }
      .now.take {
        background: var(--ub-soft);
      }
      .now.tombstone {
        background: var(--del-soft);
      }
      .more {
        color: var(--ink-3);
        font: 400 11px/1 var(--ui);
      }
      .words {
        position: sticky;
        inset-block-start: 0;
        max-block-size: 100cqb;
        overflow: auto;
        scrollbar-width: thin;
        padding: 8px 10px;
        font-size: 11.5px;
        line-height: 1.5;
        color: var(--ink-2);
        overflow-wrap: anywhere;
      }
      .words p {
        margin: 0 0 6px;
      }
      .words .flink {
        color: var(--ink-3);
      }
      code {
        font: 500 0.95em var(--mono);
      }
    `,
  ];

  constructor() {
    super();
    this.lane = 0;
  }

  override render(): TemplateResult {
    const { model, lane } = this;
    const words = sinkWords(model.language.value);
    const encodings = model.downstream.value?.[lane]?.encodings;
    if (encodings === undefined) return html``;
    const columns = model.recording.value?.queries[lane]?.plan.query.outputColumns ?? [];
    const key = encodings.key?.map((at) => columns[at]?.name ?? '').join(', ');
    const [append, retract, upsert] = encodings.messages;
    const head = (name: string, how: string, n: number | undefined) =>
      html`<div title="${name}: ${how}">
        <b>${name}</b>${n === undefined ? how : words.messages(n, count(n))}
      </div>`;
    const refused = encodings.appendRefusal !== null;
    return html`<div class="streams">
        ${head(words.stream.append, words.streamHow.append, refused ? undefined : append)}
        ${head(words.stream.retract, words.streamHow.retract, retract)}
        ${head(words.stream.upsert, key === undefined ? words.keyTag : words.streamHow.upsert(key), key === undefined ? undefined : upsert)}
      </div>
      <div class="rows" tabindex="0" role="group" aria-label="${words.encodingsTitle} ${letterOf(lane)}">
        <div class="cols"><div class="col">${refused ? this.#refusal(encodings, words) : this.#column(encodings, words, 'append')}</div>
        <div class="col">${this.#column(encodings, words, 'retract')}</div>
        <div class="col">
          ${key === undefined ? html`<div class="words" tabindex="0" role="group" aria-label=${words.stream.upsert}>${rich(words.noKey)}</div>` : this.#column(encodings, words, 'upsert')}
        </div></div>
      </div>`;
  }

  #refusal(encodings: Encodings, words: SinkWords): TemplateResult {
    const language = this.model.language.value;
    const [way, flink] = encodings.appendRefusal?.notes ?? [];
    return html`<div class="words" tabindex="0" role="group" aria-label=${words.stream.append}>
      <p><b>${words.appendRefused}</b></p>
      ${way === undefined ? nothing : html`<p>${rich(way[language])}</p>`}
      ${flink === undefined ? nothing : html`<p class="flink">${rich(flink[language])}</p>`}
    </div>`;
  }

  #column(
    encodings: Encodings,
    words: SinkWords,
    stream: 'append' | 'retract' | 'upsert',
  ): TemplateResult {
    const { step, fresh } = this.model.nowSteps.value;
    if (encodings.rows.length === 0) return html`<div class="words">${words.emptyEncodings}</div>`;
    const rows = encodings.rows.map((row, at) => ({ row, at: encodings.earlier + at }));
    return html`${encodings.earlier > 0 ? html`<div class="cell more">${this.t.log.earlier(count(encodings.earlier))}</div>` : nothing}
      ${repeat(
        rows,
        ({ at }) => at,
        ({ row }) =>
          this.#cell(row, encodings, {
            does: stream === 'upsert' ? row.upsert : row.add ? 'add' : 'take',
            now: fresh && row.slots === step + 1,
            words,
          }),
      )}`;
  }

  #cell(
    row: Row,
    encodings: Encodings,
    of: { does: 'add' | 'take' | 'put' | 'tombstone' | 'none'; now: boolean; words: SinkWords },
  ): TemplateResult {
    const { edge } = formatsOf(this.model, this.t);
    const short = (at: number) => shortCell(row.cells[at] ?? null, edge, 18);
    const all = row.cells.map((_, at) => short(at));
    const { does, words } = of;
    if (does === 'none') {
      return html`<div class="cell none" title=${words.notSent}><span aria-label=${words.notSent}>·</span></div>`;
    }
    const key = encodings.key ?? [];
    const rest = all.filter((_, at) => !key.includes(at));
    const text =
      does === 'tombstone'
        ? key.map(short).join(' ')
        : does === 'put'
          ? `${key.map(short).join(' ')} → ${rest.join(' ')}`
          : all.join(' ');
    const kind = ({ add: '+I', put: '+U', take: '-U', tombstone: '-D' } as const)[does];
    return html`<div class="cell ${does} ${of.now ? 'now' : ''}" title="${words[does]}: ${row.cells.join(', ')}">
      ${kindIcon(does === 'put' ? '+I' : kind)}<span>${text}</span>
    </div>`;
  }
}

define('sg-encodings', SgEncodings);
