/**
 * `<sg-transport>`: step, play, speed, the partitions, inject. Property: `model`.
 * Keys of the page: Space, ← →, [ ], I, R (ui.md 8).
 */
import { css, html, nothing, type TemplateResult } from 'lit';
import { count } from '../i18n/format.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { shared } from './shared.ts';
import './sg-inject.ts';
import './sg-partition.ts';

const SPEED_WORDS: Readonly<Record<string, string>> = { '0.25': '¼×', '0.5': '½×' };
const SLOW_SPEEDS = [0.25, 0.5, 1, 4] as const;
const FAST = 16;
/** Cards that stand side by side; more partitions are opened as a list. */
const CARDS = 4;
const CARDS_OF_MANY = 3;

export class SgTransport extends SgElement {
  static override relaxed = true;
  static override properties = {
    ...SgElement.properties,
    listing: { state: true },
  };
  declare listing: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 14px;
        min-block-size: 62px;
        padding: 0 16px 0 14px;
        border-block-start: 1px solid var(--line);
        background: var(--surface);
        position: relative;
        z-index: 3;
      }
      .ctl {
        display: flex;
        align-items: center;
        gap: 2px;
      }
      .ctl button {
        display: grid;
        place-items: center;
        inline-size: 32px;
        block-size: 32px;
        border-radius: var(--r-m);
        color: var(--ink-2);
      }
      .ctl button:hover {
        background: var(--surface-3);
        color: var(--ink);
      }
      .ctl .play {
        inline-size: 40px;
        block-size: 40px;
        border-radius: 50%;
        background: var(--ink);
        color: var(--surface);
        margin: 0 4px;
      }
      .ctl .play:hover {
        background: var(--ink);
        color: var(--surface);
        opacity: 0.88;
      }
      .speed button {
        font: 500 11.5px var(--mono);
        color: var(--ink-3);
      }
      .speed button[aria-checked='true'] {
        background: var(--surface-3);
        color: var(--ink);
        font-weight: 600;
      }
      .at {
        font-size: 12px;
        color: var(--ink-3);
        white-space: nowrap;
      }
      .parts {
        display: flex;
        flex: 1;
        gap: 10px;
        justify-content: flex-end;
        min-inline-size: 0;
      }
      .all {
        position: absolute;
        inset-block-end: 66px;
        inset-inline-end: 150px;
        z-index: 6;
        display: grid;
        gap: 8px;
        max-block-size: 50vh;
        overflow: auto;
        padding: 12px;
        inline-size: 340px;
        background: var(--surface);
        border: 1px solid var(--line-2);
        border-radius: var(--r-l);
        box-shadow: var(--shadow-pop);
      }
      @media (max-width: 1180px) {
        :host {
          flex-wrap: wrap;
          gap: 8px 12px;
          padding: 8px 14px;
        }
        .parts {
          order: 9;
          flex-basis: 100%;
          justify-content: stretch;
        }
        sg-partition {
          max-inline-size: none;
        }
        sg-inject {
          margin-inline-start: auto;
        }
      }
      @media (max-width: 760px) {
        :host {
          padding: 6px 10px calc(6px + env(safe-area-inset-bottom));
          gap: 6px 10px;
        }
        .speed,
        .reset span {
          display: none;
        }
        .ctl button {
          inline-size: 44px;
          block-size: 44px;
        }
        .ctl .play {
          inline-size: 48px;
          block-size: 48px;
        }
        .at {
          flex: 1;
          text-align: end;
        }
        .parts {
          order: -1;
          overflow-x: auto;
          scrollbar-width: none;
          gap: 8px;
          display: none;
          justify-content: flex-start;
        }
        :host([data-view='timeline']) .parts {
          display: flex;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.listing = false;
  }

  override render(): TemplateResult {
    const { model, t } = this;
    const recording = model.recording.value;
    const step = model.step.value;
    const playing = model.playing.value;
    const events = recording?.slots ?? 0;
    return html`<div class="ctl" role="group" aria-label=${t.transport.label}>
        ${this.#button('start', 'start', t.transport.toStart)}
        ${this.#button('back', 'back', t.transport.back)}
        <button
          type="button"
          class="play"
          aria-label=${playing ? t.transport.pause : t.transport.play}
          title=${playing ? t.transport.pause : t.transport.play}
          @click=${() => this.intent({ kind: 'toggle' })}
        >
          ${icon(playing ? 'pause' : 'play', 18)}
        </button>
        ${this.#button('step', 'step', t.transport.step)}
      </div>
      ${this.#speeds()}
      <span class="at">${t.transport.event(count(Math.max(0, Math.min(events, step + 1))), count(events))}</span>
      ${
        model.edited.value
          ? html`<button
              type="button"
              class="tb reset"
              title=${t.transport.resetLong}
              aria-label=${t.transport.resetLong}
              @click=${() => this.intent({ kind: 'reset' })}
            >
              ${icon('rewind')}<span>${t.transport.reset}</span>
            </button>`
          : nothing
      }
      <div class="parts">${this.#cards()}</div>
      <sg-inject .model=${model}></sg-inject>`;
  }

  #button(kind: 'start' | 'back' | 'step', glyph: 'start' | 'back' | 'step', label: string) {
    return html`<button type="button" aria-label=${label} title=${label} @click=${() => this.intent({ kind })}>
      ${icon(glyph)}
    </button>`;
  }

  #speeds(): TemplateResult {
    const { model, t } = this;
    const speed = model.speed.value;
    return html`<div class="seg speed" role="radiogroup" aria-label=${t.transport.speed} @keydown=${this.#speedKey}>
      ${SLOW_SPEEDS.map((each) => this.#speed(each, SPEED_WORDS[String(each)] ?? `${each}×`, each === speed))}
      ${this.#fast(speed)}
    </div>`;
  }

  #speed(each: number, words: string, chosen: boolean, title = words): TemplateResult {
    return html`<button
      type="button"
      role="radio"
      aria-checked=${chosen}
      aria-label=${title}
      tabindex=${chosen ? 0 : -1}
      title=${title}
      @click=${() => this.intent({ kind: 'speed', speed: each })}
    >
      ${words}
    </button>`;
  }

  /** The last button goes through the speeds beyond: 16, as fast as possible. */
  #fast(speed: number): TemplateResult {
    const { t } = this;
    if (speed === FAST) return this.#speed(Number.POSITIVE_INFINITY, '16×', true, '16×');
    if (speed > FAST) return this.#speed(FAST, t.transport.fastest, true, t.transport.fastestLong);
    return this.#speed(FAST, '»', false, '16×');
  }

  readonly #speedKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') this.intent({ kind: 'faster' });
    else if (event.key === 'ArrowLeft') this.intent({ kind: 'slower' });
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.updateComplete.then(
      () => this.renderRoot.querySelector<HTMLElement>('.speed [tabindex="0"]')?.focus(),
      () => undefined,
    );
  };

  #cards(): TemplateResult[] | TemplateResult {
    const { model, t } = this;
    const all = model.partitions.value.map((partition, index) => ({ partition, index }));
    if (all.length <= CARDS) return all.map(({ index }) => this.#card(index));
    const slowest = [...all].sort((a, b) => weight(a.partition) - weight(b.partition));
    const shown = slowest.slice(0, CARDS_OF_MANY);
    return html`${shown.map(({ index }) => this.#card(index))}
      <button
        type="button"
        class="btn"
        aria-expanded=${this.listing}
        title=${t.transport.allPartitions}
        @click=${() => {
          this.listing = !this.listing;
        }}
      >
        ${t.transport.more(all.length - shown.length)}
      </button>
      ${
        this.listing
          ? html`<div class="all" role="group" aria-label=${t.transport.allPartitions}>
              ${slowest.map(({ index }) => this.#card(index))}
            </div>`
          : nothing
      }`;
  }

  #card(index: number): TemplateResult {
    return html`<sg-partition .model=${this.model} index=${index}></sg-partition>`;
  }
}

/** The holder first, then by watermark, idle ones last. */
function weight(partition: {
  holder: boolean;
  idle: boolean;
  watermarkMs: number | undefined;
}): number {
  if (partition.holder) return Number.NEGATIVE_INFINITY;
  if (partition.idle) return Number.POSITIVE_INFINITY;
  return partition.watermarkMs ?? Number.MIN_SAFE_INTEGER;
}

define('sg-transport', SgTransport);
