/** What happens in a step, as facts in the order in which they are told. */
import type { Recording } from './recording.ts';
import { viewAt } from './view.ts';

/** A fact that is worth a sentence. */
export type Told =
  | {
      readonly kind: 'sends';
      readonly partition: string;
      readonly row: readonly (string | null)[];
      readonly rowtimeMs: number | undefined;
    }
  | { readonly kind: 'dropped'; readonly startMs: number; readonly endMs: number }
  | { readonly kind: 'behind' }
  | { readonly kind: 'watermark'; readonly ms: number }
  | {
      readonly kind: 'fires';
      readonly startMs: number;
      readonly endMs: number;
      readonly rows: number;
    }
  | { readonly kind: 'updates' | 'inserts'; readonly rows: number }
  | { readonly kind: 'idle'; readonly partition: string }
  | { readonly kind: 'start' | 'end' | 'quiet' };

/** Facts of a step in the eyes of one query. */
export function toldAt(recording: Recording, lane: number, step: number): Told[] {
  if (step < 0) return [{ kind: 'start' }];
  const view = viewAt(recording, step + 0.95);
  const query = view.lanes[lane];
  const told: Told[] = [];
  if (query === undefined) return told;
  const { tracks } = query.recording;
  const { mark } = view;
  if (step >= recording.slots) told.push({ kind: 'end' });
  const partitionOf = query.partitions.find(
    (each) => each.source === mark?.source && each.partition === mark.partition,
  );
  if (mark !== undefined && partitionOf !== undefined && /^[+-][IUD]$/.test(mark.kind)) {
    const rowtimeMs = mark.rowtimeMs ?? undefined;
    told.push({ kind: 'sends', partition: partitionOf.name, row: mark.cells, rowtimeMs });
  }
  const { late, behind } = query.outcome;
  if (late !== undefined) told.push({ kind: 'dropped', startMs: late.startMs, endMs: late.endMs });
  else if (behind && query.recording.plan.windowed !== undefined) told.push({ kind: 'behind' });
  for (const partition of query.partitions) {
    const track = tracks.partition(partition.source, partition.partition);
    if (partition.idle && track?.idle.since(step) === step) {
      told.push({ kind: 'idle', partition: partition.name });
    }
  }
  const { watermarkMs } = query;
  if (watermarkMs !== undefined && tracks.watermark.since(step) === step) {
    told.push({ kind: 'watermark', ms: watermarkMs });
  }
  for (const window of query.fires) {
    told.push({ kind: 'fires', ...window, rows: window.rows.length });
  }
  told.push(...resultFacts(tracks.tally(step), tracks.tally(step - 1), query.fires.length > 0));
  return told.length === 0 ? [{ kind: 'quiet' }] : told;
}

function resultFacts(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  fires: boolean,
): Told[] {
  const grown = (kind: string) => (now[kind] ?? 0) - (before[kind] ?? 0);
  const facts: Told[] = [];
  if (grown('+U') > 0) facts.push({ kind: 'updates', rows: grown('+U') });
  if (grown('+I') > 0 && !fires) facts.push({ kind: 'inserts', rows: grown('+I') });
  return facts;
}

/** Whether a fact is told even while playing. */
export function grave(told: Told): boolean {
  return told.kind === 'fires' || told.kind === 'dropped' || told.kind === 'updates';
}
