/** `<sg-help>`: the keys of the page. Property: `model`. Keys: Esc closes. */
import { css, html, type TemplateResult } from 'lit';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgHelp extends SgElement {
  static override styles = [
    shared,
    css`
      dialog {
        inline-size: min(520px, calc(100vw - 32px));
        padding: 18px 22px 22px;
        border: 1px solid var(--line-2);
        border-radius: var(--r-l);
        background: var(--surface);
        color: var(--ink);
        box-shadow: var(--shadow-pop);
      }
      dialog::backdrop {
        background: var(--scrim);
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
      }
      h2 {
        margin: 0;
        font: 600 15px var(--ui);
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 7px 18px;
        margin: 14px 0 0;
        font-size: 12.5px;
      }
      dt {
        font: 600 12px var(--mono);
        white-space: nowrap;
      }
      dd {
        margin: 0;
        color: var(--ink-2);
      }
    `,
  ];

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    const { keys } = this.t;
    const rows: readonly (readonly [string, string])[] = [
      ['Space', keys.play],
      ['→ ← · L J', keys.step],
      ['Shift → Shift ←', keys.marker],
      ['Home End', keys.ends],
      ['[ ]', keys.speed],
      ['1 2 3 4', keys.tabs],
      ['A B', keys.lanes],
      ['← → · Alt ↑ ↓', keys.event],
      ['↑ ↓', keys.literal],
      ['I · R', keys.inject],
      ['O', keys.file],
      ['Ctrl/⌘ Enter', keys.run],
      ['T · ?', keys.theme],
      ['F6', keys.regions],
      ['Esc', keys.close],
    ];
    return html`<dialog aria-labelledby="title" @close=${this.#close} @cancel=${this.#close}>
      <header>
        <h2 id="title">${keys.title}</h2>
        <button type="button" class="tb" aria-label=${this.t.top.close} @click=${this.#close}>
          ${icon('cross')}
        </button>
      </header>
      <dl>${rows.map(([key, does]) => html`<dt>${key}</dt><dd>${does}</dd>`)}</dl>
    </dialog>`;
  }

  readonly #close = (): void => this.intent({ kind: 'help', open: false });
}

define('sg-help', SgHelp);
