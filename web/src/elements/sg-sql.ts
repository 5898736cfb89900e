/**
 * `<sg-sql>`: the SQL of a query. Shows highlighted text at once and puts an editor in its place when the
 * editor's chunk is there.
 *
 * Properties: `model`; `lane`, −1 for the tables that all queries share; `fixed`, whether it is for reading only; `mark`, a fragment to set off.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Analysis, Diagnostic } from '../model/diagnostics.ts';
import type { SqlEditor, SqlEditorFactory } from '../model/editor.ts';
import { letterOf } from '../model/model.ts';
import { codeStyles, highlighted } from './code.ts';
import { define, rich, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

/** In place of a query's number: the tables that all queries share. */
const SCRIPT = -1;

export class SgSql extends SgElement {
  static override properties = {
    ...SgElement.properties,
    lane: { type: Number },
    fixed: { type: Boolean },
    mark: { type: String },
  };
  declare lane: number;
  declare fixed: boolean;
  declare mark: string;

  /** Loads the editor; set by the page that has one. */
  static loadEditor: (() => Promise<SqlEditorFactory>) | undefined;

  static override styles = [
    shared,
    codeStyles,
    css`
      :host {
        display: grid;
        grid-template: minmax(0, 1fr) auto / minmax(0, 1fr);
        position: relative;
        overflow: hidden;
      }
      .plain {
        grid-area: 1 / 1;
        block-size: 100%;
        overflow: auto;
        scrollbar-width: none;
        outline-offset: -2px;
      }
      .editor {
        grid-area: 1 / 1;
        position: relative;
        min-block-size: 0;
      }
      .problem {
        grid-area: 2 / 1;
        z-index: 3;
        display: flex;
        gap: 8px;
        align-items: flex-start;
        max-block-size: 8em;
        overflow: auto;
        padding: 7px 10px;
        background: var(--alarm-soft);
        color: var(--alarm-ink);
        border-block-start: 1px solid var(--line);
        font-size: 12px;
        line-height: 1.45;
      }
      .problem.unsupported,
      .problem.warning,
      .problem.hint {
        background: var(--ua-soft);
        color: var(--ua-ink);
      }
      .problem .i {
        margin-block-start: 1px;
      }
      .problem .note {
        color: var(--ink-2);
      }
      .problem .btn {
        margin-block-start: 4px;
        color: var(--ink);
        white-space: normal;
        block-size: auto;
        padding: 3px 10px;
        text-align: start;
      }
      @media (max-width: 760px) {
        :host {
          --code-size: 13px;
          --code-line: 22px;
        }
      }
    `,
  ];

  #editor: SqlEditor | undefined;
  #loading = false;

  constructor() {
    super();
    this.lane = 0;
    this.fixed = false;
    this.mark = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#editor?.destroy();
    this.#editor = undefined;
  }

  /** Puts the cursor into the editor. */
  override focus(): void {
    if (this.#editor === undefined) this.renderRoot.querySelector<HTMLElement>('.plain')?.focus();
    else this.#editor.focus();
  }

  get #text(): string {
    const { script, queries } = this.model.workspace.value;
    return this.lane === SCRIPT ? script : (queries[this.lane]?.sql ?? '');
  }

  get #analysis(): Analysis | undefined {
    const { model } = this;
    return this.lane === SCRIPT ? model.scriptSql.value : model.sql.value[this.lane]?.analysis;
  }

  get #label(): string {
    return this.lane === SCRIPT ? this.t.lane.tablesTitle : this.t.lane.sqlOf(letterOf(this.lane));
  }

  #changed(sql: string, now: boolean): void {
    if (this.lane === SCRIPT) this.intent({ kind: 'script', script: sql });
    else this.intent({ kind: 'sql', query: this.lane, sql, now });
  }

  get #problems(): readonly Diagnostic[] {
    if (this.lane === SCRIPT) return this.model.scriptProblems.value;
    const planned = this.model.recording.value?.queries[this.lane]?.view.diagnostics ?? [];
    const analysed = this.#analysis?.diagnostics ?? [];
    return analysed.length > 0 ? analysed : planned;
  }

  /** What is wrong with the shared tables is said in the first lane, where there is no text to point at. */
  get #elsewhere(): Diagnostic | undefined {
    const wrong = this.model.scriptProblems.value.find((d) => d.severity === 'error');
    return this.lane === 0 ? wrong : undefined;
  }

  override render(): TemplateResult {
    void this.#hot;
    const analysis = this.#analysis;
    const problems = this.#problems;
    const worst = problems.find((d) => d.severity === 'error') ?? this.#elsewhere ?? problems[0];
    const text = this.#text;
    return html`${
      this.#editor === undefined
        ? html`<div
            class="plain"
            tabindex="0"
            role="textbox"
            aria-multiline="true"
            aria-readonly="true"
            aria-label=${this.#label}
          >
            ${highlighted(text, { analysis, mark: this.mark, numbers: !this.fixed, language: this.model.language.value })}
          </div>`
        : nothing
    }
      <div class="editor" ?hidden=${this.#editor === undefined}></div>
      ${worst === undefined ? nothing : this.#problem(worst)}`;
  }

  #problem(problem: Diagnostic): TemplateResult {
    const language = this.model.language.value;
    const { t } = this;
    const fix = problem.fixes[0];
    return html`<div class="problem ${problem.severity}" role="status">
      ${icon(problem.severity === 'error' ? 'warning' : 'info', 14)}
      <div>
        <div>
          ${problem.severity === 'unsupported' ? html`<b>${t.lane.unsupported}.</b> ` : nothing}${rich(problem.message[language])}
        </div>
        ${
          fix === undefined
            ? nothing
            : html`<button type="button" class="btn" @click=${() => this.#apply(fix)}>
                ${icon('check', 12)}${rich(fix.title[language])}
              </button>`
        }
        ${problem.notes.map((note) => html`<div class="note">${rich(note[language])}</div>`)}
      </div>
    </div>`;
  }

  #apply(fix: Diagnostic['fixes'][number]): void {
    let text = this.#text;
    for (const edit of [...fix.edits].reverse()) {
      text = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
    }
    this.#changed(text, true);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#load();
    const analysis = this.#analysis;
    this.#editor?.update({
      text: this.#text,
      tokens: analysis?.tokens ?? [],
      diagnostics: this.#problems,
      lenses: analysis?.lenses ?? [],
      literals: analysis?.literals ?? [],
      hot: this.#hot,
      language: this.model.language.value,
    });
  }

  /** The text of the operator under the pointer. */
  get #hot(): { readonly from: number; readonly to: number } | undefined {
    const { model } = this;
    const at = model.hotOperator.value;
    if (at === undefined || at.query !== this.lane) return undefined;
    const plan = model.recording.value?.queries[this.lane]?.plan;
    return plan?.operators.get(at.operator)?.span ?? undefined;
  }

  #load(): void {
    const load = SgSql.loadEditor;
    if (load === undefined || this.fixed || this.#loading) return;
    this.#loading = true;
    load().then(
      (make) => {
        const host = this.renderRoot.querySelector<HTMLElement>('.editor');
        if (host === null || !this.isConnected) return;
        this.#editor = make({
          host,
          root: this.shadowRoot ?? document,
          lane: this.lane,
          text: this.#text,
          label: this.#label,
          onChange: (sql) => this.#changed(sql, false),
          onRun: (sql) => this.#changed(sql, true),
          onLiteral: (sql) => this.#changed(sql, true),
        });
        this.requestUpdate();
      },
      () => {
        // Without the editor the text stays readable; the next change of the page tries again.
        this.#loading = false;
      },
    );
  }
}

define('sg-sql', SgSql);
