/** Paints a draw list on a canvas: for many marks. The context and the colours are handed in. */
import { GLYPHS, type Glyph } from './glyph.ts';
import {
  type DrawItem,
  FACES,
  type FaceName,
  type Fill,
  type GlyphItem,
  glyphScale,
  type Look,
  type TextItem,
} from './list.ts';

/** Colours and families as the theme has them at the moment. */
export interface Palette {
  /** Resolved colour of a token. */
  readonly colour: (ink: string) => string;
  readonly families: Readonly<Record<'ui' | 'mono', string>>;
  /** Hatchings by name, made for the context that is painted on. */
  readonly patterns: Map<string, CanvasPattern | null>;
  /** Height of the water, for its gradient. */
  readonly height: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const paths = new Map<string, Path2D>();

function glyphPath(d: string): Path2D {
  let found = paths.get(d);
  if (found === undefined) {
    found = new Path2D(d);
    paths.set(d, found);
  }
  return found;
}

/** Paints all items in order, in CSS pixels: the caller has set the scale. */
export function paintList(cx: Context, items: readonly DrawItem[], palette: Palette): void {
  fontSet = '';
  for (const item of items) paintItem(cx, item, palette);
}

/** The font that the context has; setting one costs as much as drawing a word. */
let fontSet = '';

function paintItem(cx: Context, item: DrawItem, palette: Palette): void {
  switch (item.kind) {
    case 'rect':
      cx.beginPath();
      if (item.r > 0)
        cx.roundRect(item.x, item.y, item.w, item.h, Math.min(item.r, item.w / 2, item.h / 2));
      else cx.rect(item.x, item.y, item.w, item.h);
      ink(cx, undefined, item.look, palette);
      return;
    case 'circle':
      cx.beginPath();
      cx.arc(item.x, item.y, item.r, 0, Math.PI * 2);
      ink(cx, undefined, item.look, palette);
      return;
    case 'path':
      ink(cx, new Path2D(item.d), item.look, palette);
      return;
    case 'text':
      paintText(cx, item, palette);
      return;
    case 'glyph':
      paintGlyph(cx, item, palette);
      return;
    case 'clip':
      cx.save();
      cx.beginPath();
      cx.rect(item.x, item.y, item.w, item.h);
      cx.clip();
      for (const each of item.items) paintItem(cx, each, palette);
      cx.restore();
      fontSet = '';
      return;
  }
}

function ink(cx: Context, form: Path2D | undefined, look: Look, palette: Palette): void {
  const whole = look.opacity ?? 1;
  if (look.fill !== undefined) {
    cx.globalAlpha = whole * (look.fillOpacity ?? 1);
    cx.fillStyle = fillStyle(cx, look.fill, palette);
    if (form === undefined) cx.fill();
    else cx.fill(form);
  }
  if (look.stroke !== undefined) {
    cx.globalAlpha = whole * (look.strokeOpacity ?? 1);
    cx.strokeStyle = palette.colour(look.stroke);
    cx.lineWidth = look.width ?? 1;
    cx.setLineDash(look.dash === undefined ? [] : [...look.dash]);
    cx.lineCap = look.round === true ? 'round' : 'butt';
    cx.lineJoin = 'round';
    if (form === undefined) cx.stroke();
    else cx.stroke(form);
  }
  cx.globalAlpha = 1;
}

function fillStyle(
  cx: Context,
  fill: Fill,
  palette: Palette,
): string | CanvasPattern | CanvasGradient {
  if (fill === 'water-gradient') {
    const gradient = cx.createLinearGradient(0, 0, 0, palette.height);
    gradient.addColorStop(0, palette.colour('water-fill'));
    gradient.addColorStop(1, palette.colour('water-fill-2'));
    return gradient;
  }
  if (fill === 'hatch-sealed' || fill === 'hatch-idle') {
    return palette.patterns.get(fill) ?? 'transparent';
  }
  return palette.colour(fill);
}

/** Font of a face in canvas notation. */
export function canvasFont(face: FaceName, families: Palette['families']): string {
  const { size, weight, family } = FACES[face];
  return `${weight} ${size}px ${families[family]}`;
}

function paintText(cx: Context, item: TextItem, palette: Palette): void {
  const font = canvasFont(item.face, palette.families);
  if (font !== fontSet) {
    cx.font = font;
    fontSet = font;
  }
  cx.textAlign = item.anchor === 'middle' ? 'center' : item.anchor;
  cx.globalAlpha = item.opacity ?? 1;
  if (item.halo !== undefined) {
    cx.strokeStyle = palette.colour('stage');
    cx.lineWidth = item.halo;
    cx.lineJoin = 'round';
    cx.setLineDash([]);
    cx.strokeText(item.text, item.x, item.y);
  }
  cx.fillStyle = palette.colour(item.ink);
  cx.fillText(item.text, item.x, item.y);
  if (item.strike === true) {
    const width = cx.measureText(item.text).width;
    const left =
      item.anchor === 'start'
        ? item.x
        : item.anchor === 'end'
          ? item.x - width
          : item.x - width / 2;
    cx.fillRect(left, item.y - FACES[item.face].size * 0.34, width, 1);
  }
  cx.globalAlpha = 1;
}

function paintGlyph(cx: Context, item: GlyphItem, palette: Palette): void {
  const form: Glyph = GLYPHS[item.name];
  const scale = glyphScale(item);
  cx.save();
  cx.translate(item.x - item.size / 2, item.y - item.size / 2);
  cx.scale(scale, scale);
  const width = item.look.width === undefined ? form.width : item.look.width / scale;
  ink(cx, glyphPath(form.path), { round: true, ...item.look, width }, palette);
  if (form.knockout !== undefined) {
    ink(
      cx,
      glyphPath(form.knockout.path),
      { stroke: 'surface', width: form.knockout.width, round: true },
      palette,
    );
  }
  cx.restore();
}

/** Diagonal hatching as a repeating picture, `step` pixels apart. */
export function paintHatch(cx: Context, step: number, colour: string, rising: boolean): void {
  const side = step * Math.SQRT2;
  cx.strokeStyle = colour;
  cx.lineWidth = 1.2;
  cx.beginPath();
  for (const shift of [-side, 0, side]) {
    cx.moveTo(shift, rising ? side : 0);
    cx.lineTo(shift + side, rising ? 0 : side);
  }
  cx.stroke();
}
