/** What a mark of the timeline says: what became of the event, and the two cells it shows. */
import { isNumber } from './cells.ts';
import { aggregated } from './columns.ts';
import { markColumns } from './plan.ts';
import type { Mark, QueryRecording, Recording } from './recording.ts';
import { namesOf, outcomeAt } from './view.ts';

/** What became of an event in the eyes of a query, seen from a step. */
export type MarkFate = 'future' | 'counted' | 'sealed' | 'dropped' | 'behind';

/** A mark and what it shows. */
export interface MarkView {
  readonly kind: Mark['kind'];
  /** Nothing arrives: time passes. */
  readonly silent: boolean;
  readonly step: number;
  readonly rowtimeMs: number | undefined;
  readonly shape: number;
  readonly partition: string;
  readonly amount: string;
  readonly key: string;
  readonly control: boolean;
}

/** Marks of a recording, made once: texts and shapes do not depend on the playhead. */
export class MarkTable {
  readonly marks: readonly MarkView[];
  readonly fromMs: number;
  readonly toMs: number;

  constructor(recording: Recording) {
    const names = namesOf(recording);
    const measured = new Set(recording.queries.flatMap((query) => [...aggregated(query.plan)]));
    const columns = new Map(
      recording.opened.sources.map((source) => [
        source.source,
        markColumns(source.columns, measured),
      ]),
    );
    let from = Number.POSITIVE_INFINITY;
    let to = Number.NEGATIVE_INFINITY;
    this.marks = recording.marks.map((mark, step) => {
      const name = names.get(`${mark.source}:${mark.partition}`);
      const shown = columns.get(mark.source);
      if (mark.rowtimeMs !== null) {
        from = Math.min(from, mark.rowtimeMs);
        to = Math.max(to, mark.rowtimeMs);
      }
      return {
        step,
        rowtimeMs: mark.rowtimeMs ?? undefined,
        shape: name?.shape ?? 0,
        partition: name?.name ?? '',
        amount: amountText(mark, shown?.amount),
        key: (shown !== undefined && shown.key >= 0 ? mark.cells[shown.key] : '') ?? 'NULL',
        kind: mark.kind,
        control: isControl(mark),
        silent: mark.kind === 'tick',
      };
    });
    this.fromMs = from;
    this.toMs = to;
  }
}

/** Whether a mark is no row but a change of a partition's status. */
export function isControl(mark: Mark): boolean {
  return mark.kind !== '+I' && mark.kind !== '-U' && mark.kind !== '+U' && mark.kind !== '-D';
}

function amountText(mark: Mark, column: number | undefined): string {
  const cell = column === undefined || column < 0 ? undefined : mark.cells[column];
  return cell === undefined || cell === null ? '' : shortNumber(cell);
}

/** A number in at most four characters, as it fits into a mark. */
export function shortNumber(cell: string): string {
  if (cell.length <= 3 || !isNumber(cell)) return cell.slice(0, 4);
  const value = Number(cell);
  const size = Math.abs(value);
  if (size < 1000) return String(Math.round(value));
  const [scaled, unit] =
    size < 1e6 ? [value / 1e3, 'k'] : size < 1e9 ? [value / 1e6, 'M'] : [value / 1e9, 'G'];
  return `${Math.abs(scaled) < 10 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** What became of the event of a step, seen from `now`. */
export function fateOf(
  recording: Recording,
  query: QueryRecording,
  at: { step: number; now: number },
): MarkFate {
  if (at.step > at.now) return 'future';
  const { late, behind } = outcomeAt(recording, query, at.step);
  if (late !== undefined) return 'dropped';
  if (behind) return 'behind';
  const rowtimeMs = recording.marks[at.step]?.rowtimeMs;
  if (rowtimeMs === null || rowtimeMs === undefined) return 'counted';
  return query.tracks.sealedAt(rowtimeMs, at.now) ? 'sealed' : 'counted';
}

/** A whole row as words: the cells that are no points in time. */
export function rowWords(cells: readonly (string | null)[], skip: ReadonlySet<number>): string {
  return cells
    .filter((_, at) => !skip.has(at))
    .map((cell) => cell ?? 'NULL')
    .join(' ');
}
