/** What rows show in tight places. */
import type { DrawFormats } from '../draw/words.ts';
import { clock } from '../i18n/format.ts';
import type { QueryRecording } from '../model/recording.ts';

interface Column {
  readonly name: string;
  readonly key: boolean;
  readonly numeric: boolean;
}

/**
 * Columns that fit, as numbers in order. The end of a window goes first, since its start tells it; then
 * the last ones, but never the first measure.
 */
export function columnsShown(columns: readonly Column[], room: number): number[] {
  const all = columns.map((_, at) => at);
  const starts = columns.some((column) => column.name === 'window_start');
  const told = all.filter((at) => !(starts && columns[at]?.name === 'window_end'));
  const most = Math.max(2, room);
  if (told.length <= most) return told;
  const measure = told.find((at) => columns[at]?.numeric === true && columns[at]?.key === false);
  const first = told.slice(0, most);
  if (measure === undefined || first.includes(measure)) return first;
  return [...first.slice(0, most - 1), measure];
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
