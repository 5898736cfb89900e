/** What all elements share: signals that redraw them, texts of the language, intents. */
import { effect } from '@preact/signals-core';
import { html, LitElement, type TemplateResult } from 'lit';
import type { DrawFormats } from '../draw/words.ts';
import type { Messages } from '../i18n/en.ts';
import * as format from '../i18n/format.ts';
import { messages, type Piece, pieces } from '../i18n/language.ts';
import type { Intent } from '../model/intent.ts';
import type { Model } from '../model/model.ts';

/** Speed above which single steps are not read any more. */
const FAST = 2;
const RELAXED_MS = 125;

/**
 * An element that reads the model in `render` and is rendered again when a signal it read has changed.
 *
 * Events: `sg-intent` with an `Intent` as detail, bubbling out of shadow roots.
 */
export class SgElement extends LitElement {
  static override properties: Record<string, object> = { model: { attribute: false } };
  declare model: Model;

  /** Whether a few updates a second are enough while the replay runs fast. */
  static relaxed = false;

  #stop: (() => void) | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.#stop?.();
    let byLit = true;
    this.#stop = effect(() => {
      if (byLit) {
        byLit = false;
        super.performUpdate();
      } else this.#changed();
    });
  }

  #changed(): void {
    const { playing, speed } = this.model;
    const fast = playing.peek() && speed.peek() > FAST;
    const own = this.constructor;
    if (!(fast && own === Object(own) && Reflect.get(own, 'relaxed') === true)) {
      this.requestUpdate();
      return;
    }
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.requestUpdate();
    }, RELAXED_MS);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#stop = undefined;
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  /** Texts of the language. */
  get t(): Messages {
    return messages(this.model.language.value);
  }

  /** Says what a person means. */
  intent(intent: Intent): void {
    this.dispatchEvent(
      new CustomEvent('sg-intent', { detail: intent, bubbles: true, composed: true }),
    );
  }
}

/** Defines an element unless a page has it already. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}

/** Number and time formats for the replay at hand. */
export function formatsOf(model: Model, t: Messages): DrawFormats & { style: format.TimeStyle } {
  const recording = model.recording.value;
  const marks = recording?.marks ?? [];
  const table = model.marks.value;
  const from = Math.min(marks[0]?.atMs ?? 0, table?.fromMs ?? Number.POSITIVE_INFINITY);
  const to = Math.max(marks.at(-1)?.atMs ?? 0, table?.toMs ?? Number.NEGATIVE_INFINITY);
  const style = format.timeStyle(from, to);
  return {
    style,
    axis: style.axis,
    tight: style.tight,
    short: style.short,
    full: style.full,
    range: style.range,
    edge: style.edge,
    length: t.length,
    bytes: format.bytes,
    count: format.count,
    kind: format.kindText,
  };
}

/** A sentence with its marked parts set off. */
export function rich(sentence: string): TemplateResult[] {
  return pieces(sentence).map(richPiece);
}

function richPiece(piece: Piece): TemplateResult {
  switch (piece.tone) {
    case 'plain':
      return html`${piece.text}`;
    case 'strong':
      return html`<b>${piece.text}</b>`;
    case 'code':
      return html`<code>${piece.text}</code>`;
    case 'alarm':
      return html`<b class="alarm">${piece.text}</b>`;
    case 'good':
      return html`<b class="good">${piece.text}</b>`;
  }
}

/** Whether motion is to be left out. */
export function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
