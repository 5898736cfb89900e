/**
 * `<stream-glass>`: a replay within an article (ui.md 14). Keeps its height, takes no focus, stops when out
 * of view, and shows what it can before the engine has come.
 *
 * Attributes: `scenario`, `sql-a`, `sql-b`, `query`, `at`, `until`, `from`, `to`, `show`, `controls`,
 * `highlight`, `editable`, `lang`, `theme`, `caption`, `link`.
 * Properties: `position`, `replay` (read-only). Methods: `play`, `pause`, `step`, `seek`, `glide`, `unlock`,
 * `reset`. Events: `sg-ready`, `sg-step`, `sg-fire`, `sg-drop`, `sg-retract`, `sg-edit`, `sg-error`.
 * Parts: `box`, `head`, `sql`, `result`, `timeline`, `narration`, `transport`. Slot: what is shown without
 * scripts.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { count } from '../i18n/format.ts';
import { languageFrom, learn } from '../i18n/language.ts';
import type { StageOptions } from '../layout/stage.ts';
import { letterOf, Model } from '../model/model.ts';
import { toldAt } from '../model/narration.ts';
import { endOf } from '../model/playhead.ts';
import { positionFrom } from '../model/position.ts';
import type { Recording } from '../model/recording.ts';
import { boundOf } from '../model/workspace.ts';
import tokens from '../styles/tokens.css?inline';
import { define, formatsOf, SgElement } from './element.ts';
import { embedStyles } from './embed_styles.ts';
import { icon, logo } from './icon.ts';
import { narrated } from './narrate.ts';
import { shared } from './shared.ts';
import './sg-changelog.ts';
import './sg-narration.ts';
import './sg-sql.ts';
import './sg-timeline.ts';

/** What an embed asks of the page that defined it. */
export interface EmbedRun {
  readonly handle: (intent: Event) => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly step: (n: number) => void;
  readonly seek: (p: number) => void;
  readonly glide: (p: number, ms: number) => Promise<void>;
  readonly reset: () => void;
  readonly stop: () => void;
}

/** What an embed is to show. */
export interface EmbedWish {
  readonly scenario: string;
  readonly sql: readonly (string | undefined)[];
  readonly queries: readonly number[];
  readonly from: string | undefined;
  readonly to: string | undefined;
}

type Connect = (embed: StreamGlass, model: Model, wish: EmbedWish) => Promise<EmbedRun>;

type View = 'timeline' | 'sql' | 'result';

const STAGE: StageOptions = {
  tracks: false,
  scrubber: true,
  scrubberHeight: 42,
  gutter: 'narrow',
  right: 12,
};

/** The engine is loaded when the element is this near. */
const NEAR = '300px';

export class StreamGlass extends SgElement {
  static override properties = {
    ...SgElement.properties,
    scenario: { type: String },
    query: { type: String },
    at: { type: String },
    until: { type: String },
    show: { type: String },
    controls: { type: String },
    highlight: { type: String },
    editable: { type: Boolean },
    caption: { type: String },
    link: { type: String },
    theme: { type: String, reflect: true },
    chosen: { state: true },
    locked: { state: true },
    failure: { state: true },
  };
  declare scenario: string;
  declare query: string;
  declare at: string;
  declare until: string;
  declare show: string;
  declare controls: string;
  declare highlight: string;
  declare editable: boolean;
  declare caption: string;
  declare link: string;
  declare theme: string;
  declare chosen: View;
  declare locked: boolean;
  declare failure: string;

  /** Set by the module that has an engine. */
  static connect: Connect | undefined;

  static override styles = [unsafeCSS(tokens), shared, embedStyles, css``];

  #run: EmbedRun | undefined;
  #near: IntersectionObserver | undefined;
  #asked = false;
  #ready = false;
  #told = -2;

  constructor() {
    super();
    this.model = new Model();
    this.scenario = '';
    this.query = 'A';
    this.at = '';
    this.until = '';
    this.show = 'sql timeline result narration';
    this.controls = 'play step drag';
    this.highlight = '';
    this.editable = false;
    this.caption = '';
    this.link = '';
    this.theme = 'auto';
    this.chosen = 'timeline';
    this.locked = false;
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.locked = this.until !== '';
    this.#speak();
    this.addEventListener('sg-intent', this.#intended);
    this.#near = new IntersectionObserver(this.#seen, { rootMargin: NEAR });
    this.#near.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('sg-intent', this.#intended);
    this.#near?.disconnect();
    this.#run?.stop();
    this.#run = undefined;
    this.#asked = false;
    this.#ready = false;
  }

  /** Playhead. */
  get position(): number {
    return this.model.p.value;
  }

  /** The recorded replay, if there is one yet. */
  get replay(): Recording | undefined {
    return this.model.recording.value;
  }

  play(): void {
    this.#run?.play();
  }

  pause(): void {
    this.#run?.pause();
  }

  /** Steps by `n` events. */
  step(n = 1): void {
    this.#run?.step(n);
  }

  /** Goes to a position (ui.md 14). */
  seek(position: string | number): void {
    const p = this.#resolve(position);
    if (p !== undefined) this.#run?.seek(p);
  }

  /** Moves to a position. */
  async glide(position: string | number, ms = 620): Promise<void> {
    const p = this.#resolve(position);
    if (p !== undefined) await this.#run?.glide(p, ms);
  }

  /** Lets the transport pass `until`. */
  unlock(): void {
    this.locked = false;
    this.model.until.value = undefined;
  }

  /** Back to the original replay. */
  reset(): void {
    this.#run?.reset();
  }

  #resolve(position: string | number): number | undefined {
    if (typeof position === 'number') return position;
    const recording = this.replay;
    return recording === undefined ? undefined : positionFrom(recording, position);
  }

  #language(): 'en' | 'zh' {
    const own = this.getAttribute('lang');
    if (own !== null && own !== 'auto') return languageFrom(own);
    return languageFrom(this.closest('[lang]')?.getAttribute('lang') ?? navigator.language);
  }

  readonly #intended = (event: Event): void => this.#run?.handle(event);

  readonly #seen = (entries: readonly IntersectionObserverEntry[]): void => {
    const seen = entries.some((entry) => entry.isIntersecting);
    if (!seen) this.#run?.pause();
    if (!seen || this.#asked) return;
    this.#asked = true;
    StreamGlass.connect?.(this, this.model, this.#wish()).then(
      (run) => {
        if (this.isConnected) this.#run = run;
        else run.stop();
        this.requestUpdate();
      },
      (cause: unknown) => {
        this.#asked = false;
        this.failure = cause instanceof Error ? cause.message : String(cause);
        this.#say('sg-error', { message: this.failure });
      },
    );
  };

  #speak(): void {
    const language = this.#language();
    learn(language).then(
      () => {
        this.model.language.value = language;
      },
      () => undefined,
    );
  }

  #wish(): EmbedWish {
    const queries = this.query
      .split(',')
      .map((letter) => letter.trim().toUpperCase().charCodeAt(0) - 65)
      .filter((lane) => lane >= 0 && lane < 26);
    return {
      scenario: this.scenario,
      sql: [this.#text('sql-a'), this.#text('sql-b')],
      queries: queries.length === 0 ? [0] : queries,
      from: this.getAttribute('from') ?? undefined,
      to: this.getAttribute('to') ?? undefined,
    };
  }

  /** SQL from an attribute, or from the element of the page that it names. */
  #text(attribute: string): string | undefined {
    const value = this.getAttribute(attribute);
    if (value === null) return undefined;
    if (!value.startsWith('#')) return value;
    const named = this.ownerDocument.querySelector(value);
    const source = named instanceof HTMLTemplateElement ? named.content : named;
    return source?.textContent?.trim() ?? undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { model } = this;
    const recording = model.recording.value;
    if (recording === undefined || !recording.complete) return;
    if (!this.#ready && this.#run !== undefined) this.#start(recording);
    this.#tell(recording);
  }

  /** The replay is there: go to where the page wants it. */
  #start(recording: Recording): void {
    this.#ready = true;
    if (this.locked) this.model.until.value = positionFrom(recording, this.until);
    const p = positionFrom(recording, this.at);
    if (p !== undefined) this.#run?.seek(Math.min(p, endOf(recording.endStep)));
    this.#say('sg-ready', {});
  }

  #tell(recording: Recording): void {
    const step = this.model.step.value;
    if (step === this.#told) return;
    this.#told = step;
    const facts = toldAt(recording, this.model.lane.value, step);
    const narration = narrated(facts, this.t, formatsOf(this.model, this.t));
    this.#say('sg-step', { position: this.position, narration });
    const kinds = { fires: 'sg-fire', dropped: 'sg-drop', updates: 'sg-retract' } as const;
    for (const fact of facts) {
      if (fact.kind === 'fires' || fact.kind === 'dropped' || fact.kind === 'updates') {
        this.#say(kinds[fact.kind], fact);
      }
    }
  }

  #say(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  #shows(word: string): boolean {
    return this.show.split(/\s+/).includes(word);
  }

  #controls(word: string): boolean {
    return this.controls.split(/\s+/).includes(word);
  }

  override render(): TemplateResult {
    const { model } = this;
    const title =
      this.caption || (model.scenario.value?.title[model.language.value] ?? 'Streamglass');
    const lanes = model.workspace.value.queries.map((_, at) => at);
    const lane = model.lane.value;
    const result = this.#shows('result') || this.#shows('log');
    return html`<div class="box" part="box" data-view=${this.chosen} role="region" aria-label=${title}>
      <div class="head" part="head">
        ${logo(20)}<b>${title}</b><span class="grow"></span>
        ${lanes.length > 1 ? this.#lanes(lanes) : nothing}${this.#open()}
      </div>
      ${this.failure === '' ? nothing : html`<p class="failure" role="alert">${this.t.embed.failed(this.failure)}</p>`}
      ${this.#tabs()}
      ${
        this.#shows('sql')
          ? html`<sg-sql
              class="sql ${result ? '' : 'whole'}"
              part="sql"
              .model=${model}
              lane=${lane}
              ?fixed=${!this.editable}
              mark=${this.highlight}
            ></sg-sql>`
          : nothing
      }
      ${result ? this.#result(lane) : nothing}
      <div class="tl" part="timeline">
        <sg-timeline
          .model=${model}
          .options=${STAGE}
          solo
          .movable=${this.#controls('drag')}
        ></sg-timeline>
      </div>
      ${
        this.#shows('narration')
          ? html`<sg-narration class="say" part="narration" .model=${model} shown></sg-narration>`
          : nothing
      }
      ${this.#transport()}
      <slot hidden></slot>
    </div>`;
  }

  #lanes(lanes: readonly number[]): TemplateResult {
    const { model, t } = this;
    return html`<div class="seg" role="radiogroup" aria-label=${t.lane.queries}>
      ${lanes.map(
        (lane) => html`<button
          type="button"
          role="radio"
          aria-checked=${model.lane.value === lane}
          @click=${() => this.intent({ kind: 'lane', lane })}
        >
          ${letterOf(lane)}
        </button>`,
      )}
    </div>`;
  }

  #open(): TemplateResult | typeof nothing {
    const { t } = this;
    if (this.link === 'none') return nothing;
    const href = this.link === '' ? this.#playground() : this.link;
    return html`<a class="open" href=${href} title=${t.embed.openLong} aria-label=${t.embed.openLong}
      ><span>${t.embed.open}</span>${icon('external')}</a
    >`;
  }

  #playground(): string {
    return `./?scenario=${encodeURIComponent(this.scenario)}`;
  }

  #tabs(): TemplateResult {
    const { t } = this;
    const words = { timeline: t.views.timeline, sql: t.views.sql, result: t.views.result };
    const views: readonly View[] = ['timeline', 'sql', 'result'];
    return html`<div class="views" role="tablist" aria-label=${t.views.label}>
      ${views
        .filter((view) => view === 'timeline' || this.#shows(view))
        .map(
          (view) => html`<button
            type="button"
            role="tab"
            aria-selected=${this.chosen === view}
            @click=${() => {
              this.chosen = view;
            }}
          >
            ${words[view]}
          </button>`,
        )}
    </div>`;
  }

  #result(lane: number): TemplateResult {
    const { model, t } = this;
    const mode = model.recording.value?.queries[lane]?.plan.query.mode;
    return html`<div class="result" part="result">
      <div class="rh">
        <span>${t.lane.log}</span><span class="grow"></span>
        ${
          mode === undefined
            ? nothing
            : html`<span class="tag ${mode === 'append-only' ? 'plain' : 'ua'}">${t.mode[mode]}</span>`
        }
      </div>
      <sg-changelog .model=${model} lane=${lane}></sg-changelog>
    </div>`;
  }

  #transport(): TemplateResult {
    const { model, t } = this;
    const playing = model.playing.value;
    const last = model.recording.value?.endStep ?? -1;
    const until = model.until.value;
    const stopped =
      this.locked && until !== undefined && model.p.value >= until - 0.01 && until < endOf(last);
    const steps = this.#controls('step');
    return html`<div class="transport" part="transport">
      ${steps ? this.#button('back', t.transport.back) : nothing}
      ${
        this.#controls('play')
          ? html`<button
              type="button"
              class="play"
              ?disabled=${stopped}
              aria-label=${playing ? t.transport.pause : t.transport.play}
              @click=${() => this.intent({ kind: 'toggle' })}
            >
              ${icon(playing ? 'pause' : 'play')}
            </button>`
          : nothing
      }
      ${steps ? this.#button('step', t.transport.step, stopped) : nothing}
      <span class="rule"></span>
      <span class="count ${stopped ? 'lock' : ''}">${stopped ? t.embed.locked : this.#count()}</span>
      <span class="grow"></span>
      ${this.#controls('delay') ? this.#delay() : nothing}
    </div>`;
  }

  #button(kind: 'back' | 'step', label: string, disabled = false): TemplateResult {
    return html`<button
      type="button"
      aria-label=${label}
      ?disabled=${disabled}
      @click=${() => this.intent({ kind })}
    >
      ${icon(kind)}
    </button>`;
  }

  #count(): string {
    const { model, t } = this;
    const slots = model.recording.value?.slots ?? 0;
    return t.transport.event(
      count(Math.max(0, Math.min(slots, model.step.value + 1))),
      count(slots),
    );
  }

  #delay(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const source = model.recording.value?.opened.sources.find(
      (each) => each.outOfOrdernessMs !== null,
    );
    if (source === undefined) return nothing;
    const ms = boundOf(model.workspace.value, source, 0) ?? 0;
    const most = Math.max(60, Math.ceil(ms / 60_000) * 60);
    return html`<label class="delay"
      ><span>${t.timeline.outOfOrderness}</span
      ><input
        type="range"
        min="0"
        max=${most}
        .value=${String(ms / 1000)}
        style="--v:${(ms / 1000 / most) * 100}%"
        aria-label=${t.timeline.outOfOrderness}
        aria-valuetext=${t.length(ms)}
        @input=${(event: Event) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          const set = Number(event.target.value) * 1000;
          this.intent({ kind: 'declared-bound', source: source.source, ms: set });
        }}
      /><output>${t.length(ms)}</output></label
    >`;
  }
}

define('stream-glass', StreamGlass);
