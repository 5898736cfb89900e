/**
 * What is to be seen at a playhead (ui.md 5): a function of recording and position. Of a slot, the first
 * part brings the record to its operator, the second the result; so state and results lag behind.
 */
import type { Frame, RowKind } from '../engine/frames.ts';
import type { ResultFold, StateFold } from './fold.ts';
import type { Mark, QueryRecording, Recording } from './recording.ts';
import { lastAtOrBefore } from './series.ts';
import type { LateTrack, Tally, WindowTrack } from './tracks.ts';

/** Shares of a slot at which things happen. */
export const MOMENTS = {
  /** The record has reached the operator. */
  arrived: 0.38,
  /** State has changed. */
  settled: 0.4,
  /** The first row leaves. */
  leaves: 0.44,
  /** Log, table and tally change. */
  shown: 0.87,
  /** A step comes to rest. */
  rest: 0.95,
} as const;

/** A partition at the playhead. */
export interface PartitionView {
  readonly source: number;
  readonly partition: number;
  readonly name: string;
  readonly table: string;
  /** Shape: a number that runs over all partitions of the stream. */
  readonly shape: number;
  readonly watermarkMs: number | undefined;
  readonly idle: boolean;
  readonly held: boolean;
  readonly holder: boolean;
  /** Its watermark is behind the output, and it does not count. */
  readonly outside: boolean;
  /** Processing time since its last event. */
  readonly silentMs: number | undefined;
}

/** What became of the event of a slot. */
export interface Outcome {
  readonly late: LateTrack | undefined;
  /** Behind the watermark, and counted all the same. */
  readonly behind: boolean;
}

/** One query at the playhead. */
export interface LaneView {
  readonly recording: QueryRecording;
  readonly frame: Frame | undefined;
  readonly watermarkMs: number | undefined;
  readonly partitions: readonly PartitionView[];
  readonly outcome: Outcome;
  readonly fires: readonly WindowTrack[];
  readonly tally: Tally;
  readonly logLength: number;
}

/** Everything at the playhead that does not need a fold. */
export interface View {
  readonly p: number;
  /** Last arrival: −1 before the first. */
  readonly step: number;
  readonly fraction: number;
  /** Step whose state is seen. */
  readonly settledStep: number;
  /** Step whose results are seen. */
  readonly shownStep: number;
  readonly mark: Mark | undefined;
  readonly processingMs: number;
  readonly lanes: readonly LaneView[];
}

/** The view at a position. */
export function viewAt(recording: Recording, p: number): View {
  const end = recording.endStep;
  const step = Math.max(-1, Math.min(end, Math.floor(p)));
  const within = (after: number) => Math.max(-1, Math.min(end, Math.floor(p - after)));
  const shownStep = within(MOMENTS.shown);
  return {
    p,
    step,
    fraction: p - Math.floor(p),
    settledStep: within(MOMENTS.settled),
    shownStep,
    mark: recording.marks[step],
    processingMs: processingAt(recording, step),
    lanes: recording.queries.map((query) => laneAt(recording, query, { step, shownStep })),
  };
}

/** Processing time of a step; before the first arrival that of the first. */
export function processingAt(recording: Recording, step: number): number {
  const last = recording.marks.length - 1;
  return recording.marks[Math.max(0, Math.min(last, step))]?.atMs ?? 0;
}

function laneAt(
  recording: Recording,
  query: QueryRecording,
  at: { step: number; shownStep: number },
): LaneView {
  const { tracks } = query;
  const { step } = at;
  return {
    recording: query,
    frame: query.frame(step),
    watermarkMs: tracks.watermark.at(step),
    partitions: partitionsAt(recording, query, step),
    outcome: outcomeAt(recording, query, step),
    fires: tracks.firesAt(step),
    tally: tracks.tally(at.shownStep),
    logLength: tracks.logLength(at.shownStep),
  };
}

/** What became of the event that arrived at a step. */
export function outcomeAt(recording: Recording, query: QueryRecording, step: number): Outcome {
  const { tracks } = query;
  const late = tracks.late.get(step);
  const rowtimeMs = recording.marks[step]?.rowtimeMs;
  const before = tracks.watermark.at(step - 1);
  const behind =
    late === undefined &&
    rowtimeMs !== null &&
    rowtimeMs !== undefined &&
    before !== undefined &&
    rowtimeMs <= before;
  return { late, behind };
}

/** Partitions of a query's sources at a step. */
export function partitionsAt(
  recording: Recording,
  query: QueryRecording,
  step: number,
): readonly PartitionView[] {
  const { tracks } = query;
  const holder = tracks.holder.at(step);
  const output = tracks.watermark.at(step);
  const names = namesOf(recording);
  return tracks.partitions.map((track, at) => {
    const watermarkMs = track.watermark.at(step);
    const last = track.arrivals[lastAtOrBefore(track.arrivals, step)];
    const idle = track.idle.at(step) ?? false;
    const name = names.get(`${track.source}:${track.partition}`);
    return {
      source: track.source,
      partition: track.partition,
      name: name?.name ?? `p${track.partition}`,
      table: name?.table ?? '',
      shape: name?.shape ?? track.partition,
      watermarkMs,
      idle,
      held: track.held.at(step) ?? false,
      holder: holder === at && !idle,
      outside:
        !idle &&
        watermarkMs !== undefined &&
        output !== undefined &&
        watermarkMs < output &&
        holder !== at,
      silentMs:
        last === undefined
          ? undefined
          : processingAt(recording, step) - processingAt(recording, last),
    };
  });
}

/** Names and shapes of all partitions of a stream, by `source:partition`. */
export function namesOf(
  recording: Recording,
): ReadonlyMap<string, { name: string; table: string; shape: number }> {
  const { sources } = recording.opened;
  const names = new Map<string, { name: string; table: string; shape: number }>();
  let shape = 0;
  for (const source of sources) {
    for (let partition = 0; partition < source.partitions; partition++) {
      const short = `p${partition}`;
      const name = sources.length > 1 ? `${source.table}.${short}` : short;
      names.set(`${source.source}:${partition}`, { name, table: source.table, shape: shape++ });
    }
  }
  return names;
}

/** State as it is seen at a view. */
export function stateOf(view: View, query: QueryRecording): StateFold {
  return query.stateAt(view.settledStep);
}

/** Result rows as they are seen at a view. */
export function resultOf(view: View, query: QueryRecording): ResultFold {
  return query.resultAt(view.shownStep);
}

/** A point of the replay that is worth a jump. */
export interface Marker {
  readonly step: number;
  readonly query: number;
  readonly kind: 'fires' | 'insert' | 'update' | 'delete' | 'drop' | 'idle' | 'fault' | 'end';
}

const GRAVITY: readonly Marker['kind'][] = [
  'fault',
  'drop',
  'delete',
  'update',
  'fires',
  'idle',
  'insert',
  'end',
];

/** Which of two markers a bin shows. */
export function graver(a: Marker['kind'], b: Marker['kind']): Marker['kind'] {
  return GRAVITY.indexOf(a) <= GRAVITY.indexOf(b) ? a : b;
}

/** Markers of a query, by step. */
export function markersOf(recording: Recording, query: number): readonly Marker[] {
  const tracks = recording.queries[query]?.tracks;
  if (tracks === undefined) return [];
  const found: Marker[] = [];
  const fired = new Set(tracks.windows.map((window) => window.firedStep));
  for (const step of fired) if (step !== undefined) found.push({ step, query, kind: 'fires' });
  for (const step of tracks.late.keys()) found.push({ step, query, kind: 'drop' });
  for (const partition of query === 0 ? tracks.partitions : []) {
    for (const [at, step] of partition.idle.steps.entries()) {
      if (partition.idle.values[at] === true) found.push({ step, query, kind: 'idle' });
    }
  }
  for (const [step, kind] of changesByStep(tracks.log.steps, tracks.log.kinds)) {
    if (kind !== 'insert' || !fired.has(step)) found.push({ step, query, kind });
  }
  if (tracks.fault !== undefined) found.push({ step: tracks.fault.step, query, kind: 'fault' });
  return found.sort((a, b) => a.step - b.step);
}

function changesByStep(
  steps: readonly number[],
  kinds: readonly RowKind[],
): Map<number, 'insert' | 'update' | 'delete'> {
  const by = new Map<number, 'insert' | 'update' | 'delete'>();
  for (const [at, step] of steps.entries()) {
    const kind = kinds[at];
    const known = by.get(step);
    if (kind === '-D' && known !== 'update') by.set(step, 'delete');
    else if (kind === '-U' || kind === '+U') by.set(step, 'update');
    else if (known === undefined) by.set(step, 'insert');
  }
  return by;
}
