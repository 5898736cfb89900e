/** Step lines of a quantity over the replay. */
import { lastAtOrBefore, type Series } from '../model/series.ts';
import { type DrawItem, type Ink, line, path, px } from './list.ts';

/** Room and scale of a chart. */
export interface ChartRoom {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Steps of the whole replay. */
  readonly steps: number;
  /** Value at the top. */
  readonly most: number;
}

/** A step line up to a position, filled below; at most two points a pixel. */
export function sparkline(
  series: Series<number>,
  room: ChartRoom,
  at: { step: number; p: number; ink: Ink; area: Ink },
): DrawItem[] {
  const bottom = room.y + room.h;
  const xOf = (step: number) => room.x + (Math.max(0, step) / Math.max(1, room.steps - 1)) * room.w;
  const yOf = (value: number) => bottom - (value / Math.max(1, room.most)) * room.h;
  const base = line(room.x, bottom + 0.5, room.x + room.w, bottom + 0.5, { stroke: 'line-2' });
  const last = lastAtOrBefore(series.steps, at.step);
  if (last < 0) return [base];
  const first = xOf(series.steps[0] ?? 0);
  let d = `M${px(first)} ${px(bottom)}V${px(yOf(series.values[0] ?? 0))}`;
  let drawn = first;
  for (let ix = 1; ix <= last; ix++) {
    const x = xOf(series.steps[ix] ?? 0);
    if (x - drawn < 0.5 && ix < last) continue;
    d += `H${px(x)}V${px(yOf(series.values[ix] ?? 0))}`;
    drawn = x;
  }
  const end = xOf(Math.min(room.steps - 1, Math.max(at.step, at.p)));
  d += `H${px(Math.max(drawn, end))}`;
  return [
    path(`${d}V${px(bottom)}Z`, { fill: at.area }),
    path(d, { stroke: at.ink, width: 1.6, round: true }),
    base,
  ];
}
