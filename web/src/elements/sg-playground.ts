/**
 * `<sg-playground>`: the whole page. Lays the parts out for wide screens, tablets and phones, and listens
 * for the keys of ui.md 8. Property: `model`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { count } from '../i18n/format.ts';
import { languageFrom } from '../i18n/language.ts';
import { letterOf, type PhoneView } from '../model/model.ts';
import { NO_PLAN, verdictOf } from '../model/plan.ts';
import { define, SgElement } from './element.ts';
import { icon } from './icon.ts';
import { pageKey } from './page_keys.ts';
import { shared } from './shared.ts';
import './sg-file.ts';
import './sg-help.ts';
import './sg-lane.ts';
import './sg-narration.ts';
import './sg-side-panel.ts';
import './sg-stage.ts';
import './sg-top-bar.ts';
import './sg-transport.ts';
import { unresolved } from './sg-top-bar.ts';

const PHONE_VIEWS: readonly PhoneView[] = ['sql', 'timeline', 'flow', 'result', 'side'];

export class SgPlayground extends SgElement {
  static override properties = { ...SgElement.properties, phone: { state: true } };
  declare phone: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: grid;
        block-size: 100vh;
        block-size: 100dvh;
        grid-template: 44px auto minmax(0, 1fr) auto / minmax(0, 1fr) 340px;
        background: var(--line);
      }
      sg-top-bar,
      sg-transport,
      .head {
        grid-column: 1/-1;
      }
      .head {
        grid-row: 2;
        min-inline-size: 0;
      }
      .banner {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 8px 16px;
        background: var(--alarm-soft);
        color: var(--alarm-ink);
        font-size: 12.5px;
        border-block-end: 1px solid var(--line);
      }
      .banner.plain {
        background: var(--surface-2);
        color: var(--ink-2);
      }
      .banner .btn {
        color: var(--ink);
      }
      .work {
        grid-row: 3;
        display: grid;
        grid-template-rows: auto auto minmax(0, 1fr);
        min-block-size: 0;
        min-inline-size: 0;
        border-inline-end: 1px solid var(--line);
        background: var(--surface);
      }
      .work.one {
        grid-template-rows: auto minmax(0, 1fr);
      }
      sg-side-panel {
        grid-row: 3;
        grid-column: 2;
      }
      sg-transport {
        grid-row: 4;
      }
      .views,
      .lanes,
      .scrim {
        display: none;
      }
      .dimmed {
        opacity: 0.6;
      }
      .lanes button {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 0 10px 0 8px;
        block-size: 32px;
        border: 1px solid var(--line);
        border-radius: var(--r-m);
        font-size: 12.5px;
        font-weight: 500;
        color: var(--ink-2);
        min-inline-size: 0;
      }
      .lanes button > span.title {
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .lanes button[aria-checked='true'] {
        border-color: var(--ink);
        color: var(--ink);
      }
      @media (max-width: 1180px) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
        .work {
          border: 0;
        }
        .lanes {
          display: flex;
          gap: 8px;
          padding: 8px 14px;
          border-block-end: 1px solid var(--line);
        }
        sg-side-panel {
          position: fixed;
          inset-inline-end: 0;
          inset-block: 44px 0;
          inline-size: 340px;
          max-inline-size: 92vw;
          z-index: 8;
          box-shadow: var(--shadow-pop);
          transform: translateX(105%);
          visibility: hidden;
          transition:
            transform var(--m-base) var(--ease),
            visibility var(--m-base);
        }
        sg-side-panel.open {
          transform: none;
          visibility: visible;
        }
        .scrim.open {
          display: block;
          position: fixed;
          inset: 44px 0 0;
          z-index: 7;
          background: var(--scrim);
          inline-size: 100%;
        }
        sg-lane:not(.shown) {
          display: none;
        }
      }
      @media (min-width: 1181px) and (max-height: 819px) {
        :host {
          block-size: 820px;
        }
        sg-transport {
          position: sticky;
          inset-block-end: 0;
        }
      }
      @media (min-width: 761px) and (max-width: 1180px) and (max-height: 699px) {
        :host {
          block-size: 700px;
        }
        sg-transport {
          position: sticky;
          inset-block-end: 0;
        }
      }
      @media (max-width: 760px) {
        :host {
          grid-template: 44px auto 40px minmax(0, 1fr) auto / minmax(0, 1fr);
        }
        nav {
          grid-row: 3;
          min-inline-size: 0;
        }
        .views {
          block-size: 40px;
          display: flex;
          border-block-end: 1px solid var(--line);
          padding: 0 4px;
          overflow-x: auto;
          scrollbar-width: none;
          background: var(--surface);
        }
        .views button {
          flex: 1;
          padding: 0 8px;
          font-size: 12.5px;
          font-weight: 500;
          color: var(--ink-3);
          white-space: nowrap;
          position: relative;
        }
        .views button[aria-selected='true'] {
          color: var(--ink);
          font-weight: 600;
        }
        .views button[aria-selected='true']::after {
          content: '';
          position: absolute;
          inset-inline: 8px;
          inset-block-end: 0;
          block-size: 2px;
          background: var(--ink);
        }
        .work {
          grid-row: 4;
          grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
        }
        .work > * {
          display: none;
        }
        :host([data-view='timeline']) sg-stage {
          display: grid;
          grid-row: 1/3;
        }
        :host([data-view='sql']) .lanes,
        :host([data-view='result']) .lanes {
          display: flex;
          gap: 6px;
          padding: 10px 12px 4px;
        }
        .lanes .tag {
          display: none;
        }
        .lanes button {
          flex: 1;
          block-size: 44px;
        }
        :host([data-view='sql']) sg-lane.shown,
        :host([data-view='result']) sg-lane.shown {
          display: block;
        }
        :host([data-view='flow']) .work {
          display: block;
          overflow: auto;
        }
        :host([data-view='flow']) sg-lane {
          display: block;
        }
        :host([data-view='side']) .work {
          display: none;
        }
        sg-side-panel {
          display: none;
          grid-row: 4;
          grid-column: 1;
          position: static;
          inline-size: auto;
          max-inline-size: none;
          transform: none;
          visibility: visible;
          box-shadow: none;
          transition: none;
        }
        :host([data-view='side']) sg-side-panel {
          display: grid;
        }
        .scrim.open {
          display: none;
        }
        sg-transport {
          grid-row: 5;
        }
      }
    `,
  ];

  readonly #narrow = matchMedia('(max-width: 760px)');

  constructor() {
    super();
    this.phone = this.#narrow.matches;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#key);
    this.#narrow.addEventListener('change', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#key);
    this.#narrow.removeEventListener('change', this.#resized);
  }

  readonly #resized = (): void => {
    this.phone = this.#narrow.matches;
  };

  readonly #key = (event: KeyboardEvent): void => pageKey(this, event);

  override render(): TemplateResult {
    const { model } = this;
    const lanes = model.workspace.value.queries.map((_, lane) => lane);
    const view = model.phoneView.value;
    const dimmed = model.stale.value || model.engine.value.kind === 'stopped';
    return html`<sg-top-bar .model=${model} role="banner"></sg-top-bar>
      <div class="head">
        ${model.dropping.value ? html`<div class="banner plain" role="status">${this.t.file.drop}</div>` : nothing}
        ${this.#banner()}${model.file.value === undefined ? nothing : html`<sg-file .model=${model}></sg-file>`}
      </div>
      <nav aria-label=${this.t.views.label}>
        <div class="views" role="tablist" aria-label=${this.t.views.label}>
          ${PHONE_VIEWS.map((each) => this.#viewTab(each))}
        </div>
      </nav>
      <main class="work ${lanes.length < 2 ? 'one' : ''}">
        ${lanes.length > 1 ? this.#laneSwitch(lanes) : nothing}
        ${lanes.map(
          (lane) => html`<sg-lane
            .model=${model}
            lane=${lane}
            data-part=${this.phone ? partFor(view) : 'all'}
            ?alone=${lanes.length === 1}
            class="${model.shownLane.value === lane || lanes.length === 1 ? 'shown' : ''} ${dimmed ? 'dimmed' : ''}"
            role="region"
            aria-label=${this.t.lane.query(letterOf(lane))}
          ></sg-lane>`,
        )}
        <sg-stage .model=${model} class=${dimmed ? 'dimmed' : ''}></sg-stage>
      </main>
      <sg-side-panel
        .model=${model}
        class=${model.drawer.value ? 'open' : ''}
        role=${this.phone && view === 'side' ? 'main' : 'complementary'}
        aria-label=${this.t.panel.label}
      ></sg-side-panel>
      <button
        type="button"
        class="scrim ${model.drawer.value ? 'open' : ''}"
        tabindex="-1"
        aria-label=${this.t.top.close}
        @click=${() => this.intent({ kind: 'drawer', open: false })}
      ></button>
      <sg-transport .model=${model} data-view=${view} role="contentinfo"></sg-transport>
      <sg-narration .model=${model}></sg-narration>
      ${model.help.value ? html`<sg-help .model=${model}></sg-help>` : nothing}`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.dataset['view'] = this.model.phoneView.value;
  }

  #viewTab(view: PhoneView): TemplateResult {
    const { model, t } = this;
    const words = view === 'side' ? t.views.why : t.views[view];
    const open = view === 'side' ? unresolved(model.explained.value?.cards ?? []) : 0;
    return html`<button
      type="button"
      role="tab"
      aria-selected=${model.phoneView.value === view}
      @click=${() => this.intent({ kind: 'phone-view', view })}
    >
      ${words}${open > 0 ? html` <span class="cnt">${open}</span>` : nothing}
    </button>`;
  }

  #laneSwitch(lanes: readonly number[]): TemplateResult {
    const { model, t } = this;
    return html`<div class="lanes" role="radiogroup" aria-label=${t.lane.queries}>
      ${lanes.map((lane) => {
        const plan = model.recording.value?.queries[lane]?.plan ?? NO_PLAN;
        return html`<button
          type="button"
          role="radio"
          aria-checked=${model.shownLane.value === lane}
          @click=${() => this.intent({ kind: 'show-lane', lane })}
        >
          <span class="ab" data-lane=${lane}>${letterOf(lane)}</span
          ><span class="title">${model.names.value[lane]}</span>${plan === NO_PLAN ? nothing : this.#verdict(verdictOf(plan))}
        </button>`;
      })}
    </div>`;
  }

  #verdict(verdict: ReturnType<typeof verdictOf>): TemplateResult {
    const { t } = this;
    switch (verdict) {
      case 'bounded':
        return html`<span class="tag good">${icon('lock', 13)}${t.lane.bounded}</span>`;
      case 'unbounded':
        return html`<span class="tag bad">${icon('infinity', 13)}${t.lane.unbounded}</span>`;
      case 'ttl':
        return html`<span class="tag ua">${icon('hourglass', 13)}${t.lane.ttl}</span>`;
      case 'stateless':
        return html`<span class="tag plain">${t.lane.stateless}</span>`;
    }
  }

  #banner(): TemplateResult | typeof nothing {
    const { model, t } = this;
    const engine = model.engine.value;
    if (engine.kind === 'stopped') {
      const words =
        engine.why === 'time'
          ? t.states.engineSlow
          : engine.atEvent === undefined
            ? t.states.engineFailed
            : t.states.engineStopped(count(engine.atEvent));
      return html`<div class="banner" role="alert">
        ${icon('warning')}<span title=${engine.message}>${words}</span><span class="grow"></span>
        <button type="button" class="btn" @click=${() => this.intent({ kind: 'restart', again: true })}>
          ${t.states.again}
        </button>
        <button type="button" class="btn" @click=${() => this.intent({ kind: 'restart' })}>
          ${t.states.restart}
        </button>
      </div>`;
    }
    if (engine.kind === 'loading' && engine.slow) {
      return html`<div class="banner plain" role="status">
        <span>${t.loading.engine}. ${t.loading.slow}</span><span class="grow"></span>
        <button type="button" class="btn" @click=${() => this.intent({ kind: 'restart' })}>
          ${t.loading.retry}
        </button>
      </div>`;
    }
    if (model.notice.value === 'bad-link') {
      return html`<div class="banner" role="alert">
        ${icon('warning')}<span>${t.states.badLink}</span><span class="grow"></span>
        <button type="button" class="btn" @click=${() => this.intent({ kind: 'dismiss' })}>
          ${t.states.dismiss}
        </button>
      </div>`;
    }
    return this.#fault();
  }

  #fault(): TemplateResult | typeof nothing {
    const { model, t } = this;
    void model.grown.value;
    for (const query of model.recording.value?.queries ?? []) {
      const { fault } = query.tracks;
      if (fault === undefined || fault.step > model.step.value) continue;
      const operator = query.plan.operators.get(fault.operator)?.name ?? '';
      const message = query.text(model.language.value === 'en' ? fault.en : fault.zh) ?? '';
      return html`<div class="banner" role="alert">
        ${icon('warning')}<span>${t.states.fault(operator, message)}</span>
      </div>`;
    }
    return nothing;
  }
}

function partFor(view: PhoneView): 'sql' | 'flow' | 'result' | 'all' {
  return view === 'sql' || view === 'flow' || view === 'result' ? view : 'all';
}

/** Language to start with: that of the browser. */
export function browserLanguage(): 'en' | 'zh' {
  return languageFrom(navigator.language);
}

define('sg-playground', SgPlayground);
