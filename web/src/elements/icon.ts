/** Glyphs as inline SVG. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { GLYPHS, type Glyph, type GlyphName } from '../draw/glyph.ts';
import { KIND_GLYPH, KIND_INK } from '../draw/kinds.ts';
import type { RowKind } from '../model/kinds.ts';

/** An icon in the colour of the text around it; decorative. */
export function icon(name: GlyphName, size = 16): TemplateResult {
  const glyph: Glyph = GLYPHS[name];
  const stroke = glyph.width > 0 ? 'currentColor' : 'none';
  const fill = glyph.ink === 'solid' ? 'currentColor' : 'none';
  return html`<svg
    class="i"
    width=${size}
    height=${size}
    viewBox="0 0 ${glyph.box} ${glyph.box}"
    aria-hidden="true"
    fill=${fill}
    stroke=${stroke}
    stroke-width=${glyph.width}
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d=${glyph.path} />
    ${
      glyph.knockout === undefined
        ? nothing
        : svg`<path d=${glyph.knockout.path} fill="none" stroke="var(--surface)" stroke-width=${glyph.knockout.width} />`
    }
  </svg>`;
}

/** Glyph of a row kind in its colour. */
export function kindIcon(kind: RowKind, size = 11): TemplateResult {
  return html`<span class="rk ${KIND_INK[kind]}">${icon(KIND_GLYPH[kind], size)}</span>`;
}

/** The logo. */
export function logo(size: number): TemplateResult {
  return html`<svg class="logo" width=${size} height=${size} viewBox="0 0 28 28" aria-hidden="true">
    <rect
      x="1.25"
      y="1.25"
      width="25.5"
      height="25.5"
      rx="7"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
    />
    <path
      d="M1.3 20.5h6.2V16h6v-5H19V6.5h7.7V20a6.8 6.8 0 0 1-6.8 6.8H8a6.8 6.8 0 0 1-6.7-6.3z"
      fill="var(--water)"
      opacity=".22"
    />
    <path
      d="M1.5 20.5h6V16h6v-5H19V6.5h7.5"
      fill="none"
      stroke="var(--water)"
      stroke-width="2.2"
      stroke-linejoin="round"
    />
    <circle cx="9.5" cy="8.2" r="2.5" fill="currentColor" />
  </svg>`;
}
