/** `<sg-side-panel>`: Why?, State budget, Plan, Sinks as tabs. Property: `model`. Keys: ← → between tabs. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { sinkWords } from '../i18n/sinks.ts';
import type { Tab } from '../model/model.ts';
import { define, SgElement } from './element.ts';
import { unresolved } from './sg-top-bar.ts';
import { shared } from './shared.ts';
import './sg-plan.ts';
import './sg-sinks.ts';
import './sg-state-budget.ts';
import './sg-why.ts';

const TABS: readonly Tab[] = ['why', 'state', 'plan', 'sinks'];

export class SgSidePanel extends SgElement {
  static override relaxed = true;
  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        grid-template-rows: 40px minmax(0, 1fr);
        min-block-size: 0;
        min-inline-size: 0;
        background: var(--surface);
      }
      .tabs {
        display: flex;
        gap: 2px;
        padding: 0 8px;
        border-block-end: 1px solid var(--line);
        align-items: stretch;
      }
      .tabs button {
        position: relative;
        padding: 0 10px;
        font-size: 12.5px;
        font-weight: 500;
        color: var(--ink-3);
        display: flex;
        align-items: center;
        gap: 6px;
        white-space: nowrap;
      }
      .tabs button[aria-selected='true'] {
        color: var(--ink);
        font-weight: 600;
      }
      .tabs button[aria-selected='true']::after {
        content: '';
        position: absolute;
        inset-inline: 10px;
        inset-block-end: -1px;
        block-size: 2px;
        background: var(--ink);
        border-radius: 2px 2px 0 0;
      }
      .panel {
        padding: var(--s4);
        outline-offset: -2px;
      }
    `,
  ];

  override render(): TemplateResult {
    const { model, t } = this;
    const tab = model.tab.value;
    const open = unresolved(model.explained.value?.cards ?? []);
    return html`<div class="tabs" role="tablist" aria-label=${t.panel.label} @keydown=${this.#key}>
        ${TABS.map(
          (each) => html`<button
            type="button"
            role="tab"
            id="tab-${each}"
            aria-selected=${each === tab}
            aria-controls="panel"
            tabindex=${each === tab ? 0 : -1}
            @click=${() => this.intent({ kind: 'tab', tab: each })}
          >
            ${each === 'sinks' ? sinkWords(model.language.value).tab : t.panel[each]}${each === 'why' && open > 0 ? html`<span class="cnt">${open}</span>` : nothing}
          </button>`,
        )}
      </div>
      <div
        class="panel scroll"
        id="panel"
        role="tabpanel"
        tabindex="0"
        aria-labelledby="tab-${tab}"
      >
        ${this.#content(tab)}
      </div>`;
  }

  #content(tab: Tab): TemplateResult {
    const { model } = this;
    switch (tab) {
      case 'why':
        return html`<sg-why .model=${model}></sg-why>`;
      case 'state':
        return html`<sg-state-budget .model=${model}></sg-state-budget>`;
      case 'plan':
        return html`<sg-plan .model=${model}></sg-plan>`;
      case 'sinks':
        return html`<sg-sinks .model=${model}></sg-sinks>`;
    }
  }

  readonly #key = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = TABS.indexOf(this.model.tab.value);
    const tab = TABS[(at + step + TABS.length) % TABS.length] ?? 'why';
    this.intent({ kind: 'tab', tab });
    event.preventDefault();
    event.stopPropagation();
    this.updateComplete.then(
      () => this.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus(),
      () => undefined,
    );
  };
}

define('sg-side-panel', SgSidePanel);
