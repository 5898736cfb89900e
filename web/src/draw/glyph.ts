/**
 * Every small picture of the interface as one path: row kinds, partition shapes, icons.
 * Draw lists name them, elements inline them; nobody else holds path data.
 */

/** How a glyph is inked: outlines take the stroke, solids the fill. */
export type GlyphInk = 'stroke' | 'solid';

/** A path in its own square box. `knockout` is drawn over a solid in the colour of the surface. */
export interface Glyph {
  readonly box: number;
  readonly ink: GlyphInk;
  readonly path: string;
  readonly width: number;
  readonly knockout?: { readonly path: string; readonly width: number };
}

const circle = (cx: number, cy: number, r: number): string =>
  `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const icon = (path: string, width = 1.5): Glyph => ({ box: 16, ink: 'stroke', path, width });
const shape = (path: string): Glyph => ({ box: 12, ink: 'stroke', path, width: 1.4 });

/** The glyphs by name. Row kinds and shapes are 12 px, icons 16 px. */
export const GLYPHS = {
  'kind-insert': {
    box: 12,
    ink: 'solid',
    path: circle(6, 6, 5.6),
    width: 0,
    knockout: { path: 'M6 3.2v5.6M3.2 6h5.6', width: 1.6 },
  },
  'kind-update-before': { box: 12, ink: 'stroke', path: 'M8.2.9 2.2 6l6 5.1z', width: 1.5 },
  'kind-update-after': { box: 12, ink: 'solid', path: 'M3.8.5v11L10.3 6z', width: 0.8 },
  'kind-delete': {
    box: 12,
    ink: 'solid',
    path: 'M2.6.6h6.8a2 2 0 0 1 2 2v6.8a2 2 0 0 1-2 2H2.6a2 2 0 0 1-2-2V2.6a2 2 0 0 1 2-2z',
    width: 0,
    knockout: { path: 'M3.4 6h5.2', width: 1.7 },
  },
  'shape-0': shape(circle(6, 6, 4.6)),
  'shape-1': shape(
    'M3.3 1.7h5.4a1.6 1.6 0 0 1 1.6 1.6v5.4a1.6 1.6 0 0 1-1.6 1.6H3.3a1.6 1.6 0 0 1-1.6-1.6V3.3a1.6 1.6 0 0 1 1.6-1.6z',
  ),
  'shape-2': shape('M6 .9 10.6 3.5v5L6 11.1 1.4 8.5v-5z'),
  'shape-3': shape('M6 1.2 11 10.4H1z'),
  'shape-4': shape('M6 .8 11.2 6 6 11.2.8 6z'),
  'shape-5': shape('M6 .9 11.1 4.6 9.1 10.7H2.9L.9 4.6z'),
  play: { box: 16, ink: 'solid', path: 'M5 3.2v9.6l7.6-4.8z', width: 1 },
  pause: icon('M5.5 3.5v9M10.5 3.5v9', 2.4),
  back: icon('M4 3.5v9M12 3.8v8.4L6.2 8z'),
  step: icon('M12 3.5v9M4 3.8v8.4L9.8 8z'),
  start: icon('M3 3.5v9M8.2 3.8v8.4L3.6 8zM13.2 3.8v8.4L8.6 8z'),
  lock: icon(
    'M5 7h6a1.6 1.6 0 0 1 1.6 1.6v3.2a1.6 1.6 0 0 1-1.6 1.6H5a1.6 1.6 0 0 1-1.6-1.6V8.6A1.6 1.6 0 0 1 5 7zM5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7',
  ),
  infinity: icon(
    'M8 8C6.6 6.1 5.5 5.2 4.1 5.2a2.8 2.8 0 0 0 0 5.6C5.5 10.8 6.6 9.9 8 8s2.5-2.8 3.9-2.8a2.8 2.8 0 0 1 0 5.6C10.5 10.8 9.4 9.9 8 8z',
  ),
  moon: icon('M12.9 9.6A5.4 5.4 0 0 1 6.4 3.1a5.4 5.4 0 1 0 6.5 6.5z'),
  sun: icon(
    `${circle(8, 8, 2.8)}M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1`,
  ),
  hold: icon('M2.5 10.5H6v-5h7.5M10.8 9.5v3M13.3 9.5v3'),
  hourglass: icon(
    'M4.5 2.5h7M4.5 13.5h7M5.3 2.5c0 3 5.4 3.6 5.4 5.5s-5.4 2.5-5.4 5.5M10.7 2.5c0 3-5.4 3.6-5.4 5.5s5.4 2.5 5.4 5.5',
  ),
  filling: icon(`${circle(8, 8, 5.6)}M2.6 8.8c1.8-1.3 3.6-1.3 5.4 0s3.6 1.3 5.4 0`),
  future: icon(circle(8, 8, 5.6)),
  cross: icon('M4 4l8 8M12 4l-8 8'),
  plus: icon('M8 3v10M3 8h10'),
  share: icon(
    'M6.5 9.5l3-3M7 4.8l1.3-1.3a3 3 0 0 1 4.2 4.2L11.2 9M9 11.2l-1.3 1.3a3 3 0 0 1-4.2-4.2L4.8 7',
  ),
  code: icon('M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5'),
  differs: icon('M3 6h10M3 10h10M10.5 3l-5 10'),
  why: icon('M5.6 5.8a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.1.9-1.1 1.8M8 12.4v.1'),
  chevron: icon('M4.5 6.3 8 9.8l3.5-3.5'),
  shuffle: icon(
    'M2 4.5h2.5l7 7H14M2 11.5h2.5l2-2M9.5 6.5l2-2H14M12.3 2.8 14 4.5l-1.7 1.7M12.3 9.8l1.7 1.7-1.7 1.7',
  ),
  external: icon('M6 4h6v6M12 4 4.5 11.5'),
  check: icon('M3.5 8.5l3 3 6-7'),
  rewind: icon('M3 8a5 5 0 1 0 1.6-3.7M3 2.8v2.6h2.6'),
  updates: icon('M3 5.8h8.5M9.3 3.4l2.4 2.4-2.4 2.4M13 10.2H4.5M6.7 7.8l-2.4 2.4 2.4 2.4'),
  warning: icon('M8 2.6 14 13H2zM8 6.6v3M8 11.3v.1'),
  info: icon(`${circle(8, 8, 5.8)}M8 7.4v3.4M8 5.2v.1`),
  table: icon('M2.5 3.5h11v9h-11zM2.5 6.5h11M6.2 6.5v6'),
  'zoom-in': icon(`${circle(7, 7, 4.2)}M10.2 10.2 13.5 13.5M7 5.2v3.6M5.2 7h3.6`),
  'zoom-out': icon(`${circle(7, 7, 4.2)}M10.2 10.2 13.5 13.5M5.2 7h3.6`),
  fit: icon('M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3'),
  end: icon('M2.5 8h7M7 5.2 9.8 8 7 10.8M13 3.5v9'),
  keyboard: icon('M2 4.5h12v7H2zM4.4 7h.1M7 7h.1M9.5 7h.1M12 7h.1M5 9.5h6'),
} as const satisfies Record<string, Glyph>;

/** Name of a glyph. */
export type GlyphName = keyof typeof GLYPHS;

const SHAPES = ['shape-0', 'shape-1', 'shape-2', 'shape-3', 'shape-4', 'shape-5'] as const;

/** Shape that stands for a partition; from the seventh on a circle, which then carries the number. */
export function shapeOf(partition: number): GlyphName {
  return SHAPES[partition] ?? 'shape-0';
}

/** Whether the shape alone tells the partition. */
export function shapeIsOwn(partition: number): boolean {
  return partition < SHAPES.length;
}
