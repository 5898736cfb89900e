/** Arrival tracks below the plot, one per partition, on the plot's x axis. */
import type { Stage } from '../layout/stage.ts';
import { pxFromSlot } from '../layout/time_scale.ts';
import type { MarkTable } from '../model/marks.ts';
import { lastAtOrBefore, type Series } from '../model/series.ts';
import type { PartitionTrack } from '../model/tracks.ts';
import type { PartitionView } from '../model/view.ts';
import { type GlyphName, shapeOf } from './glyph.ts';
import { type DrawItem, glyph, line, path, rect, roughWidth, text } from './list.ts';
import type { TimelineWords } from './words.ts';

/** Silence that is worth showing, as a share of the idle timeout or in milliseconds without one. */
export const SILENT_MS = 30_000;

/** Middle of a track. */
export function trackY(stage: Stage, at: number): number {
  return stage.trackTop + at * stage.trackHeight + stage.trackHeight / 2;
}

/** Lines of the tracks. */
export function trackLines(stage: Stage): DrawItem[] {
  const { plot } = stage;
  return Array.from({ length: stage.tracks }, (_, at) => {
    const y = trackY(stage, at);
    return line(plot.x, y, plot.x + plot.w, y, { stroke: 'line' });
  });
}

/** Names and watermarks in the gutter. */
export function trackHeads(
  partitions: readonly PartitionView[],
  stage: Stage,
  words: TimelineWords,
): DrawItem[] {
  const { gutter } = stage;
  return partitions.slice(0, stage.tracks).flatMap((partition, at) => {
    const y = trackY(stage, at);
    const items: DrawItem[] = [];
    const shape = shapeOf(partition.shape);
    if (gutter <= 100) {
      items.push(glyph(shape, { x: gutter - 14, y, size: 10 }, { stroke: 'ink-2' }));
      return items;
    }
    items.push(
      glyph(shape, { x: 20, y, size: 11 }, { stroke: 'ink-2' }),
      text(32, y + 3.8, partition.name, { face: 'chip-strong', ink: 'ink-2' }),
      text(gutter - 10, y + 3.8, watermarkWords(partition, words), {
        face: partition.holder ? 'chip-strong' : 'chip',
        ink: partition.holder ? 'water-ink' : 'ink-3',
        anchor: 'end',
      }),
    );
    return items;
  });
}

/** A partition's watermark in few letters. */
export function watermarkWords(partition: PartitionView, words: TimelineWords): string {
  if (partition.idle) return words.idle;
  return partition.watermarkMs === undefined ? '—' : words.short(partition.watermarkMs);
}

/** Small marks of all arrivals; `now` parts what has come from what has not. */
export function trackMarks(
  table: MarkTable,
  stage: Stage,
  at: { now: number; dropped: (step: number) => boolean; rowOf: (step: number) => number },
): DrawItem[] {
  const items: DrawItem[] = [];
  const first = Math.max(0, Math.floor(stage.slots.first));
  const last = Math.min(table.marks.length - 1, Math.ceil(stage.slots.first + stage.slots.visible));
  const dense = stage.slots.perSlot < 4;
  const size = stage.trackHeight < 15 ? 7 : 8;
  for (let step = first; step <= last; step++) {
    const mark = table.marks[step];
    const row = at.rowOf(step);
    if (mark === undefined || row < 0 || row >= stage.tracks) continue;
    const x = pxFromSlot(stage.slots, step);
    const y = trackY(stage, row);
    const come = step <= at.now;
    if (mark.control) {
      items.push(...controlMark(mark.kind, { x, y, come }));
      continue;
    }
    const ink = come ? (at.dropped(step) ? 'alarm' : 'ink-2') : 'ink-4';
    if (dense) items.push(rect({ x: x - 0.5, y: y - 3, w: 1, h: 6 }, { fill: ink }));
    else if (come) items.push(glyph(shapeOf(mark.shape), { x, y, size }, { fill: ink }));
    else items.push(glyph(shapeOf(mark.shape), { x, y, size }, { stroke: ink, width: 0.8 }));
  }
  return items;
}

const CONTROL_GLYPHS: Readonly<Record<string, GlyphName>> = {
  idle: 'moon',
  active: 'rewind',
  hold: 'hold',
  release: 'play',
  watermark: 'step',
};

/** A change of a partition's status, on its track. A tick is nothing to be seen. */
function controlMark(kind: string, at: { x: number; y: number; come: boolean }): DrawItem[] {
  const name = CONTROL_GLYPHS[kind];
  if (name === undefined) return [];
  const stroke = at.come ? 'ua' : 'ink-4';
  return [glyph(name, { x: at.x, y: at.y, size: 12 }, { stroke, width: 1.4 })];
}

/** What is going on with the partitions at the playhead: idle, held, silent. */
export function trackStates(
  tracks: readonly PartitionTrack[],
  views: readonly PartitionView[],
  stage: Stage,
  at: { now: number; playheadX: number; words: TimelineWords },
): DrawItem[] {
  return tracks.slice(0, stage.tracks).flatMap((track, row) => {
    const y = trackY(stage, row);
    const view = views[row];
    const items: DrawItem[] = [
      ...stretches(track.idle, at.now).map(([from, to]) => {
        const x = pxFromSlot(stage.slots, from);
        const end = to === undefined ? at.playheadX : pxFromSlot(stage.slots, to);
        return rect({ x, y: y - 4.5, w: end - x, h: 9 }, { fill: 'hatch-idle', opacity: 0.9 });
      }),
      ...stretches(track.held, at.now).map(([from, to]) => {
        const x = pxFromSlot(stage.slots, from);
        const end = to === undefined ? at.playheadX : pxFromSlot(stage.slots, to);
        return rect({ x, y: y - 4.5, w: end - x, h: 9, r: 2 }, { fill: 'ua-soft', stroke: 'ua' });
      }),
    ];
    const last = track.arrivals[lastAtOrBefore(track.arrivals, at.now)];
    const silent = view?.silentMs ?? 0;
    if (view !== undefined && last !== undefined && silent >= SILENT_MS && !view.idle) {
      items.push(...silence({ fromX: pxFromSlot(stage.slots, last), y, silent }, at));
    }
    return items;
  });
}

function silence(
  of: { fromX: number; y: number; silent: number },
  at: { playheadX: number; words: TimelineWords },
): DrawItem[] {
  const { fromX, y } = of;
  const words = at.words.silent(at.words.length(of.silent));
  const width = roughWidth(words, 'caption') + 14;
  const items: DrawItem[] = [
    path(`M${fromX + 7} ${y}H${at.playheadX}`, {
      stroke: 'ua',
      width: 1.5,
      dash: [1, 3.5],
      round: true,
    }),
  ];
  if (at.playheadX - fromX > width + 16) {
    const x = at.playheadX - width - 6;
    items.push(
      rect({ x, y: y - 7.5, w: width, h: 15, r: 7.5 }, { fill: 'ua-soft' }),
      text(x + width / 2, y + 3.7, words, { face: 'caption', ink: 'ua-ink', anchor: 'middle' }),
    );
  }
  return items;
}

/** Stretches of steps in which a series is true; the last one may be open. */
export function stretches(series: Series<boolean>, now: number): [number, number | undefined][] {
  const found: [number, number | undefined][] = [];
  for (const [at, step] of series.steps.entries()) {
    if (step > now) break;
    if (series.values[at] !== true) continue;
    const next = series.steps[at + 1];
    found.push([step, next !== undefined && next <= now ? next : undefined]);
  }
  return found;
}
