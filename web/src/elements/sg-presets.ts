/** `<sg-presets>`: queries that a scenario offers for a lane. Properties: `model`, `lane`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgPresets extends SgElement {
  static override properties = {
    ...SgElement.properties,
    lane: { type: Number },
    open: { state: true },
  };
  declare lane: number;
  declare open: boolean;

  static override styles = [
    shared,
    css`
      :host {
        position: relative;
        flex: none;
      }
      .tb {
        block-size: 22px;
        padding: 0 4px 0 6px;
        font-size: var(--t-s);
        color: var(--ink-3);
        gap: 2px;
      }
      .menu {
        position: absolute;
        inset-block-start: 26px;
        inset-inline-end: 0;
        z-index: 20;
        min-inline-size: 220px;
        max-block-size: 320px;
        overflow: auto;
        padding: 6px;
        background: var(--surface);
        border: 1px solid var(--line-2);
        border-radius: var(--r-l);
        box-shadow: var(--shadow-pop);
      }
      .menu button {
        display: block;
        inline-size: 100%;
        padding: 7px 10px;
        border-radius: var(--r-m);
        text-align: start;
        font-size: 12.5px;
      }
      .menu button:hover,
      .menu button:focus-visible {
        background: var(--surface-3);
      }
    `,
  ];

  constructor() {
    super();
    this.lane = 0;
    this.open = false;
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

  override render(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const presets = model.scenario.value?.presets ?? [];
    if (presets.length === 0) return nothing;
    const language = model.language.value;
    return html`<button
        type="button"
        class="tb"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        @click=${() => {
          this.open = !this.open;
        }}
      >
        ${t.lane.presets}${icon('chevron', 13)}
      </button>
      ${
        this.open
          ? html`<div class="menu" role="menu" @keydown=${this.#key}>
              ${presets.map(
                (preset) => html`<button
                  type="button"
                  role="menuitem"
                  @click=${() => {
                    this.open = false;
                    const { name } = preset;
                    this.intent({ kind: 'sql', query: this.lane, sql: preset.sql, now: true });
                    this.intent({ kind: 'name', query: this.lane, name: name[language] });
                  }}
                >
                  ${preset.name[language]}
                </button>`,
              )}
            </div>`
          : nothing
      }`;
  }

  protected override updated(): void {
    if (this.open) this.renderRoot.querySelector<HTMLElement>('.menu button')?.focus();
  }

  readonly #key = (event: KeyboardEvent): void => {
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>('.menu button')];
    const here = items.findIndex((item) => item.matches(':focus'));
    if (event.key === 'ArrowDown') items[(here + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(here - 1 + items.length) % items.length]?.focus();
    else if (event.key === 'Escape') {
      this.open = false;
      this.renderRoot.querySelector<HTMLElement>('.tb')?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

define('sg-presets', SgPresets);
