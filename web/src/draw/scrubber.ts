/** The scrubber: the whole replay in one bar, A's markers above it, B's below. */
import type { Stage } from '../layout/stage.ts';
import { pxFromSlot, timeStep } from '../layout/time_scale.ts';
import { graver, type Marker } from '../model/view.ts';
import { type DrawItem, disc, glyph, path, px, rect, text } from './list.ts';
import type { TimelineWords } from './words.ts';

/** More markers than this, or closer ones, become bins. */
const MARKERS_SINGLY = 400;
const MARKER_PX = 9;
const BIN_PX = 4;

/** Which side of the bar a lane's markers are on. */
type Side = 'above' | 'below';

/** The bar. */
export function scrubberBar(stage: Stage): DrawItem {
  const { barY, plot } = stage;
  return rect({ x: plot.x, y: barY - 2, w: plot.w, h: 4, r: 2 }, { fill: 'line-2' });
}

/** Letters and clock in the gutter. */
export function scrubberHead(
  stage: Stage,
  at: { letters: readonly string[]; clock: string; words: TimelineWords },
): DrawItem[] {
  const { gutter, barY } = stage;
  const items: DrawItem[] = [];
  if (gutter > 100) {
    items.push(
      text(14, barY - 8, at.words.processing, { face: 'caption' }),
      text(14, barY + 9, at.clock, { face: 'clock', ink: 'ink' }),
    );
    const [above, below] = at.letters;
    if (above !== undefined && at.letters.length > 1) {
      items.push(text(gutter - 14, barY - 7, above, { face: 'letter', anchor: 'middle' }));
    }
    if (below !== undefined) {
      items.push(text(gutter - 14, barY + 15, below, { face: 'letter', anchor: 'middle' }));
    }
  }
  return items;
}

/** The part that is played, and the knob. */
export function scrubberNow(stage: Stage, p: number): DrawItem[] {
  const x = Math.max(stage.plot.x, pxFromSlot(stage.whole, p));
  return [
    rect(
      { x: stage.plot.x, y: stage.barY - 2, w: x - stage.plot.x, h: 4, r: 2 },
      { fill: 'ink-2' },
    ),
    disc(x, stage.barY, 7, { fill: 'surface', stroke: 'ink', width: 2.5 }, 'playhead'),
  ];
}

/** Markers of a lane as they look before and after the playhead has passed them. */
export function scrubberMarkers(
  markers: readonly Marker[],
  stage: Stage,
  side: Side,
): { past: DrawItem[]; future: DrawItem[] } {
  const most = Math.min(MARKERS_SINGLY, stage.plot.w / MARKER_PX);
  const draw = markers.length > most ? binnedMarkers : singleMarkers;
  return { past: draw(markers, stage, side, 1), future: draw(markers, stage, side, 0.36) };
}

function singleMarkers(
  markers: readonly Marker[],
  stage: Stage,
  side: Side,
  opacity: number,
): DrawItem[] {
  const y = side === 'above' ? stage.barY - 11 : stage.barY + 11;
  const tight = stage.whole.perSlot < 16;
  const taken = new Map<number, number>();
  return markers.flatMap((marker) => {
    const beside = taken.get(marker.step) ?? 0;
    taken.set(marker.step, beside + 1);
    const x = pxFromSlot(stage.whole, marker.step) + beside * 12;
    return markerItems(marker, { x, y, opacity, tight });
  });
}

function markerItems(
  marker: Marker,
  at: { x: number; y: number; opacity: number; tight: boolean },
): DrawItem[] {
  const { x, y, opacity } = at;
  switch (marker.kind) {
    case 'fires':
      return [glyph('kind-insert', { x, y, size: 11 }, { fill: 'ins', opacity })];
    case 'insert':
      return [glyph('kind-insert', { x, y, size: 6 }, { fill: 'ins', opacity })];
    case 'update':
      if (at.tight) {
        return [path(`M${px(x)} ${px(y - 4)}l4 4-4 4-4-4z`, { fill: 'ua', opacity })];
      }
      return [
        glyph('kind-update-before', { x: x - 3.3, y, size: 9 }, { stroke: 'ub', opacity }),
        glyph(
          'kind-update-after',
          { x: x + 3.3, y, size: 9 },
          { fill: 'ua', stroke: 'ua', opacity },
        ),
      ];
    case 'delete':
      return [glyph('kind-delete', { x, y, size: 9 }, { fill: 'del', opacity })];
    case 'drop':
      return [
        path(`M${px(x - 4)} ${px(y - 4)}l8 8m0-8l-8 8`, {
          stroke: 'alarm',
          width: 2,
          round: true,
          opacity,
        }),
      ];
    case 'idle':
      return [glyph('moon', { x, y, size: 11 }, { stroke: 'ink-3', opacity })];
    case 'fault':
      return [glyph('warning', { x, y, size: 12 }, { stroke: 'alarm', opacity })];
    case 'end':
      return [glyph('check', { x, y, size: 11 }, { stroke: 'ink-3', opacity })];
  }
}

const BIN_INK = {
  fires: 'ins',
  insert: 'ins',
  update: 'ua',
  delete: 'del',
  drop: 'alarm',
  idle: 'ink-3',
  fault: 'alarm',
  end: 'ink-3',
} as const satisfies Record<Marker['kind'], string>;

function binnedMarkers(
  markers: readonly Marker[],
  stage: Stage,
  side: Side,
  opacity: number,
): DrawItem[] {
  const bins = new Map<number, { count: number; kind: Marker['kind'] }>();
  let most = 1;
  for (const marker of markers) {
    const at = Math.floor((pxFromSlot(stage.whole, marker.step) - stage.plot.x) / BIN_PX);
    const known = bins.get(at);
    const count = (known?.count ?? 0) + 1;
    bins.set(at, {
      count,
      kind: known === undefined ? marker.kind : graver(known.kind, marker.kind),
    });
    most = Math.max(most, count);
  }
  return [...bins].map(([at, bin]) => {
    const h = 2 + 12 * Math.sqrt(bin.count / most);
    const y = side === 'above' ? stage.barY - 5 - h : stage.barY + 5;
    const x = stage.plot.x + at * BIN_PX;
    return rect({ x, y, w: BIN_PX - 1, h, r: 1 }, { fill: BIN_INK[bin.kind], opacity });
  });
}

/** Least distance between two ticks. */
const TICK_APART = { wide: 96, narrow: 60 } as const;

/** Steps at which a round processing time is reached, as far apart as their labels need. */
export function slotTicks(
  stage: Stage,
  scale: 'whole' | 'slots',
  timeOf: (step: number) => number,
): number[] {
  const { perSlot, first, visible } = stage[scale];
  const apart = stage.narrow ? TICK_APART.narrow : TICK_APART.wide;
  const from = Math.max(0, Math.floor(first));
  const to = Math.ceil(first + visible);
  const most = Math.max(1, Math.floor((visible * perSlot) / apart));
  const every = timeStep(Math.max(1, timeOf(to) - timeOf(from)), most);
  const ticks: number[] = [];
  let drawn = Number.NEGATIVE_INFINITY;
  // The first arrival is told where nothing round stands near it.
  let before = from === 0 ? Number.NaN : Math.floor((timeOf(from) - 1) / every);
  for (let step = from; step < to; step++) {
    const round = Math.floor(timeOf(step) / every);
    if (round === before || (step - drawn) * perSlot < apart * 0.9) continue;
    before = round;
    drawn = step;
    ticks.push(step);
  }
  return ticks;
}

/** Labels of processing time. */
export function scrubberAxis(
  stage: Stage,
  at: { timeOf: (step: number) => number; words: TimelineWords },
): DrawItem[] {
  const { plot, whole, axisY } = stage;
  const end = plot.x + plot.w;
  const title = at.words.processingTime;
  const items: DrawItem[] = slotTicks(stage, 'whole', at.timeOf)
    .map((step) => ({ step, x: pxFromSlot(whole, step - 0.5) + 3 }))
    .filter(({ x }) => stage.narrow || x < end - 150)
    .map(({ step, x }) => text(x, axisY, at.words.axis(at.timeOf(step)), { face: 'axis' }));
  if (!stage.narrow) items.push(text(end, axisY, title, { face: 'caption', anchor: 'end' }));
  return items;
}
