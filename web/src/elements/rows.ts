/** What rows show in tight places. */
import type { DrawFormats } from '../draw/words.ts';
import { clock } from '../i18n/format.ts';
import { rolesOf } from '../model/columns.ts';
import type { Plan } from '../model/plan.ts';
import type { QueryRecording } from '../model/recording.ts';

/** Advance of a letter and padding of a cell, in pixels. */
const LETTER = 6.7;
const PADDING = 9;

/** Most that a column's name takes. */
const HEAD_MOST = 52;

/** Widths that the columns need for some rows and under some names, as letters tell. */
export function widthsOf(
  rows: readonly (readonly string[])[],
  names: readonly string[] = [],
): number[] {
  const widths = names.map((name) => Math.min(HEAD_MOST, name.length * LETTER * 0.85) + PADDING);
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, cell.length * LETTER + PADDING);
    }
  }
  return widths;
}

/**
 * Columns that fit, as numbers in order. The end of a window goes first, since its start tells it; then
 * the last ones, but never the first measure.
 */
export function columnsShown(plan: Plan, widths: readonly number[], room: number): number[] {
  const columns = plan.query.outputColumns;
  const starts = columns.some((column) => column.name === 'window_start');
  const told = columns.flatMap((column, at) =>
    starts && column.name === 'window_end' ? [] : [at],
  );
  const wide = (at: number) => widths[at] ?? 40;
  const [measure] = rolesOf(plan).measures;
  const shown: number[] = [];
  let used = 0;
  for (const at of told) {
    const spared = measure !== undefined && at < measure ? wide(measure) : 0;
    if (shown.length > 1 && used + wide(at) + spared > room) break;
    shown.push(at);
    used += wide(at);
  }
  if (measure === undefined || shown.includes(measure)) return shown;
  return [...shown, measure];
}

/** The watermark at which the first window of a query emits, or `undefined` where it has no windows. */
export function firstWindowNeed(query: QueryRecording, formats: DrawFormats): string | undefined {
  if (query.plan.windowed === undefined) return undefined;
  const ends = query.tracks.windows.map((window) => window.endMs);
  if (ends.length === 0) return undefined;
  const need = Math.min(...ends) - 1;
  const date = formats.full(need).slice(0, -8);
  return `${date}${clock(need)}`;
}
