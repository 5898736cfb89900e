/**
 * What stands beside the timeline: windows with their status and contents, and, for a grouping without a
 * window, the groups that are kept for ever, by the time in their key.
 */
import { cellsOf, splitKey, stampMs, windowEndMs } from './cells.ts';
import { rolesOf } from './columns.ts';
import type { StateEntry } from './fold.ts';
import type { QueryRecording, Recording } from './recording.ts';
import type { WindowTrack } from './tracks.ts';

/** How a window stands. */
export type BandStatus = 'future' | 'filling' | 'waiting' | 'sealed' | 'kept';

/** A key and its first value. */
export interface BandEntry {
  readonly key: string;
  readonly value: string;
}

/** A stretch of event time and what the query has made of it. */
export interface Band {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: BandStatus;
  readonly openedStep: number;
  readonly firedStep: number | undefined;
  readonly entries: readonly BandEntry[];
  /** Whether it is a window, or just where groups fell. */
  readonly window: boolean;
}

/** Bands of a query after a step, from early to late. */
export function bandsAt(recording: Recording, query: QueryRecording, step: number): Band[] {
  if (query.plan.windowed !== undefined) return windowsAt(recording, query, step);
  return groupsAt(query, step);
}

function windowsAt(recording: Recording, query: QueryRecording, step: number): Band[] {
  const held = entriesByEnd(query, step);
  const latest = recording.latestRowtime(step);
  const sessions = query.plan.windowed?.args.some((arg) => /session/i.test(arg)) === true;
  return query.tracks.windows
    .filter((window) => !(sessions && isAbsorbed(window, step)))
    .map((window): Band => {
      const fired = window.firedStep !== undefined && window.firedStep <= step;
      return {
        id: window.id,
        startMs: window.startMs,
        endMs: window.endMs,
        status: statusOf(window, { step, fired, latest }),
        openedStep: window.openedStep,
        firedStep: window.firedStep,
        entries: fired ? rowsOf(query, window) : (held.get(window.endMs) ?? []),
        window: true,
      };
    })
    .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

/** Whether a session is part of a longer one at a step, or will be before it has come: it has no end of its own. */
function isAbsorbed(window: WindowTrack, step: number): boolean {
  const { openedStep, firedStep, sealedStep } = window;
  if (sealedStep === undefined || (firedStep !== undefined && firedStep <= sealedStep))
    return false;
  return openedStep > step || sealedStep <= step;
}

function statusOf(
  window: WindowTrack,
  at: { step: number; fired: boolean; latest: number },
): BandStatus {
  if (at.fired) return 'sealed';
  if (window.openedStep > at.step) return 'future';
  return at.latest >= window.endMs ? 'waiting' : 'filling';
}

function entriesByEnd(query: QueryRecording, step: number): Map<number, BandEntry[]> {
  const by = new Map<number, BandEntry[]>();
  for (const entry of shownEntries(query, step, query.plan.windowed?.id)) {
    const end = windowEndMs(query.text(entry.namespace));
    if (end === undefined) continue;
    const list = by.get(end) ?? [];
    by.set(end, list);
    const outer = splitKey(query.text(entry.key))?.outer;
    const key = outer === undefined ? query.cellsOf(entry.key).cells : cellsOf(outer);
    const value = query.valueOf(entry.value)[0] ?? '';
    // Rows that are kept as they came say nothing in so little room.
    list.push({ key: key.join(' '), value: value.startsWith('+I[') ? '' : value });
  }
  return by;
}

function shownEntries(
  query: QueryRecording,
  step: number,
  operator: number | undefined,
): Iterable<StateEntry> {
  if (operator === undefined) return [];
  return query.stateAt(step).operators.get(operator)?.values() ?? [];
}

const released = new WeakMap<WindowTrack, readonly BandEntry[]>();

/** Rows of a fired window as key and first value of the result. */
export function rowsOf(query: QueryRecording, window: WindowTrack): readonly BandEntry[] {
  const known = released.get(window);
  if (known !== undefined && known.length === window.rows.length) return known;
  const rows = window.rows.map((cells) => entryOfRow(query, query.row(cells)));
  released.set(window, rows);
  return rows;
}

/** Key and measure of a result row: what tells it apart beside its time, and the first measure. */
export function entryOfRow(query: QueryRecording, row: readonly (string | null)[]): BandEntry {
  const { keys, measures } = rolesOf(query.plan);
  const key = keys
    .filter((at) => stampMs(row[at] ?? null) === undefined)
    .map((at) => row[at] ?? 'NULL');
  const [measure] = measures;
  return { key: key.join(' '), value: measure === undefined ? '' : (row[measure] ?? 'NULL') };
}

function groupsAt(query: QueryRecording, step: number): Band[] {
  const operator = query.plan.tasks.findLast(
    (task) => task.stateful !== undefined && task.stateful.cleanup === 'never',
  )?.stateful;
  if (operator === undefined) return [];
  const known = groupStarts(query, operator.id);
  if (known.length === 0) return [];
  const gap = leastGap(known);
  const by = new Map<number, { opened: number; entries: BandEntry[] }>();
  for (const entry of shownEntries(query, step, operator.id)) {
    const { stampMs: start, others } = query.cellsOf(entry.key);
    if (start === undefined) continue;
    const band = by.get(start) ?? { opened: entry.createdStep, entries: [] };
    by.set(start, band);
    band.opened = Math.min(band.opened, entry.createdStep);
    band.entries.push({
      key: others.join(' '),
      value: query.valueOf(entry.value)[0] ?? '',
    });
  }
  return known.map((startMs): Band => {
    const band = by.get(startMs);
    return {
      id: `group:${startMs}`,
      startMs,
      endMs: startMs + gap,
      status: band === undefined ? 'future' : 'kept',
      openedStep: band?.opened ?? Number.POSITIVE_INFINITY,
      firedStep: undefined,
      entries: band?.entries ?? [],
      window: false,
    };
  });
}

const starts = new WeakMap<QueryRecording, { at: number; known: readonly number[] }>();
/** Entries beyond which groups are too many to be drawn as bands. */
const GROUPED_MOST = 3000;

/** Points in time that keys of an operator carry over the whole replay, rising. */
export function groupStarts(query: QueryRecording, operator: number): readonly number[] {
  const cached = starts.get(query);
  if (cached !== undefined && cached.at === query.version) return cached.known;
  const found = new Set<number>();
  const entries = query.stateAt(query.lastStep).operators.get(operator);
  if (entries !== undefined && entries.size <= GROUPED_MOST) {
    for (const entry of entries.values()) {
      const { stampMs: ms } = query.cellsOf(entry.key);
      if (ms !== undefined) found.add(ms);
    }
  }
  const known = [...found].sort((a, b) => a - b);
  starts.set(query, { at: query.version, known });
  return known;
}

const MINUTE = 60_000;

function leastGap(rising: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < rising.length; at++) {
    least = Math.min(least, (rising[at] ?? 0) - (rising[at - 1] ?? 0));
  }
  return Number.isFinite(least) ? least : MINUTE;
}
