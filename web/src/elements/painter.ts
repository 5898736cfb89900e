/**
 * Puts layers of a draw list on the screen: as SVG while they are few, on a canvas when they are many.
 * A layer is painted again only when its key has changed.
 */
import { type Palette, paintHatch, paintList } from '../draw/canvas.ts';
import type { DrawItem } from '../draw/list.ts';
import { svgDefs, svgFromList } from '../draw/svg.ts';
import { familiesOf, inkOf } from './palette.ts';

/** A layer: what it shows, and what it depends on. */
export interface Layer {
  readonly name: string;
  /** Painted again when it differs from the last one; `undefined` paints always. */
  readonly key: string | undefined;
  readonly items: () => readonly DrawItem[];
  /** Only this stretch is shown, in pixels from the left. */
  readonly cut?: { readonly from: number; readonly to: number };
  /** Where all of it lies: a canvas keeps no more than that. */
  readonly area?: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
}

const SVG = 'http://www.w3.org/2000/svg';
let made = 0;

/** Paints layers into a host element. */
export class Painter {
  readonly #host: HTMLElement;
  readonly #id = `sg${++made}`;
  #svg: SVGSVGElement | undefined;
  #canvas: HTMLCanvasElement | undefined;
  readonly #groups = new Map<
    string,
    { group: SVGGElement; key: string | undefined; markup: string }
  >();
  readonly #pictures = new Map<string, { canvas: HTMLCanvasElement; key: string | undefined }>();
  #palette: Palette | undefined;
  #width = 0;
  #height = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Colours have changed. */
  retheme(): void {
    this.#palette = undefined;
    for (const picture of this.#pictures.values()) picture.key = undefined;
  }

  /** Paints layers from back to front. */
  paint(
    layers: readonly Layer[],
    size: { width: number; height: number },
    on: 'svg' | 'canvas',
  ): void {
    const resized = size.width !== this.#width || size.height !== this.#height;
    this.#width = size.width;
    this.#height = size.height;
    if (on === 'svg') this.#paintSvg(layers, resized);
    else this.#paintCanvas(layers, resized);
  }

  /** Takes everything away. */
  clear(): void {
    this.#svg?.remove();
    this.#canvas?.remove();
    this.#svg = undefined;
    this.#canvas = undefined;
    this.#groups.clear();
    this.#pictures.clear();
  }

  #paintSvg(layers: readonly Layer[], resized: boolean): void {
    if (this.#canvas !== undefined) this.clear();
    let svg = this.#svg;
    if (svg === undefined) {
      svg = document.createElementNS(SVG, 'svg');
      svg.setAttribute('aria-hidden', 'true');
      svg.setAttribute('class', 'picture');
      this.#host.prepend(svg);
      this.#svg = svg;
    }
    if (resized || svg.childElementCount === 0) {
      svg.setAttribute('width', String(this.#width));
      svg.setAttribute('height', String(this.#height));
      svg.innerHTML = svgDefs(this.#id, this.#height);
      this.#groups.clear();
    }
    for (const layer of layers) this.#paintGroup(svg, layer);
  }

  #paintGroup(svg: SVGSVGElement, layer: Layer): void {
    let known = this.#groups.get(layer.name);
    if (known === undefined) {
      const group = document.createElementNS(SVG, 'g');
      svg.append(group);
      known = { group, key: '', markup: '' };
      this.#groups.set(layer.name, known);
    }
    if (layer.key !== undefined && layer.key === known.key) return;
    known.key = layer.key;
    const markup = svgFromList(layer.items(), `${this.#id}${layer.name}`, { base: this.#id });
    if (markup === known.markup) return;
    known.markup = markup;
    known.group.innerHTML = markup;
  }

  #paintCanvas(layers: readonly Layer[], resized: boolean): void {
    if (this.#svg !== undefined) this.clear();
    let canvas = this.#canvas;
    const ratio = Math.min(3, devicePixelRatio);
    if (canvas === undefined) {
      canvas = document.createElement('canvas');
      canvas.setAttribute('aria-hidden', 'true');
      canvas.setAttribute('class', 'picture');
      this.#host.prepend(canvas);
      this.#canvas = canvas;
    }
    const cx = canvas.getContext('2d');
    if (cx === null) return;
    if (resized || canvas.width !== Math.round(this.#width * ratio)) {
      resize(canvas, this.#width, this.#height, ratio);
      for (const picture of this.#pictures.values()) picture.key = undefined;
      this.#palette = undefined;
    }
    const palette = this.#paletteFor(cx);
    cx.setTransform(ratio, 0, 0, ratio, 0, 0);
    cx.clearRect(0, 0, this.#width, this.#height);
    for (const layer of layers) {
      if (layer.key === undefined) paintList(cx, layer.items(), palette);
      else this.#blit(cx, layer, { palette, ratio });
    }
  }

  #blit(cx: CanvasRenderingContext2D, layer: Layer, by: { palette: Palette; ratio: number }): void {
    let picture = this.#pictures.get(layer.name);
    if (picture === undefined) {
      picture = { canvas: document.createElement('canvas'), key: undefined };
      this.#pictures.set(layer.name, picture);
    }
    const area = layer.area ?? { x: 0, y: 0, w: this.#width, h: this.#height };
    const { ratio } = by;
    if (picture.key !== layer.key) {
      picture.canvas.width = Math.round(area.w * ratio);
      picture.canvas.height = Math.round(area.h * ratio);
      const inner = picture.canvas.getContext('2d');
      if (inner === null) return;
      inner.setTransform(ratio, 0, 0, ratio, -area.x * ratio, -area.y * ratio);
      paintList(inner, layer.items(), by.palette);
      picture.key = layer.key;
    }
    const right = area.x + area.w;
    const from = Math.max(area.x, Math.min(right, layer.cut?.from ?? area.x));
    const to = Math.max(from, Math.min(right, layer.cut?.to ?? right));
    if (to - from < 0.5 || picture.canvas.height === 0) return;
    const source = { x: Math.round((from - area.x) * ratio), w: Math.round((to - from) * ratio) };
    const h = picture.canvas.height;
    cx.drawImage(picture.canvas, source.x, 0, source.w, h, from, area.y, to - from, area.h);
  }

  #paletteFor(cx: CanvasRenderingContext2D): Palette {
    if (this.#palette !== undefined) return this.#palette;
    const colour = inkOf(this.#host);
    const palette: Palette = {
      colour,
      families: familiesOf(this.#host),
      patterns: new Map(),
      height: this.#height,
    };
    palette.patterns.set('hatch-sealed', hatch(cx, 7, colour('water'), 0.34, true));
    palette.patterns.set('hatch-idle', hatch(cx, 5, colour('ink-4'), 0.7, false));
    this.#palette = palette;
    return palette;
  }
}

function resize(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

function hatch(
  cx: CanvasRenderingContext2D,
  step: number,
  colour: string,
  opacity: number,
  rising: boolean,
): CanvasPattern | null {
  const tile = document.createElement('canvas');
  const side = Math.round(step * Math.SQRT2);
  tile.width = side;
  tile.height = side;
  const inner = tile.getContext('2d');
  if (inner === null) return null;
  inner.globalAlpha = opacity;
  paintHatch(inner, side / Math.SQRT2, colour, rising);
  return cx.createPattern(tile, 'repeat');
}
