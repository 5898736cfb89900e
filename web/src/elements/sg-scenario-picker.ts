/**
 * `<sg-scenario-picker>`: a combobox over the scenarios. Property: `model`.
 * Keys: typing filters, ↑ ↓ choose, Enter opens, Esc closes.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { count } from '../i18n/format.ts';
import type { ScenarioHead } from '../model/scenario.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgScenarioPicker extends SgElement {
  static override properties = {
    ...SgElement.properties,
    open: { state: true },
    filter: { state: true },
    active: { state: true },
  };
  declare open: boolean;
  declare filter: string;
  declare active: number;

  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        display: block;
        min-inline-size: 0;
      }
      .pick {
        display: flex;
        align-items: center;
        gap: 6px;
        block-size: 28px;
        max-inline-size: 100%;
        padding: 0 8px;
        border-radius: var(--r-m);
        font-weight: 500;
      }
      .pick > span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .pick:hover {
        background: var(--surface-3);
      }
      .pick .i {
        color: var(--ink-3);
      }
      .dot {
        inline-size: 6px;
        block-size: 6px;
        border-radius: 50%;
        background: var(--ua);
        flex: none;
      }
      .pop {
        position: absolute;
        inset-block-start: 34px;
        inset-inline-start: 0;
        z-index: 20;
        inline-size: min(440px, calc(100vw - 20px));
        padding: 8px;
        background: var(--surface);
        border: 1px solid var(--line-2);
        border-radius: var(--r-l);
        box-shadow: var(--shadow-pop);
      }
      input {
        inline-size: 100%;
        block-size: 32px;
        padding: 0 10px;
        border: 1px solid var(--line-2);
        border-radius: var(--r-m);
        background: var(--surface-2);
      }
      ul {
        list-style: none;
        margin: 8px 0 0;
        padding: 0;
        max-block-size: 60vh;
        overflow: auto;
      }
      li {
        padding: 9px 10px;
        border-radius: var(--r-m);
        cursor: pointer;
      }
      li[aria-selected='true'] {
        background: var(--surface-3);
      }
      .line {
        display: flex;
        gap: 8px;
        align-items: baseline;
      }
      .line b {
        flex: 1;
        min-inline-size: 0;
      }
      .line span,
      p {
        color: var(--ink-3);
        font-size: 12px;
      }
      p {
        margin: 2px 0 0;
        line-height: 1.5;
      }
      .tags {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
        margin-block-start: 5px;
      }
      @media (max-width: 760px) {
        .pick {
          padding: 0 4px;
          block-size: 44px;
          inline-size: 100%;
        }
        .pop {
          position: fixed;
          inset-block-start: 44px;
          inset-inline: 10px;
          inline-size: auto;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.open = false;
    this.filter = '';
    this.active = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#outside);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#outside);
  }

  readonly #outside = (event: Event): void => {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  };

  get #found(): readonly ScenarioHead[] {
    const words = this.filter.toLowerCase().trim();
    const language = this.model.language.value;
    return this.model.scenarios.value.filter(
      (scenario) =>
        words === '' ||
        `${scenario.title[language]} ${scenario.lesson[language]} ${scenario.tags.join(' ')}`
          .toLowerCase()
          .includes(words),
    );
  }

  override render(): TemplateResult {
    const { model, t } = this;
    const title = model.scenario.value?.title[model.language.value] ?? t.top.scenario;
    return html`<button
        type="button"
        class="pick"
        aria-haspopup="listbox"
        aria-expanded=${this.open}
        title=${title}
        @click=${this.#toggle}
      >
        <span>${title}</span>
        ${
          model.edited.value
            ? html`<span class="dot" role="img" aria-label=${t.top.edited} title=${t.top.edited}></span>`
            : nothing
        }
        ${icon('chevron', 14)}
      </button>
      ${this.open ? this.#list() : nothing}`;
  }

  #list(): TemplateResult {
    const { t, model } = this;
    const language = model.language.value;
    const found = this.#found;
    return html`<div class="pop" @keydown=${this.#key}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="list"
        aria-activedescendant=${found.length > 0 ? `s${this.active}` : ''}
        aria-label=${t.top.filter}
        placeholder=${t.top.filter}
        .value=${this.filter}
        @input=${this.#input}
      />
      <ul id="list" role="listbox" aria-label=${t.top.scenario}>
        ${found.map(
          (scenario, at) => html`<li
            id="s${at}"
            role="option"
            aria-selected=${at === this.active}
            @pointerenter=${() => {
              this.active = at;
            }}
            @click=${() => this.#choose(scenario)}
          >
            <div class="line">
              <b>${scenario.title[language]}</b
              ><span>${t.top.events(scenario.events, count(scenario.events))}</span>
            </div>
            <p>${scenario.lesson[language]}</p>
            <div class="tags">
              ${scenario.tags.map((tag) => html`<span class="tag plain">${tag}</span>`)}
            </div>
          </li>`,
        )}
        ${found.length === 0 ? html`<li role="option" aria-selected="false">${t.top.noScenario}</li>` : nothing}
      </ul>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('open') && this.open) this.renderRoot.querySelector('input')?.focus();
    if (changed.has('active')) {
      this.renderRoot.querySelector(`#s${this.active}`)?.scrollIntoView({ block: 'nearest' });
    }
  }

  readonly #toggle = (): void => {
    this.open = !this.open;
    this.filter = '';
    const id = this.model.scenario.value?.id;
    this.active = Math.max(
      0,
      this.model.scenarios.value.findIndex((each) => each.id === id),
    );
  };

  readonly #input = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) this.filter = event.target.value;
    this.active = 0;
  };

  readonly #key = (event: KeyboardEvent): void => {
    const found = this.#found;
    if (event.key === 'ArrowDown') this.active = Math.min(found.length - 1, this.active + 1);
    else if (event.key === 'ArrowUp') this.active = Math.max(0, this.active - 1);
    else if (event.key === 'Enter') {
      const scenario = found[this.active];
      if (scenario !== undefined) this.#choose(scenario);
    } else if (event.key === 'Escape') this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #choose(scenario: ScenarioHead): void {
    this.#close();
    this.intent({ kind: 'scenario', id: scenario.id });
  }

  #close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>('.pick')?.focus();
  }
}

define('sg-scenario-picker', SgScenarioPicker);
