/** `<sg-state-budget>`: what state costs, how it grows, who frees it. Property: `model`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import { sparkline } from '../draw/chart.ts';
import { svgFromList } from '../draw/svg.ts';
import { bytes, count } from '../i18n/format.ts';
import type { StateBill } from '../model/explain.ts';
import { letterOf } from '../model/model.ts';
import { verdictOf } from '../model/plan.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { mostBytes } from './sg-flow.ts';
import { shared } from './shared.ts';

export class SgStateBudget extends SgElement {
  static override relaxed = true;
  static override styles = [
    shared,
    css`
      :host {
        display: block;
      }
      p {
        margin: 0;
        font-size: 12.5px;
        line-height: 1.55;
        color: var(--ink-2);
      }
      .note {
        margin-block-start: 6px;
        font-size: 11.5px;
        color: var(--ink-3);
      }
      .bill {
        border: 1px solid var(--line);
        border-radius: var(--r-l);
        padding: 12px 14px;
        margin-block-start: 12px;
      }
      .head {
        display: flex;
        align-items: center;
        gap: 8px;
        font-weight: 600;
        font-size: 13px;
      }
      .head .title {
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .now {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 0 14px;
        align-items: end;
        margin-block-start: 8px;
      }
      .v {
        font: 600 24px/1.1 var(--display);
        letter-spacing: -0.02em;
        white-space: nowrap;
      }
      .u {
        font-size: 11.5px;
        color: var(--ink-3);
      }
      .now svg {
        inline-size: 100%;
        block-size: 44px;
        display: block;
      }
      .factors {
        display: flex;
        align-items: stretch;
        gap: 5px;
        margin-block-start: 10px;
      }
      .factors span {
        flex: 1;
        min-inline-size: 0;
        text-align: center;
        background: var(--surface-2);
        border-radius: 5px;
        padding: 5px 2px 4px;
        font: 600 13px/1.1 var(--mono);
      }
      .factors small {
        display: block;
        margin-block-start: 3px;
        font: 400 10.5px/1.15 var(--ui);
        color: var(--ink-3);
      }
      .factors i {
        align-self: center;
        font-style: normal;
        color: var(--ink-3);
      }
      .factors .grows,
      .factors .grows small {
        background: var(--alarm-soft);
        color: var(--alarm-ink);
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 4px 12px;
        margin: 10px 0 0;
        font-size: 12px;
      }
      dt {
        color: var(--ink-3);
      }
      dd {
        margin: 0;
        text-align: end;
        font-weight: 500;
      }
      .bad {
        color: var(--alarm-ink);
        font-weight: 600;
      }
      .good {
        color: var(--water-ink);
        font-weight: 600;
      }
      table {
        inline-size: 100%;
        border-collapse: collapse;
        font-size: 12px;
        margin-block-start: 14px;
      }
      th {
        font-weight: 500;
        color: var(--ink-3);
        text-align: end;
        padding: 4px 0;
        font-size: 11.5px;
      }
      tbody th {
        text-align: start;
        font-weight: 400;
        color: var(--ink-2);
        border-block-start: 1px solid var(--line);
      }
      td {
        text-align: end;
        padding: 5px 0;
        border-block-start: 1px solid var(--line);
        font-family: var(--mono);
        font-weight: 600;
      }
      thead td {
        border: 0;
      }
      .down {
        padding-block-start: 12px;
        border-block-start: 1px solid var(--line);
        margin-block-start: 12px;
      }
    `,
  ];

  override render(): TemplateResult {
    const { model, t } = this;
    const bills = model.explained.value?.bills ?? [];
    const recording = model.recording.value;
    if (recording === undefined) return html``;
    const flat = bills.flatMap((each, lane) => each.map((bill) => ({ lane, bill })));
    if (flat.length === 0) return html`<p>${t.state.none}</p>`;
    return html`<p>${t.state.lead}</p>
      ${flat.map(({ lane, bill }) => this.#bill(lane, bill))}
      <table>
        <thead>
          <tr>
            <td></td>
            <th scope="col">${t.state.day}</th>
            <th scope="col">${t.state.month}</th>
          </tr>
        </thead>
        <tbody>
          ${bills.map((each, lane) => this.#projection(lane, each))}
        </tbody>
      </table>
      <p class="note">${t.state.assume}</p>
      <dl class="down">
        ${recording.queries.map((query, lane) => this.#downstream(lane, query.plan.query.mode))}
      </dl>`;
  }

  #bill(lane: number, bill: StateBill): TemplateResult {
    const { t } = this;
    const grows = bill.verdict === 'unbounded';
    const tone = grows
      ? 'bad'
      : bill.verdict === 'ttl'
        ? 'ua'
        : bill.verdict === 'bounded'
          ? 'good'
          : 'plain';
    const language = this.model.language.value;
    const slope = `${bill.slopeBytesPerMinute > 0 ? '+' : ''}${bytes(bill.slopeBytesPerMinute)}`;
    return html`<section class="bill">
      <div class="head">
        <span class="ab" data-lane=${lane}>${letterOf(lane)}</span
        ><span class="title" title=${bill.name}>${bill.name}</span><span class="grow"></span>
        <span class="tag ${tone}"
          >${grows ? icon('infinity', 13) : tone === 'good' ? icon('lock', 13) : nothing}${t.state.verdicts[bill.verdict]}</span
        >
      </div>
      <div class="now">
        <div>
          <div class="v">${bytes(bill.bytes)}</div>
          <div class="u">${t.flow.entries(bill.entries, count(bill.entries))}</div>
        </div>
        ${this.#spark(lane, bill)}
      </div>
      ${
        bill.factors.length === 0
          ? nothing
          : html`<div class="factors">
        ${bill.factors.map(
          (factor, at) =>
            html`${at > 0 ? html`<i>×</i>` : nothing}<span class=${factor.grows ? 'grows' : ''}
                >${count(factor.value)}<small>${factor.label[language]}</small></span
              >`,
        )}
        <i>=</i><span>${count(bill.predictedBytes)}<small>${t.state.predicted}</small></span>
      </div>`
      }
      <dl>
        <dt>${t.state.measuredPeak}</dt>
        <dd>${bytes(bill.peakBytes)}</dd>
        <dt>${t.state.slope}</dt>
        <dd class=${grows ? 'bad' : 'good'}>${t.state.perMinute(slope)}</dd>
        <dt>${t.state.cleanup}</dt>
        <dd class=${bill.cleanup === 'never' ? 'bad' : bill.cleanup === 'watermark' ? 'good' : ''}>
          ${t.state.cleanups[bill.cleanup]}
        </dd>
      </dl>
    </section>`;
  }

  #spark(lane: number, bill: StateBill): TemplateResult {
    const { model } = this;
    const recording = model.recording.value;
    const track = recording?.queries[lane]?.tracks.operators.get(bill.operator);
    const view = model.view.value;
    if (recording === undefined || track === undefined || view === undefined) return html``;
    const grows = bill.verdict === 'unbounded';
    const items = sparkline(
      track.bytes,
      { x: 0, y: 3, w: 150, h: 38, steps: recording.endStep + 1, most: mostBytes(recording) },
      {
        step: view.settledStep,
        p: view.settledStep,
        ink: grows ? 'alarm' : 'water',
        area: grows ? 'kept-area' : 'water-fill-2',
      },
    );
    return html`<svg viewBox="0 0 150 44" preserveAspectRatio="none" aria-hidden="true" style=${styleMap({ overflow: 'visible' })}>
      ${unsafeSVG(svgFromList(items, `bill${lane}`))}
    </svg>`;
  }

  #projection(lane: number, bills: readonly StateBill[]): TemplateResult {
    const day = bills.reduce((sum, bill) => sum + bill.afterDayBytes, 0);
    const month = bills.reduce((sum, bill) => sum + bill.afterMonthBytes, 0);
    const plan = this.model.recording.value?.queries[lane]?.plan;
    const tone = plan !== undefined && verdictOf(plan) === 'unbounded' ? 'bad' : 'good';
    return html`<tr>
      <th scope="row">${letterOf(lane)}</th>
      <td class=${tone}>${bytes(day)}</td>
      <td class=${tone}>${bytes(month)}</td>
    </tr>`;
  }

  #downstream(lane: number, mode: string): TemplateResult {
    const { model, t } = this;
    const written = model.logLengths.value[lane] ?? 0;
    const events = Math.max(1, model.step.value + 1);
    const words =
      mode === 'append-only'
        ? t.state.appendDownstream
        : t.state.updateDownstream((written / events).toFixed(2));
    return html`<dt>${letterOf(lane)} → ${t.state.downstream}</dt>
      <dd>${words}</dd>`;
  }
}

define('sg-state-budget', SgStateBudget);
