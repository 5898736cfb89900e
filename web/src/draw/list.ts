/**
 * The draw list: what a picture consists of, before anybody decides whether it becomes SVG or canvas.
 * Hit testing, tests and the table alternative read the same list. All lengths are CSS pixels of the
 * stage, y downwards; every item that stands for something recorded carries its trace reference.
 */
import { GLYPHS, type GlyphName } from './glyph.ts';

/** Colour by the name of its token, without the dashes in front. */
export type Ink =
  | 'bg'
  | 'surface'
  | 'surface-2'
  | 'surface-3'
  | 'stage'
  | 'ink'
  | 'ink-2'
  | 'ink-3'
  | 'ink-4'
  | 'line'
  | 'line-2'
  | 'water'
  | 'water-ink'
  | 'water-soft'
  | 'water-fill'
  | 'water-fill-2'
  | 'on-water'
  | 'ins'
  | 'ins-ink'
  | 'ins-soft'
  | 'ub'
  | 'ub-ink'
  | 'ua'
  | 'ua-ink'
  | 'ua-soft'
  | 'del'
  | 'del-ink'
  | 'alarm'
  | 'alarm-ink'
  | 'alarm-soft'
  | 'focus'
  | 'past'
  | 'open-fill'
  | 'open-line'
  | 'sealed-fill'
  | 'kept-fill'
  | 'kept-area'
  | 'chip-line'
  | 'fresh'
  | 'touched';

/** A colour, the gradient of the water, or a hatching. */
export type Fill = Ink | 'water-gradient' | 'hatch-sealed' | 'hatch-idle';

/** How an outline and an area look. What is left out is not drawn. */
export interface Look {
  readonly fill?: Fill;
  readonly stroke?: Ink;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
  readonly fillOpacity?: number;
  readonly strokeOpacity?: number;
  readonly round?: boolean;
}

/** Type faces of a picture. */
export const FACES = {
  axis: { size: 10.5, weight: 500, family: 'mono' },
  'axis-strong': { size: 10.5, weight: 600, family: 'mono' },
  key: { size: 10.5, weight: 400, family: 'ui' },
  caption: { size: 11, weight: 400, family: 'ui' },
  'caption-strong': { size: 11, weight: 600, family: 'ui' },
  label: { size: 11.5, weight: 400, family: 'ui' },
  'label-strong': { size: 11.5, weight: 600, family: 'ui' },
  amount: { size: 10.5, weight: 600, family: 'ui' },
  'amount-faint': { size: 10.5, weight: 400, family: 'ui' },
  letter: { size: 10.5, weight: 700, family: 'ui' },
  mono: { size: 10.5, weight: 500, family: 'mono' },
  chip: { size: 11, weight: 500, family: 'mono' },
  'chip-strong': { size: 11, weight: 600, family: 'mono' },
  range: { size: 11.5, weight: 600, family: 'mono' },
  'range-faint': { size: 11.5, weight: 400, family: 'mono' },
  clock: { size: 13, weight: 600, family: 'mono' },
  big: { size: 13, weight: 600, family: 'ui' },
} as const satisfies Record<string, Face>;

interface Face {
  readonly size: number;
  readonly weight: number;
  readonly family: 'ui' | 'mono';
}

/** Name of a type face. */
export type FaceName = keyof typeof FACES;

/** Where `x` lies in a text. */
export type Anchor = 'start' | 'middle' | 'end';

interface Traced {
  /** What the item stands for, for example `event:15` or `window:A:0`. */
  readonly trace?: string;
}

export interface RectItem extends Traced {
  readonly kind: 'rect';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly r: number;
  readonly look: Look;
}

export interface CircleItem extends Traced {
  readonly kind: 'circle';
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly look: Look;
}

export interface PathItem extends Traced {
  readonly kind: 'path';
  readonly d: string;
  readonly look: Look;
  /** Vertical extent of a gradient fill. */
  readonly span?: readonly [number, number];
}

export interface TextItem extends Traced {
  readonly kind: 'text';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly face: FaceName;
  readonly ink: Ink;
  readonly anchor: Anchor;
  readonly opacity?: number;
  /** Outline in the colour of the ground that keeps a text readable over lines. */
  readonly halo?: number;
  readonly strike?: boolean;
}

/** A glyph, centred on `x`, `y`. */
export interface GlyphItem extends Traced {
  readonly kind: 'glyph';
  readonly name: GlyphName;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly look: Look;
}

/** Items that are cut at a rectangle. */
export interface ClipItem extends Traced {
  readonly kind: 'clip';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly items: readonly DrawItem[];
}

export type DrawItem = RectItem | CircleItem | PathItem | TextItem | GlyphItem | ClipItem;

/** Three pictures on top of each other, redrawn on resize, on a new slot, and on every frame. */
export interface Layers {
  readonly ground: readonly DrawItem[];
  readonly history: readonly DrawItem[];
  readonly now: readonly DrawItem[];
}

const traced = (trace: string | undefined): Traced => (trace === undefined ? {} : { trace });

/** A rectangle with rounded corners. */
export function rect(
  box: { x: number; y: number; w: number; h: number; r?: number },
  look: Look,
  trace?: string,
): RectItem {
  const { x, y, w, h, r = 0 } = box;
  return { kind: 'rect', x, y, w: Math.max(0, w), h: Math.max(0, h), r, look, ...traced(trace) };
}

/** A circle around a point. */
export function disc(x: number, y: number, r: number, look: Look, trace?: string): CircleItem {
  return { kind: 'circle', x, y, r: Math.max(0, r), look, ...traced(trace) };
}

/** A path in SVG's notation. */
export function path(d: string, look: Look, trace?: string): PathItem {
  return { kind: 'path', d, look, ...traced(trace) };
}

/** A straight line. */
export function line(x1: number, y1: number, x2: number, y2: number, look: Look): PathItem {
  return { kind: 'path', d: `M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}`, look };
}

/** What a text looks like beside its words. */
export interface TextLook {
  readonly face: FaceName;
  readonly ink?: Ink;
  readonly anchor?: Anchor;
  readonly opacity?: number;
  readonly halo?: number;
  readonly strike?: boolean;
}

/** One line of text; `y` is the base line. */
export function text(x: number, y: number, words: string, look: TextLook): TextItem {
  const { face, ink = 'ink-3', anchor = 'start', ...rest } = look;
  return { kind: 'text', x, y, text: words, face, ink, anchor, ...rest };
}

/** A glyph, centred. */
export function glyph(
  name: GlyphName,
  at: { x: number; y: number; size: number },
  look: Look,
  trace?: string,
): GlyphItem {
  return { kind: 'glyph', name, ...at, look, ...traced(trace) };
}

/** Cuts items at a rectangle. */
export function clip(
  box: { x: number; y: number; w: number; h: number },
  items: readonly DrawItem[],
): ClipItem {
  return { kind: 'clip', ...box, w: Math.max(0, box.w), h: Math.max(0, box.h), items };
}

/** A coordinate with a tenth of a pixel. */
export function px(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Topmost traced item under a point, with `slack` pixels around it. */
export function hit(
  items: readonly DrawItem[],
  at: { x: number; y: number },
  slack = 0,
): DrawItem | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item === undefined) continue;
    if (item.kind === 'clip') {
      const inside = within(item.x, item.y, item.w, item.h, at, 0);
      const found = inside ? hit(item.items, at, slack) : undefined;
      if (found !== undefined) return found;
    } else if (item.trace !== undefined && covers(item, at, slack)) return item;
  }
  return undefined;
}

function covers(
  item: Exclude<DrawItem, ClipItem>,
  at: { x: number; y: number },
  slack: number,
): boolean {
  switch (item.kind) {
    case 'rect':
      return within(item.x, item.y, item.w, item.h, at, slack);
    case 'circle':
      return Math.hypot(at.x - item.x, at.y - item.y) <= item.r + slack;
    case 'glyph':
      return within(
        item.x - item.size / 2,
        item.y - item.size / 2,
        item.size,
        item.size,
        at,
        slack,
      );
    case 'text':
    case 'path':
      return false;
  }
}

function within(
  x: number,
  y: number,
  w: number,
  h: number,
  at: { x: number; y: number },
  slack: number,
): boolean {
  return at.x >= x - slack && at.x <= x + w + slack && at.y >= y - slack && at.y <= y + h + slack;
}

/** Scale of a glyph drawn at `size` pixels. */
export function glyphScale(item: GlyphItem): number {
  return item.size / GLYPHS[item.name].box;
}

/** Width of a text in pixels without asking the browser: an upper estimate for boxes around it. */
export function roughWidth(words: string, face: FaceName): number {
  const { size, family } = FACES[face];
  const latin = family === 'mono' ? 0.61 : 0.56;
  let ems = 0;
  for (const letter of words) ems += (letter.codePointAt(0) ?? 0) > 0x2e7f ? 1 : latin;
  return ems * size;
}
