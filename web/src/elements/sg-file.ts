/** `<sg-file>`: a dropped file, how far its run is, and what it has led to. Property: `model`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { bytes, count } from '../i18n/format.ts';
import type { FileState } from '../model/dropped.ts';
import { letterOf } from '../model/model.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgFile extends SgElement {
  static override styles = [
    shared,
    css`
      :host {
        display: block;
        padding: 8px 16px;
        background: var(--surface-2);
        color: var(--ink-2);
        font-size: 12.5px;
        border-block-end: 1px solid var(--line);
      }
      .line {
        display: flex;
        align-items: center;
        flex-wrap: wrap;
        gap: 6px 12px;
      }
      .line > span {
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
      b {
        color: var(--ink);
      }
      progress {
        inline-size: 160px;
        block-size: 6px;
        accent-color: var(--ink);
      }
      .alarm {
        color: var(--alarm-ink);
      }
      details {
        margin-block-start: 6px;
      }
      summary {
        cursor: pointer;
      }
      .scroll {
        overflow: auto;
        max-block-size: 30vh;
      }
      table {
        border-collapse: collapse;
        font: 400 12px/1.6 var(--mono);
        margin-block-start: 4px;
      }
      th,
      td {
        text-align: start;
        padding: 0 14px 0 0;
        white-space: nowrap;
      }
      th {
        font-weight: 600;
        color: var(--ink-3);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const file = model.file.value;
    if (file === undefined) return nothing;
    const failed = file.kind === 'failed';
    return html`<div class="line" role=${failed ? 'alert' : 'status'}>
        ${failed ? icon('warning') : nothing}<b>${file.name}</b>
        ${
          file.kind === 'running'
            ? html`<progress
                max=${file.size}
                .value=${file.bytes}
                aria-label=${t.file.progress(file.name)}
              ></progress>`
            : nothing
        }
        <span class=${failed ? 'alarm' : ''}>${this.#words(file)}</span>
        <span class="grow"></span>
        ${
          file.kind === 'running'
            ? this.#button('stop', t.file.stop)
            : file.reason === '' && failed
              ? nothing
              : this.#button('run', t.file.run)
        }
        ${this.#button('close', t.states.dismiss)}
      </div>
      ${file.queries.map((_, query) => this.#result(file, query))}`;
  }

  #button(act: 'stop' | 'run' | 'close', words: string): TemplateResult {
    return html`<button type="button" class="btn" @click=${() => this.intent({ kind: 'file', act })}>
      ${words}
    </button>`;
  }

  #words(file: FileState): string {
    const { t } = this;
    const rows = count(file.rows);
    if (file.kind === 'failed') return file.reason === '' ? t.file.unknown : file.reason;
    const unread = file.unread === 0 ? '' : t.sentenceGap + t.file.unread(count(file.unread));
    if (file.kind === 'done') {
      return t.file.done(rows, bytes(file.size), count(file.steppable)) + unread;
    }
    const read = t.file.read(bytes(file.bytes), bytes(file.size), rows);
    const stopped = file.kind === 'stopped' ? t.sentenceGap + t.file.stopped : '';
    return `${read}${t.sentenceGap}${t.file.steps(count(file.steppable))}${stopped}${unread}`;
  }

  #result(file: FileState, query: number): TemplateResult | typeof nothing {
    const { model, t } = this;
    const result = file.queries[query];
    if (result === undefined) return nothing;
    const letter = letterOf(query);
    const words = t.file.result(letter, count(result.rows), count(result.changes));
    if (result.fault !== null) {
      const { en, zh } = result.fault;
      return html`<div class="alarm">${letter}: ${model.language.value === 'en' ? en : zh}</div>`;
    }
    if (result.table.length === 0) {
      return html`<div>${words}${result.rows > 0 ? t.sentenceGap + t.file.tooMany : ''}</div>`;
    }
    return html`<details ?open=${file.kind === 'done'}>
      <summary>${words}${result.table.length < result.rows ? t.sentenceGap + t.file.first(count(result.table.length)) : ''}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${t.file.resultOf(letter)}>
        <table>
          <thead>
            <tr>
              ${result.columns.map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${result.table.map(
              (row) => html`<tr>
                ${row.map((cell) => html`<td>${cell ?? 'NULL'}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}

define('sg-file', SgFile);
