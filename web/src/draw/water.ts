/** The watermark as a staircase of water, and the hairlines of the partitions. */
import type { Stage } from '../layout/stage.ts';
import { pxFromSlot, pxFromTime } from '../layout/time_scale.ts';
import type { Series } from '../model/series.ts';
import { lastAtOrBefore } from '../model/series.ts';
import { type DrawItem, path, px } from './list.ts';

/** A staircase: its path, and the row on which it ends. */
export interface Stair {
  readonly d: string;
  readonly y: number;
  readonly startX: number;
}

/** The staircase of a series up to a step, drawn on to the pixel `endX`; at most one riser a pixel. */
export function stairOf(
  series: Series<number>,
  stage: Stage,
  at: { step: number; endX: number },
): Stair | undefined {
  const { slots, events, plot } = stage;
  const bottom = plot.y + plot.h;
  const last = lastAtOrBefore(series.steps, at.step);
  if (last < 0) return undefined;
  const from = Math.max(0, lastAtOrBefore(series.steps, Math.floor(slots.first) - 1));
  const parts: string[] = [];
  let drawnX = Number.NEGATIVE_INFINITY;
  let y = bottom;
  let startX = plot.x;
  for (let ix = from; ix <= last; ix++) {
    const step = series.steps[ix] ?? 0;
    const x = Math.max(plot.x - 4, pxFromSlot(slots, step));
    const value = Math.max(series.values[ix] ?? 0, events.fromMs);
    y = Math.min(bottom, Math.max(plot.y - 4, pxFromTime(events, value)));
    if (parts.length === 0) {
      startX = x;
      parts.push(`M${px(x)} ${px(ix === 0 ? bottom : y)}V${px(y)}`);
      drawnX = x;
    } else if (x - drawnX < 1 && ix < last && parts.length > 1)
      parts[parts.length - 1] = `H${px(drawnX)}V${px(y)}`;
    else {
      parts.push(`H${px(x)}V${px(y)}`);
      drawnX = x;
    }
  }
  parts.push(`H${px(Math.max(drawnX, at.endX))}`);
  return { d: parts.join(''), y, startX };
}

/** The water below the watermark. */
export function waterBody(stair: Stair, stage: Stage): DrawItem {
  const bottom = stage.plot.y + stage.plot.h;
  return path(`${stair.d}V${px(bottom)}H${px(stair.startX)}Z`, { fill: 'water-gradient' });
}

/** The watermark's line with its soft band. `faint` where the query goes by nothing. */
export function waterLine(stair: Stair, faint: boolean): DrawItem[] {
  const strokeOpacity = faint ? 0.5 : 1;
  return [
    path(stair.d, { stroke: 'water', width: 8, opacity: 0.1, strokeOpacity, round: true }),
    path(stair.d, { stroke: 'stage', width: 4.5, opacity: 0.7 }),
    path(stair.d, { stroke: 'water', width: 2.25, strokeOpacity, round: false }),
  ];
}

const DASHES: readonly (readonly number[])[] = [
  [1, 2.5],
  [5, 3],
  [7, 2, 1.5, 2],
  [3, 2],
  [9, 3],
  [2, 1.5, 5, 1.5],
];

/** Hairline of a partition's watermark. */
export function partitionLine(
  stair: Stair,
  look: { shape: number; hot: boolean; idle: boolean },
): DrawItem {
  const dash = DASHES[look.shape % DASHES.length] ?? [1, 2];
  return path(stair.d, {
    stroke: look.hot ? 'ink' : 'ink-3',
    width: look.hot ? 1.8 : 1,
    dash,
    opacity: look.hot ? 1 : look.idle ? 0.25 : 0.55,
  });
}
