/** Paints a draw list as SVG text: for few marks, for print, and for stills. */

import { GLYPHS } from './glyph.ts';
import {
  type DrawItem,
  FACES,
  type Fill,
  type GlyphItem,
  glyphScale,
  type Look,
  px,
  type TextItem,
} from './list.ts';

/** Turns the name of a colour into what an attribute takes. */
export type ColourOf = (ink: string) => string;

/** Colours that follow the page's theme. */
export const themed: ColourOf = (ink) => `var(--${ink})`;

/** Whose gradients and hatchings a markup uses, and how it names colours. */
export interface SvgOptions {
  /** The `id` that was given to `svgDefs`, if it is another one. */
  readonly base?: string;
  readonly colour?: ColourOf;
}

/** Markup of a list. `id` keeps the clippings of several pictures on a page apart. */
export function svgFromList(
  items: readonly DrawItem[],
  id: string,
  options: SvgOptions = {},
): string {
  const { base = id, colour = themed } = options;
  return items.map((item, at) => svgItem(item, { id: `${id}-${at}`, base, colour })).join('');
}

/** Gradients and hatchings that the markup refers to; once per picture. */
export function svgDefs(id: string, height: number, colour = themed): string {
  const stop = (at: number, ink: string) => `<stop offset="${at}" stop-color="${colour(ink)}"/>`;
  const gradient =
    `<linearGradient id="${id}-water" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="${px(height)}">` +
    `${stop(0, 'water-fill')}${stop(1, 'water-fill-2')}</linearGradient>`;
  const hatch = (name: string, step: number, turn: number, ink: string, opacity: number) =>
    `<pattern id="${id}-${name}" width="${step}" height="${step}" patternUnits="userSpaceOnUse" ` +
    `patternTransform="rotate(${turn})"><path d="M0 0v${step}" stroke="${colour(ink)}" ` +
    `stroke-width="1.2" opacity="${opacity}"/></pattern>`;
  return `<defs>${gradient}${hatch('sealed', 7, 45, 'water', 0.34)}${hatch('idle', 5, -45, 'ink-4', 0.7)}</defs>`;
}

/** Style sheet for the type faces, shared by all pictures of an element. */
export const FACE_CSS: string = Object.entries(FACES)
  .map(([name, face]) => `.f-${name}{font:${face.weight} ${face.size}px var(--${face.family})}`)
  .join('');

interface Scope {
  readonly id: string;
  readonly base: string;
  readonly colour: ColourOf;
}

function svgItem(item: DrawItem, scope: Scope): string {
  switch (item.kind) {
    case 'rect': {
      const corner = item.r > 0 ? ` rx="${item.r}"` : '';
      return `<rect x="${px(item.x)}" y="${px(item.y)}" width="${px(item.w)}" height="${px(item.h)}"${corner}${look(item.look, scope)}/>`;
    }
    case 'circle':
      return `<circle cx="${px(item.x)}" cy="${px(item.y)}" r="${px(item.r)}"${look(item.look, scope)}/>`;
    case 'path':
      return `<path d="${item.d}"${look(item.look, scope)}/>`;
    case 'text':
      return svgText(item, scope);
    case 'glyph':
      return svgGlyph(item, scope);
    case 'clip': {
      const cut = `${scope.id}-cut`;
      const inner = item.items.map((each, at) => svgItem(each, { ...scope, id: `${cut}-${at}` }));
      return (
        `<clipPath id="${cut}"><rect x="${px(item.x)}" y="${px(item.y)}" width="${px(item.w)}" height="${px(item.h)}"/></clipPath>` +
        `<g clip-path="url(#${cut})">${inner.join('')}</g>`
      );
    }
  }
}

function svgText(item: TextItem, scope: Scope): string {
  const anchor = item.anchor === 'start' ? '' : ` text-anchor="${item.anchor}"`;
  const halo =
    item.halo === undefined
      ? ''
      : ` stroke="${scope.colour('stage')}" stroke-width="${item.halo}" stroke-opacity=".85" paint-order="stroke"`;
  const strike = item.strike === true ? ' text-decoration="line-through"' : '';
  const opacity = item.opacity === undefined ? '' : ` opacity="${px2(item.opacity)}"`;
  return `<text class="f-${item.face}" x="${px(item.x)}" y="${px(item.y)}" fill="${scope.colour(item.ink)}"${anchor}${halo}${strike}${opacity}>${escaped(item.text)}</text>`;
}

function svgGlyph(item: GlyphItem, scope: Scope): string {
  const form = GLYPHS[item.name];
  const scale = glyphScale(item);
  const at = `translate(${px(item.x - item.size / 2)} ${px(item.y - item.size / 2)}) scale(${px2(scale)})`;
  const inked: Look = {
    width: form.width,
    round: true,
    ...item.look,
    ...(item.look.width === undefined ? {} : { width: item.look.width / scale }),
  };
  const cut =
    'knockout' in form
      ? `<path d="${form.knockout.path}" fill="none" stroke="${scope.colour('surface')}" stroke-width="${form.knockout.width}" stroke-linecap="round"/>`
      : '';
  return `<g transform="${at}"><path d="${form.path}"${look(inked, scope)}/>${cut}</g>`;
}

function look(given: Look, scope: Scope): string {
  const parts: string[] = [
    ` fill="${given.fill === undefined ? 'none' : paint(given.fill, scope)}"`,
  ];
  if (given.stroke !== undefined) {
    parts.push(` stroke="${scope.colour(given.stroke)}"`);
    if (given.width !== undefined && given.width !== 1)
      parts.push(` stroke-width="${px2(given.width)}"`);
  }
  if (given.dash !== undefined) parts.push(` stroke-dasharray="${given.dash.join(' ')}"`);
  if (given.round === true) parts.push(' stroke-linecap="round" stroke-linejoin="round"');
  if (given.opacity !== undefined) parts.push(` opacity="${px2(given.opacity)}"`);
  if (given.fillOpacity !== undefined) parts.push(` fill-opacity="${px2(given.fillOpacity)}"`);
  if (given.strokeOpacity !== undefined)
    parts.push(` stroke-opacity="${px2(given.strokeOpacity)}"`);
  return parts.join('');
}

function paint(fill: Fill, scope: Scope): string {
  if (fill === 'water-gradient') return `url(#${scope.base}-water)`;
  if (fill === 'hatch-sealed') return `url(#${scope.base}-sealed)`;
  if (fill === 'hatch-idle') return `url(#${scope.base}-idle)`;
  return scope.colour(fill);
}

const px2 = (value: number): number => Math.round(value * 100) / 100;

/** Text made safe for markup. */
export function escaped(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
