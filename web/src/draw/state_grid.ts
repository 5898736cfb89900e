/** Keyed state as a grid of cells within an operator's box. */
import type { CellState, StateGrid } from '../model/grid.ts';
import { type DrawItem, type Look, line, rect, roughWidth, text } from './list.ts';

/** Size of a cell and the distance between two. */
export const CELL = { w: 14, h: 11, pitchX: 18, pitchY: 14, subtaskGap: 6 } as const;

/** Room in which a value still says something. */
const VALUE_LEAST = 30;

const LOOKS: Readonly<Record<CellState, Look>> = {
  none: { stroke: 'line-2' },
  held: { fill: 'ink-2' },
  freed: { stroke: 'ink-4', dash: [1.5, 2] },
  new: { fill: 'ins' },
  updated: { fill: 'ua' },
};

/** Width that the keys of a grid take, within limits. */
export function keyWidth(grid: StateGrid, most: number): number {
  const widest = Math.max(20, ...grid.rows.map((row) => roughWidth(row.key, 'mono')));
  return Math.min(most, widest + 8);
}

/** Draws a grid with its column heads above `y`. */
export function gridItems(
  grid: StateGrid,
  at: {
    x: number;
    y: number;
    keyWidth: number;
    /** Room for a value beside its cell; too little shows none. */
    valueRoom: number;
    trace: string;
    more: (n: number) => string;
  },
): DrawItem[] {
  const cellsX = at.x + at.keyWidth;
  const items: DrawItem[] = [];
  const heads = headsOf(grid.columns.flatMap(({ startMs }) => startMs ?? []));
  for (const [column, { startMs }] of grid.columns.entries()) {
    if (startMs === undefined) continue;
    const x = cellsX + column * CELL.pitchX + CELL.w / 2;
    items.push(text(x, at.y - 5, heads(startMs), { face: 'key', anchor: 'middle' }));
  }
  let y = at.y;
  let subtask = grid.rows[0]?.subtask;
  for (const row of grid.rows) {
    if (row.subtask !== subtask) {
      const end = cellsX + grid.columns.length * CELL.pitchX - 4;
      y += CELL.subtaskGap;
      items.push(line(at.x, y - 4.5, end, y - 4.5, { stroke: 'line-2', dash: [1, 3] }));
      subtask = row.subtask;
    }
    items.push(text(at.x, y + 9, cut(row.key, at.keyWidth - 6), { face: 'mono', ink: 'ink-2' }));
    for (const [column, state] of row.cells.entries()) {
      const box = { x: cellsX + column * CELL.pitchX, y, w: CELL.w, h: CELL.h, r: 2.5 };
      items.push(rect(box, LOOKS[state], `${at.trace}:${row.key}`));
    }
    if (row.value !== '' && grid.columns.length === 1 && at.valueRoom >= VALUE_LEAST) {
      items.push(text(cellsX + 20, y + 9, cut(row.value, at.valueRoom), { face: 'mono' }));
    }
    y += CELL.pitchY;
  }
  if (grid.moreKeys > 0) items.push(text(at.x, y + 9, at.more(grid.moreKeys), { face: 'caption' }));
  return items;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The part of a time that tells columns apart: its day, hour, minute or second. */
function headsOf(starts: readonly number[]): (ms: number) => string {
  const all = (unit: number) => starts.every((ms) => ms % unit === 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const within = (ms: number, unit: number, of: number) =>
    two(Math.floor((((ms % of) + of) % of) / unit));
  if (all(DAY)) return (ms) => two(new Date(ms).getUTCDate());
  if (all(HOUR)) return (ms) => within(ms, HOUR, DAY);
  if (all(MINUTE)) return (ms) => within(ms, MINUTE, HOUR);
  return (ms) => within(ms, 1000, MINUTE);
}

function cut(words: string, width: number): string {
  if (roughWidth(words, 'mono') <= width) return words;
  const letters = Math.max(1, Math.floor(width / 6.4) - 1);
  return `${words.slice(0, letters)}…`;
}
