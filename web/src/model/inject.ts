/** The event that a person is about to insert: its fields from the table's columns, its values from the stream. */
import type { Bilingual, ColumnView, Workspace } from '../engine/api.ts';
import { stampMs } from './cells.ts';
import type { InjectedEvent } from './intent.ts';
import type { Recording } from './recording.ts';
import { namesOf } from './view.ts';
import { timeText } from './workspace.ts';

/** What a query would do with an event, as the engine computed it. */
export type Foreseen =
  | {
      readonly kind: 'dropped';
      readonly window: { readonly startMs: number; readonly endMs: number } | undefined;
    }
  | {
      readonly kind: 'rewrites';
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly kind: 'inserts'; readonly row: readonly string[] }
  | { readonly kind: 'counted'; readonly behind: boolean }
  | { readonly kind: 'refused'; readonly reason: Bilingual };

/** A field of the form. */
export interface InjectField {
  readonly name: string;
  readonly kind: 'choice' | 'number' | 'text' | 'time';
  readonly choices: readonly string[];
  readonly rowtime: boolean;
}

/** An event in the making. */
export interface InjectDraft {
  readonly event: InjectedEvent;
  readonly tables: readonly string[];
  readonly partitions: readonly { readonly partition: number; readonly shape: number }[];
  readonly fields: readonly InjectField[];
}

/** Distinct values that are offered as buttons; with more the field is text. */
const CHOICES_MOST = 5;

/** A draft for a table, filled with values like those around the playhead. */
export function draftFor(
  recording: Recording,
  workspace: Workspace,
  step: number,
  table?: string,
): InjectDraft | undefined {
  const { sources } = recording.opened;
  const near = recording.marks[Math.max(0, step)];
  const source =
    sources.find((each) => each.table === table) ??
    sources.find((each) => each.source === near?.source) ??
    sources[0];
  if (source === undefined) return undefined;
  const mine = recording.marks.filter((mark) => mark.source === source.source && mark.event >= 0);
  const model = mine.findLast((mark) => recording.marks.indexOf(mark) <= step) ?? mine[0];
  const sample = workspace.events[model?.event ?? -1]?.row ?? {};
  const fields = source.columns.map((column, at) =>
    fieldOf(
      column,
      mine.map((mark) => mark.cells[at] ?? null),
    ),
  );
  const row = Object.fromEntries(
    source.columns.map((column) => [column.name, plainValue(sample[column.name])]),
  );
  const names = namesOf(recording);
  return {
    event: {
      table: source.table,
      partition: model?.partition ?? 0,
      kind: '+I',
      row,
    },
    tables: sources.map((each) => each.table),
    partitions: Array.from({ length: source.partitions }, (_, partition) => ({
      partition,
      shape: names.get(`${source.source}:${partition}`)?.shape ?? partition,
    })),
    fields,
  };
}

function fieldOf(column: ColumnView, cells: readonly (string | null)[]): InjectField {
  const base = { name: column.name, choices: [], rowtime: column.rowtime };
  if (/^(TIMESTAMP|DATE)/.test(column.type)) return { ...base, kind: 'time' };
  if (column.numeric) return { ...base, kind: 'number' };
  const choices = [...new Set(cells.filter((cell) => cell !== null))].slice(0, CHOICES_MOST + 1);
  const few = choices.length > 0 && choices.length <= CHOICES_MOST;
  return few ? { ...base, kind: 'choice', choices } : { ...base, kind: 'text' };
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return null;
}

/** The stretch of time that a field's slider covers. */
export interface DraftTimes {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly valueMs: number;
  readonly textOf: (ms: number) => string;
}

/** Range of a time field: that of the stream. */
export function draftTimes(recording: Recording, draft: InjectDraft, field: string): DraftTimes {
  const times = recording.marks.flatMap((mark) =>
    mark.rowtimeMs === null ? [] : [mark.rowtimeMs],
  );
  const fromMs = Math.min(...times.slice(0, 5000), times.at(-1) ?? 0);
  const toMs = Math.max(...times.slice(-5000), times[0] ?? 0);
  const value = draft.event.row[field];
  const asMs =
    typeof value === 'number' ? value : stampMs(typeof value === 'string' ? value : null);
  const span = Math.max(1000, toMs - fromMs);
  const stepMs = span > 86_400_000 ? 60_000 : 1000;
  const round = (ms: number) => Math.round(ms / stepMs) * stepMs;
  const textLike = typeof value === 'string' && value.includes('T') ? 'T' : ' ';
  const zone = typeof value === 'string' && value.endsWith('Z') ? 'Z' : '';
  return {
    fromMs: round(fromMs - span * 0.05),
    toMs: round(toMs + span * 0.1),
    stepMs,
    valueMs: asMs ?? round(fromMs),
    textOf: (ms) => timeText(ms).replace(' ', textLike) + zone,
  };
}
