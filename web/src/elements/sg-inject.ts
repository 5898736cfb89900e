/**
 * `<sg-inject>`: inserts an event behind the playhead, and says what each query would do with it.
 * Property: `model`. Keys: Enter inserts, Esc closes.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { shapeOf } from '../draw/glyph.ts';
import { shortCell } from '../model/cells.ts';
import { draftFor, draftTimes, type Foreseen, type InjectDraft } from '../model/inject.ts';
import { define, formatsOf, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgInject extends SgElement {
  static override properties = { ...SgElement.properties, draft: { state: true } };
  declare draft: InjectDraft | undefined;

  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        flex: none;
      }
      .pop {
        position: absolute;
        inset-inline-end: 0;
        inset-block-end: 42px;
        inline-size: 300px;
        max-block-size: 74vh;
        overflow: auto;
        background: var(--surface);
        border: 1px solid var(--line-2);
        border-radius: var(--r-l);
        box-shadow: var(--shadow-pop);
        padding: 14px 16px 16px;
        z-index: 8;
      }
      h2 {
        margin: 0 0 10px;
        font: 600 13px var(--ui);
      }
      .form {
        display: grid;
        grid-template-columns: minmax(60px, auto) 1fr;
        gap: 8px 12px;
        align-items: center;
        font-size: 12px;
        color: var(--ink-2);
      }
      .form > span,
      .form > label {
        overflow: hidden;
        text-overflow: ellipsis;
        max-inline-size: 100px;
      }
      .slide {
        display: flex;
        gap: 8px;
        align-items: center;
      }
      .slide input {
        flex: 1;
        min-inline-size: 0;
      }
      .slide output {
        font: 600 12px var(--mono);
        color: var(--ink);
      }
      .field {
        inline-size: 100%;
        block-size: 26px;
        border: 1px solid var(--line-2);
        border-radius: 6px;
        background: var(--surface);
        padding: 0 8px;
        font: 500 12px var(--mono);
      }
      .say {
        margin: 12px 0;
        padding: 9px 10px;
        border-radius: var(--r-m);
        background: var(--surface-2);
        font-size: 12px;
        line-height: 1.4;
        display: grid;
        gap: 6px;
      }
      .say div {
        display: grid;
        grid-template-columns: 19px 1fr;
        gap: 8px;
        align-items: center;
      }
      .say .bad {
        color: var(--alarm-ink);
        font-weight: 600;
      }
      .go {
        inline-size: 100%;
        justify-content: center;
        block-size: 30px;
      }
      .seg {
        block-size: auto;
        min-block-size: 26px;
        flex-wrap: wrap;
      }
      .seg button {
        min-block-size: 26px;
        max-inline-size: 120px;
        overflow: hidden;
      }
      @media (max-width: 760px) {
        .open span {
          display: none;
        }
        .open {
          inline-size: 44px;
          block-size: 44px;
          justify-content: center;
          padding: 0;
        }
        .pop {
          inline-size: calc(100vw - 20px);
          inset-block-end: 52px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.draft = undefined;
  }

  override render(): TemplateResult {
    const { model, t } = this;
    const open = model.injecting.value;
    return html`<button
        type="button"
        class="btn open"
        aria-haspopup="dialog"
        aria-expanded=${open}
        aria-label=${t.inject.open}
        @click=${() => this.intent({ kind: 'open-inject', open: !open })}
      >
        ${icon('plus')}<span>${t.inject.open}</span>
      </button>
      ${open ? this.#popover() : nothing}`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const recording = this.model.recording.value;
    const open = this.model.injecting.peek();
    if (!open || recording === undefined) this.draft = undefined;
    else this.draft ??= draftFor(recording, this.model.workspace.peek(), this.model.step.peek());
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { draft } = this;
    if (!changed.has('draft') || draft === undefined) return;
    this.intent({ kind: 'foresee', event: draft.event });
    if (changed.get('draft') === undefined) {
      this.renderRoot.querySelector<HTMLElement>('.pop button, .pop input')?.focus();
    }
  }

  #popover(): TemplateResult | typeof nothing {
    const { t, draft, model } = this;
    if (draft === undefined) return nothing;
    return html`<div
      class="pop"
      role="dialog"
      aria-labelledby="title"
      @keydown=${this.#key}
    >
      <h2 id="title">${t.inject.title}</h2>
      <div class="form">
        ${draft.tables.length > 1 ? this.#choice(t.inject.table, draft.tables, draft.event.table, (table) => this.#change({ table })) : nothing}
        ${this.#partitions(draft)}
        ${draft.fields.map((field) => this.#field(draft, field))}
      </div>
      <div class="say" aria-live="polite">
        ${model.letters.value.map(
          (letter, lane) =>
            html`<div>
              <span class="ab" data-lane=${lane}>${letter}</span>${this.#foreseen(model.foreseen.value[lane])}
            </div>`,
        )}
      </div>
      <button type="button" class="btn pri go" @click=${this.#insert}>${t.inject.go}</button>
    </div>`;
  }

  #partitions(draft: InjectDraft): TemplateResult | typeof nothing {
    if (draft.partitions.length < 2) return nothing;
    const { t } = this;
    return html`<span>${t.inject.partition}</span>
      <div class="seg" role="radiogroup" aria-label=${t.inject.partition}>
        ${draft.partitions.map(
          (each) => html`<button
            type="button"
            role="radio"
            aria-checked=${each.partition === draft.event.partition}
            @click=${() => this.#change({ partition: each.partition })}
          >
            ${icon(shapeOf(each.shape), 11)}p${each.partition}
          </button>`,
        )}
      </div>`;
  }

  #field(draft: InjectDraft, field: InjectDraft['fields'][number]): TemplateResult {
    const value = draft.event.row[field.name];
    const put = (next: string | number | null) =>
      this.#change({ row: { ...draft.event.row, [field.name]: next } });
    if (field.kind === 'time') return this.#time(field, put);
    if (field.kind === 'choice') {
      return this.#choice(field.name, field.choices, String(value ?? ''), put);
    }
    return html`<label for=${field.name}>${field.name}</label>
      <input
        id=${field.name}
        class="field"
        type=${field.kind === 'number' ? 'number' : 'text'}
        step="any"
        .value=${String(value ?? '')}
        @input=${(event: Event) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          const text = event.target.value;
          const number = field.kind === 'number' && text !== '' ? Number(text) : text;
          put(text === '' ? null : number);
        }}
      />`;
  }

  #time(field: InjectDraft['fields'][number], put: (next: string) => void): TemplateResult {
    const { model, t, draft } = this;
    const recording = model.recording.value;
    if (recording === undefined || draft === undefined) return html``;
    const range = draftTimes(recording, draft, field.name);
    const { full } = formatsOf(model, t);
    const share = ((range.valueMs - range.fromMs) / Math.max(1, range.toMs - range.fromMs)) * 100;
    return html`<label for=${field.name}>${field.rowtime ? t.inject.eventTime : field.name}</label>
      <div class="slide">
        <input
          id=${field.name}
          type="range"
          min=${range.fromMs}
          max=${range.toMs}
          step=${range.stepMs}
          .value=${String(range.valueMs)}
          style="--v:${share}%"
          aria-valuetext=${full(range.valueMs)}
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement)
              put(range.textOf(Number(event.target.value)));
          }}
        /><output>${full(range.valueMs)}</output>
      </div>`;
  }

  #choice(
    label: string,
    choices: readonly string[],
    chosen: string,
    put: (choice: string) => void,
  ): TemplateResult {
    return html`<span title=${label}>${label}</span>
      <div class="seg" role="radiogroup" aria-label=${label}>
        ${choices.map(
          (choice) => html`<button
            type="button"
            role="radio"
            aria-checked=${choice === chosen}
            @click=${() => put(choice)}
          >
            ${choice}
          </button>`,
        )}
      </div>`;
  }

  #foreseen(said: Foreseen | undefined): TemplateResult {
    const { t } = this;
    const { range, edge } = formatsOf(this.model, t);
    if (said === undefined) return html`<span>${t.inject.asking}</span>`;
    const row = (cells: readonly string[]) => cells.map((cell) => shortCell(cell, edge)).join(' ');
    switch (said.kind) {
      case 'dropped':
        return html`<span class="bad">${said.window === undefined ? t.inject.dropsPlain : t.inject.drops(range(said.window.startMs, said.window.endMs))}</span>`;
      case 'rewrites':
        return html`<span>${t.inject.rewrites(row(said.before), row(said.after))}</span>`;
      case 'inserts':
        return html`<span>${t.inject.inserts(row(said.row))}</span>`;
      case 'counted':
        return html`<span>${said.behind ? t.inject.behind : t.inject.counts}</span>`;
      case 'refused':
        return html`<span class="bad">${t.inject.refused(said.reason[this.model.language.value])}</span>`;
    }
  }

  #change(change: Partial<InjectDraft['event']>): void {
    const { draft } = this;
    const recording = this.model.recording.value;
    if (draft === undefined || recording === undefined) return;
    const { table } = change;
    if (table !== undefined && table !== draft.event.table) {
      this.draft = draftFor(recording, this.model.workspace.value, this.model.step.value, table);
    } else this.draft = { ...draft, event: { ...draft.event, ...change } };
  }

  readonly #insert = (): void => {
    const { draft } = this;
    if (draft === undefined) return;
    this.intent({ kind: 'open-inject', open: false });
    this.intent({ kind: 'inject', event: draft.event });
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) this.#insert();
    else if (event.key === 'Escape') {
      this.intent({ kind: 'open-inject', open: false });
      this.renderRoot.querySelector<HTMLElement>('.open')?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

define('sg-inject', SgInject);
