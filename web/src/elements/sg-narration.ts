/**
 * `<sg-narration>`: one sentence per step. Property: `model`; `shown`, whether it is seen or only spoken.
 * While playing it speaks of firings, drops and retractions alone, at most once every two seconds.
 */
import { css, html, type TemplateResult } from 'lit';
import { plain } from '../i18n/language.ts';
import { grave, toldAt } from '../model/narration.ts';
import { define, formatsOf, rich, SgElement } from './element.ts';
import { narrated } from './narrate.ts';
import { shared } from './shared.ts';

const APART_MS = 2000;

export class SgNarration extends SgElement {
  static override relaxed = true;
  static override properties = { ...SgElement.properties, shown: { type: Boolean } };
  declare shown: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: block;
        color: var(--ink-2);
        font-size: 12.5px;
        line-height: 1.5;
      }
      p {
        margin: 0;
      }
      p b {
        color: var(--ink);
      }
    `,
  ];

  #spoken = '';
  #spokenAt = 0;

  constructor() {
    super();
    this.shown = false;
  }

  override render(): TemplateResult {
    const { model, t } = this;
    void model.grown.value;
    const recording = model.recording.value;
    if (recording === undefined) return html``;
    const step = model.step.value;
    const facts = toldAt(recording, model.lane.value, step);
    const playing = model.playing.value;
    const formats = formatsOf(model, t);
    const told = playing ? facts.filter(grave) : facts;
    const now = performance.now();
    const due = told.length > 0 && (!playing || now - this.#spokenAt > APART_MS);
    if (due && model.speaking.value) {
      this.#spoken = plain(narrated(told, t, formats));
      this.#spokenAt = now;
    }
    return html`${this.shown ? html`<p>${rich(narrated(facts, t, formats))}</p>` : ''}
      <div class="sr" role="status" aria-live="polite">${model.speaking.value ? this.#spoken : ''}</div>`;
  }
}

define('sg-narration', SgNarration);
