/** Keyed state as a grid: keys by subtask down, windows or group values across. */

import type { OperatorView } from '../engine/api.ts';
import { groupStarts } from './bands.ts';
import { cellsOf, splitKey, stampMs, windowEndMs } from './cells.ts';
import type { StateEntry } from './fold.ts';
import type { QueryRecording } from './recording.ts';

/** How a cell is held. */
export type CellState = 'none' | 'held' | 'freed' | 'new' | 'updated';

export interface GridRow {
  readonly key: string;
  readonly subtask: number;
  readonly cells: readonly CellState[];
  /** Value as text, where there is one column only. */
  readonly value: string;
}

export interface StateGrid {
  /** Starts of windows or groups; one without a time where there is just a key. */
  readonly columns: readonly { readonly startMs: number | undefined }[];
  readonly rows: readonly GridRow[];
  /** Keys that have no row. */
  readonly moreKeys: number;
}

/** Room of a grid. */
export interface GridRoom {
  readonly rows: number;
  readonly columns: number;
}

interface Placed {
  readonly entry: StateEntry;
  readonly key: string;
  /** What tells entries of one key apart: a time, a sort key, a row. */
  readonly within: string;
  readonly startMs: number | undefined;
}

/** Entries beyond which only the newest are looked at for keys. */
const LOOKED_AT = 4000;

/** Builds the grid of an operator after a step. */
export function gridOf(
  query: QueryRecording,
  operator: OperatorView,
  at: { step: number; fresh: boolean; room: GridRoom },
): StateGrid {
  const fold = query.stateAt(at.step);
  const held = placedEntries(query, operator, fold.operators.get(operator.id));
  const freed = placedEntries(query, operator, fold.freed.get(operator.id));
  const columns = columnsFor(query, operator, held, at);
  const keys = keysFor(held, freed, at.room.rows);
  const rows = keys.shown.map((key): GridRow => {
    const mine = held.filter((each) => each.key === key.key);
    const gone = freed.filter((each) => each.key === key.key);
    return {
      key: key.key,
      subtask: key.subtask,
      cells: columns.map(({ startMs }) => cellState(mine, gone, { ...at, startMs })),
      value: columns.length === 1 ? valueText(query, mine) : '',
    };
  });
  return { columns, rows, moreKeys: keys.more };
}

function placedEntries(
  query: QueryRecording,
  operator: OperatorView,
  entries: ReadonlyMap<string, StateEntry> | undefined,
): Placed[] {
  if (entries === undefined) return [];
  const all = [...entries.values()].filter((entry) => entry.handle === 0);
  const looked = all.length > LOOKED_AT ? all.slice(-LOOKED_AT) : all;
  return looked.map((entry) => {
    const split = splitKey(query.text(entry.key));
    if (split !== undefined) {
      const key = cellsOf(split.outer).join(' ');
      const startMs = operator.windowed
        ? startOfWindow(query, windowEndMs(query.text(entry.namespace)))
        : undefined;
      return { entry, key, within: shortened(split.within), startMs };
    }
    const { cells, stampMs: at, others } = query.cellsOf(entry.key);
    const key = (operator.windowed ? cells : others).join(' ');
    const startMs = operator.windowed
      ? startOfWindow(query, windowEndMs(query.text(entry.namespace)))
      : at;
    return { entry, key, within: '', startMs };
  });
}

/** Points in time without their date. */
function shortened(within: string): string {
  return cellsOf(within)
    .map((cell) => (stampMs(cell) === undefined ? cell : cell.slice(11)))
    .join(' ');
}

/** The value of a key; where the key has several entries, what tells them apart. */
function valueText(query: QueryRecording, mine: readonly Placed[]): string {
  const parts = mine.map((each) => each.within).filter((within) => within !== '');
  if (parts.length > 0) return parts.join(' · ');
  return query.valueOf(mine[0]?.entry.value ?? []).join(' ');
}

function startOfWindow(query: QueryRecording, endMs: number | undefined): number | undefined {
  if (endMs === undefined) return undefined;
  return query.tracks.windowByEnd(endMs)?.startMs ?? endMs;
}

function columnsFor(
  query: QueryRecording,
  operator: OperatorView,
  held: readonly Placed[],
  at: { step: number; room: GridRoom },
): readonly { startMs: number | undefined }[] {
  const known = operator.windowed
    ? query.tracks.windows.map((window) => window.startMs).sort((a, b) => a - b)
    : groupStarts(query, operator.id);
  const starts = [...new Set(known)];
  if (starts.length === 0) return [{ startMs: undefined }];
  const room = Math.max(1, at.room.columns);
  if (starts.length <= room) return starts.map((startMs) => ({ startMs }));
  const newest = Math.max(...held.map((each) => each.startMs ?? Number.NEGATIVE_INFINITY));
  const last = starts.findLastIndex((start) => start <= newest);
  const from = Math.max(0, Math.min(starts.length - room, Math.max(0, last) - room + 2));
  return starts.slice(from, from + room).map((startMs) => ({ startMs }));
}

function keysFor(
  held: readonly Placed[],
  freed: readonly Placed[],
  rows: number,
): { shown: readonly { key: string; subtask: number }[]; more: number } {
  const keys = new Map<string, { key: string; subtask: number; heat: number; first: number }>();
  for (const { entry, key } of [...held, ...freed]) {
    const known = keys.get(key);
    const heat = Math.max(known?.heat ?? -1, entry.updatedStep);
    const first = Math.min(known?.first ?? Number.POSITIVE_INFINITY, entry.createdStep);
    keys.set(key, { key, subtask: entry.subtask, heat, first });
  }
  const all = [...keys.values()];
  const room = all.length > rows ? Math.max(1, rows - 1) : rows;
  const chosen = all.length > room ? all.sort((a, b) => b.heat - a.heat).slice(0, room) : all;
  const shown = chosen.sort((a, b) => a.subtask - b.subtask || a.first - b.first);
  return { shown, more: all.length - shown.length };
}

function cellState(
  held: readonly Placed[],
  freed: readonly Placed[],
  at: { step: number; fresh: boolean; startMs: number | undefined },
): CellState {
  const entry = held.find((each) => each.startMs === at.startMs)?.entry;
  if (entry !== undefined) {
    if (!at.fresh || entry.updatedStep !== at.step) return 'held';
    return entry.createdStep === at.step ? 'new' : 'updated';
  }
  return freed.some((each) => each.startMs === at.startMs) ? 'freed' : 'none';
}
