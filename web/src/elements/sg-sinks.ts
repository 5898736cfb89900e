/** `<sg-sinks>`: what sinks make of each query's changes, in figures and as a picture. Property: `model`. */
import { html, nothing, type TemplateResult } from 'lit';
import { bytes, count } from '../i18n/format.ts';
import { type SinkWords, sinkWords } from '../i18n/sinks.ts';
import type { Diagnostic, Downstream, SinkReport } from '../model/explain.ts';
import { letterOf } from '../model/model.ts';
import { define, formatsOf, rich, SgElement } from './element.ts';
import { icon, kindIcon } from './icon.ts';
import { shared } from './shared.ts';
import { sinkStyles } from './sink_styles.ts';

/** Batches that are listed; the engine gives more. */
const BATCHES = 5;

export class SgSinks extends SgElement {
  static override relaxed = true;
  static override styles = [shared, sinkStyles];

  override render(): TemplateResult {
    const { model } = this;
    const words = sinkWords(model.language.value);
    const queries = model.recording.value?.queries ?? [];
    const lanes = queries.map((_, lane) => model.downstream.value?.[lane]);
    const refusals = queries.map(({ view }) =>
      view.diagnostics.find((each) => each.code.startsWith('sink-')),
    );
    if ([...lanes, ...refusals].every((each) => each === undefined)) {
      return html`<p>${words.none}</p>`;
    }
    return html`<p>${words.lead}</p>
      ${lanes.map((behind, lane) => {
        const refusal = refusals[lane];
        if (refusal !== undefined) return this.#refused(refusal, lane, words);
        return behind === undefined ? nothing : this.#lane(behind, lane, words);
      })}
      <p class="note">${words.model}</p>`;
  }

  /** The sink that the query names does not take its changes. */
  #refused(refusal: Diagnostic, lane: number, words: SinkWords): TemplateResult {
    return html`${this.#title(lane)}
      <section class="sink">
        <span class="tag bad">${icon('cross', 12)}${words.refused}</span>
        ${this.#reason(refusal)}
      </section>`;
  }

  #title(lane: number): TemplateResult {
    return html`<h2>
      <span class="ab" data-lane=${lane}>${letterOf(lane)}</span>${this.model.names.value[lane] ?? ''}
    </h2>`;
  }

  #lane(behind: Downstream, lane: number, words: SinkWords): TemplateResult {
    const bare = behind.sinks.every((sink) => sink.operator === null);
    return html`${this.#title(lane)}
      ${bare ? html`<p class="note">${rich(words.bare)}</p>` : nothing}
      ${behind.sinks.map((sink) =>
        bare
          ? this.#possible(sink, behind.encodings.appendRefusal, words)
          : html`<section class="sink">${this.#head(sink, words)}${this.#books(sink, words)}</section>`,
      )}`;
  }

  /** A sink that the query could have: a line, and behind it the books. */
  #possible(sink: SinkReport, refusal: Diagnostic | null, words: SinkWords): TemplateResult {
    return html`<details class="sink">
      <summary>${this.#head(sink, words)}</summary>
      ${
        sink.refused === null
          ? this.#books(sink, words)
          : sink.refused === 'changes' && refusal !== null
            ? this.#reason(refusal)
            : html`<p>${rich(words.needsKey)}</p>`
      }
    </details>`;
  }

  #reason(refusal: Diagnostic): TemplateResult {
    const language = this.model.language.value;
    return html`<p>${rich(refusal.message[language])}</p>
      ${refusal.notes.map((note) => html`<p class="note">${rich(note[language])}</p>`)}`;
  }

  #head(sink: SinkReport, words: SinkWords): TemplateResult {
    return html`<div class="head">
      ${icon('chevron', 12)}
      <b>${sink.table === '' ? sink.connector : sink.table}</b>
      <span class="kind">${sink.table === '' ? '' : sink.connector} ${sink.format}</span>
      <span class="grow"></span>
      ${
        sink.refused === null
          ? html`<span class="sum">${count(sink.writesDone)} ${words.unit[sink.writes]}</span>`
          : sink.refused === 'key'
            ? html`<span class="tag ua">${words.keyTag}</span>`
            : html`<span class="tag bad">${icon('cross', 12)}${words.refused}</span>`
      }
    </div>`;
  }

  #books(sink: SinkReport, words: SinkWords): TemplateResult {
    const [inserted = 0, before = 0, after = 0, deleted = 0] = sink.received;
    const received = [
      ['+I', inserted],
      ['-U', before],
      ['+U', after],
      ['-D', deleted],
    ] as const;
    const unkeyedLake = sink.writes === 'lake' && sink.key.length === 0 && before + deleted > 0;
    return html`<p>${rich(words.how[sink.writes])}</p>
      ${unkeyedLake ? html`<p class="warn">${icon('warning', 14)}<span>${rich(words.lakeAppends)}</span></p>` : nothing}
      <div class="received">
        <span>${words.received}</span>
        ${received.map(
          ([kind, n]) =>
            html`<span class=${n === 0 ? 'zero' : ''} title=${this.t.kind[kind]}>${kindIcon(kind)}${count(n)}</span>`,
        )}
      </div>
      ${sink.writes === 'nothing' || sink.writes === 'changes' ? nothing : this.#figures(sink, words)}
      ${this.#picture(sink, words)}`;
  }

  #figures(sink: SinkReport, words: SinkWords): TemplateResult {
    const factor = sink.liveBytes > 0 && sink.bytes > 0 ? sink.bytes / sink.liveBytes : undefined;
    const rows = (n: number) => words.rows(n, count(n));
    return html`<div class="effects">
        <span><b>${count(sink.appended)}</b>${words.appended}</span>
        <span><b>${count(sink.updated)}</b>${words.updated}</span>
        <span><b>${count(sink.deleted)}</b>${words.deleted}</span>
      </div>
      <dl>
        <dt>${words.written}</dt>
        <dd>${count(sink.writesDone)} ${words.unit[sink.writes]}${sink.bytes > 0 ? html`, ${bytes(sink.bytes)}` : nothing}</dd>
        ${sink.files > 0 ? html`<dt>${words.files}</dt><dd>${count(sink.files)}</dd>` : nothing}
        <dt>${sink.writes === 'upsert-log' ? words.compacted : words.live}</dt>
        <dd>${rows(sink.liveRows)}, ${bytes(sink.liveBytes)}</dd>
        ${
          factor === undefined
            ? nothing
            : html`<dt>${words.amplification}</dt>
                <dd class=${factor >= 2 ? 'high' : ''}>${words.times(factor.toFixed(factor < 9.95 ? 1 : 0))}</dd>`
        }
      </dl>`;
  }

  #picture(sink: SinkReport, words: SinkWords): TemplateResult | typeof nothing {
    if (sink.log.length > 0) {
      const faded = sink.log.some((message) => message.superseded);
      return html`<ol class="log" role="list">
          ${sink.log.map(
            (message) =>
              html`<li
                class="${message.does} ${message.superseded ? 'old' : ''}"
                title="${words[message.does]}: ${message.text} (${bytes(message.bytes)})"
              >
                <span class="sr">${words[message.does]}: ${message.text}</span>
              </li>`,
          )}
        </ol>
        ${faded ? html`<p class="note">${words.superseded}</p>` : nothing}`;
    }
    if (sink.intervalMs === 0) return nothing;
    return html`${this.#batches(sink, words)}${this.#reading(sink, words)}
      <p class="note">${rich(this.#when(sink, words))}</p>`;
  }

  #batches(sink: SinkReport, words: SinkWords): TemplateResult {
    const { short } = formatsOf(this.model, this.t);
    const lake = sink.writes === 'lake' || sink.writes === 'upsert-lake';
    const statements = sink.writes === 'statements' || sink.writes === 'upsert-statements';
    const b = words.batch;
    const earlier = sink.earlierBatches + Math.max(0, sink.batches.length - BATCHES);
    if (sink.batches.length === 0) return html`<p class="note">${b.none}</p>`;
    const cell = (n: number, tone: string) =>
      html`<td>${n === 0 ? html`<span class="zero">·</span>` : html`<span class="file ${tone}">${count(n)}</span>`}</td>`;
    return html`<table>
      <thead>
        <tr>
          <th scope="col">${lake ? b.commit : statements ? b.flush : b.file}</th>
          <th scope="col">${statements ? b.changes : b.data}</th>
          ${lake ? html`<th scope="col">${b.position}</th><th scope="col">${b.equality}</th>` : nothing}
          ${sink.writes === 'upsert-statements' ? html`<th scope="col">${b.deletes}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${earlier > 0 ? html`<tr class="zero"><td colspan="4">${b.earlier(count(earlier))}</td></tr>` : nothing}
        ${sink.batches.slice(-BATCHES).map(
          (batch) => html`<tr class=${batch.open ? 'open' : ''}>
            <th scope="row">${batch.open ? html`<i>${b.next}</i> ` : nothing}${short(batch.atMs)}</th>
            ${cell(batch.rows, 'data')}
            ${lake ? html`${cell(batch.positionDeletes, 'del')}${cell(batch.equalityDeletes, 'del eq')}` : nothing}
            ${sink.writes === 'upsert-statements' ? cell(batch.equalityDeletes, 'del') : nothing}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #reading(sink: SinkReport, words: SinkWords): TemplateResult {
    const open = sink.batches.at(-1)?.open === true && sink.writes !== 'upsert-statements';
    return html`${
      sink.files > 0
        ? html`<p>${rich(words.reader(count(sink.readRows), count(sink.files), count(sink.visibleRows)))}</p>`
        : nothing
    }${open ? html`<p>${rich(words.visible(count(sink.visibleRows), count(sink.liveRows)))}</p>` : nothing}`;
  }

  #when(sink: SinkReport, words: SinkWords): string {
    const every = this.t.length(sink.intervalMs);
    if (sink.batchRows > 0) return words.flush(every, count(sink.batchRows));
    if (sink.writes === 'files' && /^(json|csv)$/.test(sink.format)) return words.rolling(every);
    return sink.intervalAssumed ? words.checkpointAssumed(every) : words.checkpoint(every);
  }
}

define('sg-sinks', SgSinks);
