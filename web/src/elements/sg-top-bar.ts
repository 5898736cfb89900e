/** `<sg-top-bar>`: scenario, sharing, language, theme. Property: `model`. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { define, SgElement } from './element.ts';
import { icon, logo } from './icon.ts';
import { shared } from './shared.ts';
import './sg-scenario-picker.ts';

export class SgTopBar extends SgElement {
  static override relaxed = true;
  static override properties = {
    ...SgElement.properties,
    copied: { state: true },
  };
  declare copied: boolean;

  static override styles = [
    shared,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: var(--s3);
        padding: 0 var(--s4) 0 14px;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
        min-inline-size: 0;
      }
      h1 {
        margin: 0;
        display: flex;
        align-items: center;
        gap: 9px;
        font: 650 15px/1 var(--display);
        letter-spacing: -0.012em;
      }
      .sep {
        inline-size: 1px;
        block-size: 18px;
        background: var(--line-2);
      }
      .dialect {
        font-size: 12px;
        font-weight: 500;
        color: var(--ink-3);
        white-space: nowrap;
      }
      .bordered {
        border: 1px solid var(--line-2);
        display: none;
      }
      @media (max-width: 1180px) {
        .bordered {
          display: inline-flex;
        }
      }
      @media (max-width: 760px) {
        :host {
          gap: 8px;
          padding: 0 10px;
        }
        h1 {
          font-size: 0;
          gap: 0;
        }
        .hide-s,
        .sep,
        .grow,
        .bordered {
          display: none;
        }
        .tb {
          block-size: 44px;
          min-inline-size: 40px;
          justify-content: center;
        }
        sg-scenario-picker {
          flex: 1;
          min-inline-size: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.copied = false;
  }

  override render(): TemplateResult {
    const { t, model } = this;
    const open = unresolved(model.explained.value?.cards ?? []);
    const other = model.language.value === 'en' ? 'zh' : 'en';
    return html`<h1>${logo(24)}Streamglass</h1>
      <span class="sep"></span>
      <sg-scenario-picker .model=${model}></sg-scenario-picker>
      <span class="grow"></span>
      <span class="dialect hide-s">${t.top.dialect}</span>
      <button type="button" class="tb hide-s" title=${t.file.drop} @click=${() => this.intent({ kind: 'choose-file' })}>
        ${t.file.open}
      </button>
      <a class="tb hide-s" href="embed.html">${icon('code')}${t.top.embed}</a>
      <button type="button" class="tb hide-s" @click=${this.#share}>
        ${icon(this.copied ? 'check' : 'share')}${this.copied ? t.top.shared : t.top.share}
      </button>
      <span class="sr" role="status">${this.copied ? t.top.shared : ''}</span>
      <button
        type="button"
        class="tb bordered"
        aria-expanded=${model.drawer.value}
        @click=${() => this.intent({ kind: 'drawer', open: !model.drawer.value })}
      >
        ${t.panel.why}${open > 0 ? html`<span class="cnt">${open}</span>` : nothing}
      </button>
      <button
        type="button"
        class="tb"
        lang=${other === 'zh' ? 'zh-CN' : 'en'}
        title=${t.otherLanguageName}
        @click=${() => this.intent({ kind: 'language', language: other })}
      >
        ${t.otherLanguage}
      </button>
      <button
        type="button"
        class="tb hide-s"
        aria-label=${t.top.help}
        title=${t.top.help}
        @click=${() => this.intent({ kind: 'help', open: true })}
      >
        ${icon('keyboard')}
      </button>
      <button type="button" class="tb" aria-label=${t.top.theme} title=${t.top.theme} @click=${this.#theme}>
        ${icon('sun')}
      </button>`;
  }

  readonly #share = (): void => {
    this.intent({ kind: 'share' });
    this.copied = true;
    setTimeout(() => {
      this.copied = false;
    }, 2400);
  };

  readonly #theme = (): void => {
    const set = this.model.theme.value;
    const dark =
      set === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : set === 'dark';
    this.intent({ kind: 'theme', theme: dark ? 'light' : 'dark' });
  };
}

/** Cards that are still open. */
export function unresolved(cards: readonly { readonly resolved: boolean }[]): number {
  return cards.filter((card) => !card.resolved).length;
}

define('sg-top-bar', SgTopBar);
