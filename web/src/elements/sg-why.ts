/** `<sg-why>`: cards that state what happened or is awaited, why, and what can be tried. Property: `model`. */
import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { GLYPHS, type GlyphName, shapeOf } from '../draw/glyph.ts';
import { clock } from '../i18n/format.ts';
import type { WhyCard, WhyGauge, WhyMove } from '../model/explain.ts';
import { define, formatsOf, rich, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';

const ICONS: Readonly<Record<string, GlyphName>> = {
  'window-waits': 'hourglass',
  'no-watermark-yet': 'hourglass',
  'partition-idle-excluded': 'moon',
  'partition-unaligned': 'rewind',
  'late-dropped': 'cross',
  'late-counted': 'rewind',
  'queries-differ': 'differs',
  'bare-group-unbounded': 'infinity',
  'end-of-input': 'check',
};

export class SgWhy extends SgElement {
  static override relaxed = true;
  static override styles = [
    shared,
    css`
      :host {
        display: block;
      }
      h2 {
        margin: 0;
        font: 600 14.5px/1.35 var(--ui);
        letter-spacing: -0.006em;
      }
      h3 {
        margin: 14px 0 6px;
        font: 600 12px/1.3 var(--ui);
        color: var(--ink-2);
      }
      p {
        margin: 6px 0 0;
        font-size: 12.5px;
        line-height: 1.55;
        color: var(--ink-2);
      }
      p b {
        color: var(--ink);
      }
      .card {
        padding-block-end: 14px;
        margin-block-end: 14px;
        border-block-end: 1px solid var(--line);
      }
      .card:last-child {
        border: 0;
        margin: 0;
      }
      .line {
        display: flex;
        gap: 9px;
        align-items: flex-start;
      }
      .mark {
        inline-size: 22px;
        block-size: 22px;
        border-radius: 6px;
        display: grid;
        place-items: center;
        flex: none;
        background: var(--surface-3);
      }
      .mark.alarm {
        background: var(--alarm-soft);
        color: var(--alarm-ink);
      }
      .mark.wait {
        background: var(--ua-soft);
        color: var(--ua-ink);
      }
      .mark.fired {
        background: var(--water-soft);
        color: var(--water-ink);
      }
      .small h2 {
        font-size: 13px;
        padding-block-start: 2px;
      }
      .small p,
      .small .acts {
        margin-inline-start: 31px;
      }
      .acts {
        display: flex;
        gap: 6px;
        margin-block-start: 9px;
        flex-wrap: wrap;
      }
      .gauge {
        margin: 12px 0 0;
      }
      .gauge svg {
        display: block;
        inline-size: 100%;
        font-family: var(--ui);
      }
      .gauge text {
        font-size: 11px;
        fill: var(--ink-2);
      }
      .gauge .mono-t {
        font: 500 11px var(--mono);
        fill: var(--ink);
      }
      .gauge .end {
        text-anchor: end;
        font-size: 10.5px;
      }
      .gauge .mid {
        text-anchor: middle;
      }
      .gauge .holds {
        fill: var(--ua-ink);
        font-weight: 600;
      }
      .gauge .passed {
        fill: var(--water-ink);
      }
      .moves {
        display: grid;
        gap: 1px;
        border: 1px solid var(--line);
        border-radius: var(--r-m);
        overflow: hidden;
        background: var(--line);
      }
      .moves button {
        display: grid;
        grid-template-columns: 128px 1fr;
        gap: 10px;
        align-items: center;
        padding: 7px 10px;
        background: var(--surface);
        font-size: 12px;
        text-align: start;
        line-height: 1.35;
      }
      .moves button:hover {
        background: var(--surface-2);
      }
      .moves button:focus-visible {
        outline-offset: -2px;
      }
      .moves b {
        text-decoration: underline;
        text-decoration-color: var(--ink-4);
        text-underline-offset: 3px;
      }
      .moves span {
        color: var(--ink-2);
      }
    `,
  ];

  override render(): TemplateResult {
    const { model, t } = this;
    const cards = model.explained.value?.cards ?? [];
    if (cards.length === 0) {
      return html`<h2>${t.panel.nothing}</h2>
        <p>${t.panel.nothingBody}</p>`;
    }
    return html`${repeat(
      cards,
      (card, at) => `${card.id}:${at}`,
      (card) => this.#card(card),
    )}`;
  }

  #card(card: WhyCard): TemplateResult {
    const { t } = this;
    const language = this.model.language.value;
    const large = card.gauge !== null || card.tone === 'fired';
    return html`<section class="card ${large ? '' : 'small'}">
      <div class="line">
        <span class="mark ${card.tone}">${icon(iconOf(card), 14)}</span>
        <h2>${rich(card.heading[language])}</h2>
      </div>
      <p>${rich(card.body[language])}</p>
      ${card.gauge === null ? nothing : this.#gauge(card.gauge)}
      ${card.moves.length === 0 ? nothing : card.gauge === null ? this.#buttons(card.moves) : html`<h3>${t.panel.release}</h3>${this.#moves(card.moves)}`}
    </section>`;
  }

  #buttons(moves: readonly WhyMove[]): TemplateResult {
    const language = this.model.language.value;
    return html`<div class="acts">
      ${moves.map(
        (move) => html`<button
          type="button"
          class="btn"
          title=${move.effect[language]}
          @click=${() => this.intent({ kind: 'move', act: move.act })}
        >
          ${move.label[language]}
        </button>`,
      )}
    </div>`;
  }

  #moves(moves: readonly WhyMove[]): TemplateResult {
    const language = this.model.language.value;
    return html`<div class="moves">
      ${moves.map(
        (move) => html`<button
          type="button"
          @click=${() => this.intent({ kind: 'move', act: move.act })}
        >
          <b>${rich(move.label[language])}</b><span>${rich(move.effect[language])}</span>
        </button>`,
      )}
    </div>`;
  }

  #gauge(gauge: WhyGauge): TemplateResult {
    const { t } = this;
    const { axis } = formatsOf(this.model, t);
    const known = gauge.partitions.flatMap((each) => each.watermarkMs ?? []);
    const least = Math.min(gauge.needMs, ...known);
    const most = Math.max(gauge.needMs, ...known);
    const span = Math.max(1000, most - least, 60_000);
    const from = Math.min(gauge.needMs - span, least - span * 0.1);
    const to = gauge.needMs + span * 0.5;
    const shown = gauge.partitions.slice(0, 8);
    const words = shown.map((each) => (each.watermarkMs === null ? '—' : axis(each.watermarkMs)));
    // The bars end where the longest watermark begins; where hours matter, they are written.
    const longest = Math.max(...words.map((text) => text.length), 5);
    const need = clock(gauge.needMs).slice(longest > 5 ? 0 : 3);
    const x0 = 44;
    const x1 = 257 - longest * 7;
    const xOf = (ms: number) =>
      x0 + Math.max(0, Math.min(1, (ms - from) / (to - from))) * (x1 - x0);
    const needX = xOf(gauge.needMs);
    const height = 32 + shown.length * 21 - 7;
    return html`<div class="gauge">
      <svg viewBox="0 0 306 ${height}" role="img" aria-label=${t.panel.gauge(clock(gauge.needMs))}>
        ${shown.map((each, at) => {
          const y = 32 + at * 21;
          const fill =
            each.status === 'holds' ? 'ua' : each.status === 'passed' ? 'water' : 'ink-4';
          const out = each.status === 'idle' || each.status === 'outside';
          const width = each.watermarkMs === null ? 4 : Math.max(4, xOf(each.watermarkMs) - x0);
          return svg`<path d=${GLYPHS[shapeOf(at)].path} transform="translate(1 ${y - 6})" fill="none" stroke="var(--ink-2)" stroke-width="1.4" />
            <text class="mono-t" x="18" y=${y + 4}>p${each.partition}</text>
            <rect x=${x0} y=${y - 4} width=${x1 - x0} height="8" rx="4" fill="var(--surface-3)" />
            <rect x=${x0} y=${y - 4} width=${width} height="8" rx="4" fill="var(--${fill})" opacity=${out ? 0.35 : 1} />
            <text class="mono-t" x=${x1 + 8} y=${y + 4}>${words[at]}</text>
            <text class="end ${each.status}" x="306" y=${y + 4}>${t.panel[each.status]}</text>`;
        })}
        <path
          d="M${needX} 17V${height - 2}"
          stroke="var(--ink)"
          stroke-width="1.25"
          stroke-dasharray="3 2"
        />
        <text class="mono-t mid" x=${needX} y="11">≥ ${need}</text>
      </svg>
    </div>`;
  }
}

function iconOf(card: WhyCard): GlyphName {
  return card.tone === 'fired' ? 'lock' : (ICONS[card.id] ?? 'why');
}

define('sg-why', SgWhy);
