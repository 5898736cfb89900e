/** `<sg-plan>`: the physical plan of each query, sink first, as EXPLAIN prints it. Property: `model`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { bytes } from '../i18n/format.ts';
import type { PlanNodeView } from '../model/explain.ts';
import { letterOf } from '../model/model.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

export class SgPlan extends SgElement {
  static override relaxed = true;
  static override properties = { ...SgElement.properties, copied: { state: true } };
  declare copied: number | undefined;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
      }
      h2 {
        margin: 0;
        font: 600 12px/1.3 var(--ui);
        color: var(--ink-2);
      }
      .head {
        display: flex;
        align-items: center;
        gap: 8px;
        font-weight: 600;
        font-size: 13px;
        margin-block-start: 12px;
      }
      ol {
        margin: 10px 0 18px;
        padding: 0;
        list-style: none;
        font-size: 12px;
      }
      li {
        position: relative;
        padding: 0 0 10px 20px;
        border-radius: var(--r-s);
      }
      li::before {
        content: '';
        position: absolute;
        inset-inline-start: 6px;
        inset-block: 14px -4px;
        inline-size: 1.5px;
        background: var(--line-2);
      }
      li:last-child::before {
        display: none;
      }
      li::after {
        content: '';
        position: absolute;
        inset-inline-start: 2px;
        inset-block-start: 5px;
        inline-size: 9px;
        block-size: 9px;
        border-radius: 50%;
        background: var(--surface);
        border: 1.5px solid var(--ink-3);
      }
      li.stateful::after {
        background: var(--ink);
        border-color: var(--ink);
        border-radius: 2px;
      }
      li.exchange::after {
        border-radius: 0;
        transform: rotate(45deg) scale(0.85);
      }
      li.hot {
        background: var(--surface-3);
      }
      .op {
        display: flex;
        align-items: center;
        gap: 6px;
        flex-wrap: wrap;
        font-weight: 600;
      }
      .mode {
        font: 600 10.5px var(--mono);
        padding: 1px 5px;
        border-radius: 4px;
        background: var(--ins-soft);
        color: var(--ins-ink);
      }
      .mode.u {
        background: var(--ua-soft);
        color: var(--ua-ink);
      }
      .bytes {
        margin-inline-start: auto;
        font: 500 11px var(--mono);
        color: var(--ink-2);
      }
      .args {
        margin-block-start: 3px;
        font: 400 11px/1.5 var(--mono);
        color: var(--ink-2);
        overflow-wrap: anywhere;
      }
      p {
        font-size: 12.5px;
        color: var(--ink-3);
      }
      .btn {
        margin-block: -8px 14px;
      }
    `,
  ];

  constructor() {
    super();
    this.copied = undefined;
  }

  override render(): TemplateResult {
    const { model, t } = this;
    const queries = model.recording.value?.queries ?? [];
    const two = queries.some((query) => query.plan.query.plan?.twoPhase === true);
    return html`<h2>${two ? t.plan.lead : t.plan.onePhase}</h2>
      ${queries.map((query, lane) => {
        const { plan } = query.plan.query;
        return html`<div class="head">
            <span class="ab" data-lane=${lane}>${letterOf(lane)}</span>${model.names.value[lane] ?? ''}
          </div>
          ${
            plan === null
              ? html`<p>${t.plan.none}</p>`
              : html`<ol>
                    ${plan.nodes.map((node) => this.#node(node, lane))}
                  </ol>
                  <button type="button" class="btn" @click=${() => this.#copy(lane, plan.explain)}>
                    ${icon(this.copied === lane ? 'check' : 'code')}${this.copied === lane ? t.plan.copied : t.plan.copy}
                  </button>`
          }`;
      })}`;
  }

  #node(node: PlanNodeView, lane: number): TemplateResult {
    const { model } = this;
    const track =
      node.operator === null
        ? undefined
        : model.recording.value?.queries[lane]?.tracks.operators.get(node.operator);
    const size = track?.bytes.at(model.view.value?.settledStep ?? -1);
    const hot = model.hotOperator.value;
    const isHot = hot?.query === lane && hot.operator === node.operator;
    const mode = node.mode.replace(/^\[|\]$/g, '');
    const hover = (on: boolean) => {
      const at =
        on && node.operator !== null ? { query: lane, operator: node.operator } : undefined;
      this.intent({ kind: 'hot-operator', at });
    };
    return html`<li
      class="${node.kind} ${isHot ? 'hot' : ''}"
      @pointerenter=${() => hover(true)}
      @pointerleave=${() => hover(false)}
    >
      <div class="op">
        ${node.name}${mode === '' ? nothing : html`<span class="mode ${mode === 'I' || mode === 'NONE' ? '' : 'u'}">[${mode}]</span>`}
        ${size === undefined || node.kind !== 'stateful' ? nothing : html`<span class="bytes">${bytes(size)}</span>`}
      </div>
      <div class="args">${node.args.map((arg) => html`<div>${arg}</div>`)}</div>
    </li>`;
  }

  #copy(lane: number, text: string): void {
    navigator.clipboard.writeText(text).then(
      () => {
        this.copied = lane;
      },
      () => {
        this.copied = undefined;
      },
    );
  }
}

define('sg-plan', SgPlan);
