/**
 * The timeline: arrival to the right, event time upwards, the watermark as water. Pure functions from
 * recording and playhead to four layers; only two of them change while the playhead is within a slot.
 */
import type { Stage, StageOptions } from '../layout/stage.ts';
import { pxFromSlot } from '../layout/time_scale.ts';
import type { Band } from '../model/bands.ts';
import { fateOf, type MarkTable, type MarkView } from '../model/marks.ts';
import type { QueryRecording, Recording } from '../model/recording.ts';
import { type Marker, processingAt, type View } from '../model/view.ts';
import {
  bandBoxes,
  bandGrid,
  bandHeaders,
  chips,
  crossings,
  mergedBoxes,
  merges,
  overlap,
} from './bands.ts';
import { clip, type DrawItem, line, path, px, rect, roughWidth, text } from './list.ts';
import { denseMarks, fateLabel, markItems, markPlace, type PlacedMark } from './marks.ts';
import { trackHeads, trackLines, trackMarks, trackStates } from './partitions.ts';
import { playheadItems } from './playhead.ts';
import {
  scrubberAxis,
  scrubberBar,
  scrubberHead,
  scrubberMarkers,
  scrubberNow,
  slotTicks,
} from './scrubber.ts';
import { stageOf } from './timeline_stage.ts';
import { partitionLine, stairOf, waterBody, waterLine } from './water.ts';
import type { TimelineWords } from './words.ts';

/** A mark that is being dragged, and what would come of it. */
export interface DragView {
  readonly step: number;
  readonly x: number;
  readonly y: number;
  /** Slot on which it would land. */
  readonly target: number;
  readonly words: string;
  readonly tone: 'good' | 'bad' | 'plain';
}

/** What a timeline shows. */
export interface TimelineInput {
  readonly recording: Recording;
  readonly query: QueryRecording;
  /** Number of the query in the recording. */
  readonly lane: number;
  readonly letters: readonly string[];
  readonly view: View;
  readonly table: MarkTable;
  /** Bands of the query after the view's step. */
  readonly bands: readonly Band[];
  /** Markers of each lane. */
  readonly markers: readonly (readonly Marker[])[];
  readonly size: { readonly width: number; readonly height: number };
  readonly visible: number | undefined;
  readonly options: StageOptions;
  readonly words: TimelineWords;
  readonly hotPartition: number | undefined;
  readonly touchedStep: number | undefined;
  readonly drag: DragView | undefined;
  /** No halo, no ring, nothing between two positions. */
  readonly still: boolean;
  /** Position that is not to be given away. */
  readonly limit: number | undefined;
}

/** Layers from back to front. `under` and `over` change with every frame. */
export interface TimelineLayers {
  readonly stage: Stage;
  readonly playheadX: number;
  ground(): DrawItem[];
  /** Bar and axis of the scrubber. */
  axis(): DrawItem[];
  under(): DrawItem[];
  /** Marks of one look before the playhead and another behind it, or all as they are. */
  marks(): MarkLayer;
  /** Markers of the scrubber, as passed and as still to come. */
  scrub(): { past: DrawItem[]; future: DrawItem[] };
  /** Both, cut at the playhead's slot. */
  scrubCut(): DrawItem[];
  gutter(): DrawItem[];
  over(): DrawItem[];
}

/** Marks by slot, or as two pictures that are cut at the playhead. */
export type MarkLayer =
  | { readonly kind: 'marks'; readonly items: DrawItem[] }
  | { readonly kind: 'split'; readonly past: DrawItem[]; readonly future: DrawItem[] };

/** Lays the timeline out and gives its layers, each made when asked for. */
export function timeline(given: TimelineInput): TimelineLayers {
  const stage = stageOf(given);
  const input = { ...given, bands: bandsIn(given.bands, stage) };
  const playheadX = pxFromSlot(stage.slots, input.view.p);
  const scene: Scene = { input, stage, playheadX };
  return {
    stage,
    playheadX,
    ground: () => ground(scene),
    axis: () => axis(scene),
    under: () => under(scene),
    marks: () => marks(scene),
    scrub: () => scrubMarks(scene),
    scrubCut: () => halves(scene, scrubMarks(scene)),
    gutter: () => gutter(scene),
    over: () => over(scene),
  };
}

/** Bands that reach into the view. */
function bandsIn(bands: readonly Band[], stage: Stage): readonly Band[] {
  const { fromMs, toMs } = stage.events;
  const { first, visible } = stage.slots;
  return bands.filter(
    (band) =>
      band.endMs >= fromMs &&
      band.startMs <= toMs &&
      (band.status === 'future' || band.openedStep <= first + visible + 1),
  );
}

interface Scene {
  readonly input: TimelineInput;
  readonly stage: Stage;
  readonly playheadX: number;
}

function inPlot(scene: Scene, items: readonly DrawItem[]): DrawItem {
  const { plot, height } = scene.stage;
  return clip({ x: plot.x, y: 0, w: plot.w + 16, h: height }, items);
}

/** Items that stay within the plot, with a little room below for what stands on its bottom line. */
function inFrame(scene: Scene, items: readonly DrawItem[]): DrawItem {
  const { plot } = scene.stage;
  return clip({ x: plot.x, y: plot.y - 6, w: plot.w + 16, h: plot.h + 8 }, items);
}

function ground(scene: Scene): DrawItem[] {
  const { stage, input } = scene;
  const { plot } = stage;
  const verticals = slotTicks(stage, 'slots', (at) => processingAt(input.recording, at)).map(
    (step) => {
      const x = pxFromSlot(stage.slots, step - 0.5);
      return line(x, plot.y, x, plot.y + plot.h, { stroke: 'line-2', dash: [1, 4] });
    },
  );
  const items: DrawItem[] = [
    rect({ x: plot.x, y: plot.y, w: plot.w, h: plot.h }, { fill: 'stage' }),
    inPlot(scene, verticals),
    ...trackLines(stage),
  ];
  if (stage.gutter > 100) {
    const { eventTime } = input.words;
    items.push(text(plot.x + 7, plot.y + 13, eventTime, { face: 'caption' }));
  }
  return items;
}

/** What stands around the scrubber whatever the playhead does. */
function axis(scene: Scene): DrawItem[] {
  const { input, stage } = scene;
  if (!input.options.scrubber) return [];
  return [
    scrubberBar(stage),
    ...scrubberAxis(stage, {
      timeOf: (at) => processingAt(input.recording, at),
      words: input.words,
    }),
  ];
}

function under(scene: Scene): DrawItem[] {
  const { input, stage, playheadX } = scene;
  const { plot } = stage;
  const { query, view, bands } = input;
  const step = view.step;
  const faint = query.plan.windowed === undefined;
  const items: DrawItem[] = [
    rect(
      { x: plot.x, y: plot.y, w: Math.max(0, Math.min(plot.w, playheadX - plot.x)), h: plot.h },
      { fill: 'past' },
    ),
  ];
  const main = stairOf(query.tracks.watermark, stage, { step, endX: playheadX });
  if (main !== undefined) items.push(waterBody(main, stage));
  const letter = input.letters[input.lane] ?? '';
  const merged = merges(bands, stage);
  if (!merged) {
    items.push(...bandBoxes(bands, stage, { p: view.p, playheadX, letter, still: input.still }));
  }
  items.push(...bandGrid(bands, stage));
  const partitions = view.lanes[input.lane]?.partitions ?? [];
  for (const [at, track] of query.tracks.partitions.entries()) {
    if (query.tracks.partitions.length < 2) break;
    const stair = stairOf(track.watermark, stage, { step, endX: playheadX });
    const partition = partitions[at];
    if (stair === undefined || partition === undefined) continue;
    items.push(
      partitionLine(stair, {
        shape: partition.shape,
        hot: input.hotPartition === at,
        idle: partition.idle,
      }),
    );
  }
  if (main !== undefined) items.push(...waterLine(main, faint));
  items.push(...crossings(bands, stage));
  const layers = [inFrame(scene, items)];
  if (stage.tracks > 0) {
    layers.push(
      inPlot(
        scene,
        trackStates(query.tracks.partitions, partitions, stage, {
          now: step,
          playheadX,
          words: input.words,
        }),
      ),
    );
  }
  return layers;
}

function marks(scene: Scene): MarkLayer {
  const { input, stage } = scene;
  const dropped = droppedSteps(input);
  if (stage.detail === 'tick' || stage.detail === 'density') {
    const { past, future } = denseMarks(input.table, stage, dropped);
    const boxes = merges(input.bands, stage) ? mergedBoxes(input.query.tracks.windows, stage) : [];
    const rows = trackRows(input);
    const track = (now: number) =>
      stage.tracks === 0
        ? []
        : trackMarks(input.table, stage, {
            now,
            dropped: (at) => dropped.has(at),
            rowOf: rows,
          });
    const all = Number.POSITIVE_INFINITY;
    return {
      kind: 'split',
      past: [inPlot(scene, [...boxes, ...past, ...track(all)])],
      future: [inPlot(scene, [...future, ...track(-1)])],
    };
  }
  const { step } = input.view;
  const items = placed(scene)
    .filter(({ mark }) => mark.step !== step && mark.step !== input.drag?.step)
    .flatMap((each) => {
      const touched = each.mark.step === input.touchedStep ? 'touched' : 'none';
      return markItems(each, stage, touched);
    });
  if (stage.tracks > 0) {
    items.unshift(
      ...trackMarks(input.table, stage, {
        now: step,
        dropped: (at) => dropped.has(at),
        rowOf: trackRows(input),
      }),
    );
  }
  return { kind: 'marks', items: [inPlot(scene, items)] };
}

/** The scrubber's markers as passed up to the slot of the playhead, as still to come behind it. */
function halves(
  scene: Scene,
  of: { past: readonly DrawItem[]; future: readonly DrawItem[] },
): DrawItem[] {
  const { stage, input } = scene;
  const { width, height } = stage;
  const cutX = pxFromSlot(stage.whole, input.view.step + 0.5) - 4;
  return [
    clip({ x: 0, y: 0, w: cutX + 4, h: height }, of.past),
    clip({ x: cutX + 4, y: 0, w: width, h: height }, of.future),
  ];
}

function droppedSteps(input: TimelineInput): ReadonlySet<number> {
  return new Set(input.query.tracks.late.keys());
}

function trackRows(input: TimelineInput): (step: number) => number {
  const rows = new Map(
    input.query.tracks.partitions.map((track, at) => [`${track.source}:${track.partition}`, at]),
  );
  return (step) => {
    const mark = input.recording.marks[step];
    return mark === undefined ? -1 : (rows.get(`${mark.source}:${mark.partition}`) ?? -1);
  };
}

function scrubMarks(scene: Scene): { past: DrawItem[]; future: DrawItem[] } {
  const { input, stage } = scene;
  const past: DrawItem[] = [];
  const future: DrawItem[] = [];
  if (!input.options.scrubber) return { past, future };
  for (const [lane, markers] of input.markers.entries()) {
    const shown = markers.filter(
      (marker) => input.limit === undefined || marker.step <= input.limit,
    );
    const side = lane === 0 ? 'above' : 'below';
    const drawn = scrubberMarkers(shown, stage, side);
    past.push(...drawn.past);
    future.push(...drawn.future);
  }
  return { past, future };
}

/** Marks in view with their fates. */
function placed(scene: Scene): PlacedMark[] {
  const { input, stage } = scene;
  const first = Math.max(0, Math.floor(stage.slots.first) - 1);
  const last = Math.ceil(stage.slots.first + stage.slots.visible) + 1;
  return input.table.marks.slice(first, last).map((mark) => placedMark(scene, mark));
}

function placedMark(scene: Scene, mark: MarkView): PlacedMark {
  const { input, stage } = scene;
  const fate = fateOf(input.recording, input.query, { step: mark.step, now: input.view.step });
  return { mark, fate, ...markPlace(stage, mark) };
}

function gutter(scene: Scene): DrawItem[] {
  const { input, stage } = scene;
  const { words, view, recording } = input;
  const partitions = view.lanes[input.lane]?.partitions ?? [];
  const items: DrawItem[] = [
    ...bandHeaders(input.bands, stage, words, (step) => processingAt(recording, step)),
  ];
  if (stage.tracks > 0) items.push(...trackHeads(partitions, stage, words));
  if (input.options.scrubber) {
    const clock = words.full(view.processingMs);
    items.push(...scrubberHead(stage, { letters: input.letters, clock, words }));
  }
  return items;
}

/** Labels beside marks that are shown at most. */
const LABELS_MOST = 6;
/** Slots for which "behind, still counted" stays. */
const BEHIND_SLOTS = 4;

function over(scene: Scene): DrawItem[] {
  const { input, stage, playheadX } = scene;
  const { view, query } = input;
  const items: DrawItem[] = [];
  const dense = stage.detail === 'tick' || stage.detail === 'density';
  if (!dense) items.push(inPlot(scene, [...current(scene), ...labels(scene)]));
  const bottom = lineBottom(stage, input.options);
  const inView = playheadX >= stage.plot.x - 2 && playheadX <= stage.plot.x + stage.plot.w + 2;
  if (inView) {
    items.push(
      ...playheadItems({
        stage,
        words: input.words,
        x: playheadX,
        bottom,
        watermarkMs: query.tracks.watermark.at(view.step),
        partitions: view.lanes[input.lane]?.partitions ?? [],
        faint: query.plan.windowed === undefined,
      }),
    );
  }
  const chipped = merges(input.bands, stage) ? [] : input.bands;
  const stacked = overlap(chipped);
  const chipItems = chipped.flatMap((band) =>
    chips(band, stage, { p: view.p, playheadX, words: input.words, over: stacked }),
  );
  items.push(inPlot(scene, chipItems));
  if (input.drag !== undefined) items.push(...dragged(scene, input.drag));
  if (input.options.scrubber) items.push(...scrubberNow(stage, view.p));
  return items;
}

function lineBottom(stage: Stage, options: StageOptions): number {
  const { plot } = stage;
  const tracks = stage.tracks * stage.trackHeight;
  if (options.scrubber && stage.oneScale) return stage.barY;
  return plot.y + plot.h + (stage.tracks > 0 ? tracks + 10 : 6);
}

/** The event of the slot: it has a halo, and sinks if it is dropped. */
function current(scene: Scene): DrawItem[] {
  const { input, stage } = scene;
  const mark = input.table.marks[input.view.step];
  if (mark === undefined || input.drag?.step === mark.step) return [];
  const at = placedMark(scene, mark);
  const sink = at.fate === 'dropped' && !input.still ? Math.min(1, input.view.fraction / 0.7) : 1;
  const y = at.fate === 'dropped' ? at.y + sink * 2 : at.y;
  const touched = mark.step === input.touchedStep;
  const fresh = input.view.fraction < 0.9 && !input.still && stage.detail !== 'dot';
  return markItems({ ...at, y }, stage, touched ? 'touched' : fresh ? 'fresh' : 'none');
}

function labels(scene: Scene): DrawItem[] {
  const { input, stage } = scene;
  if (stage.detail === 'dot') return [];
  const { step, p } = input.view;
  const elsewhere = (at: number) =>
    input.recording.queries.some((each) => each !== input.query && each.tracks.late.has(at));
  return placed(scene)
    .filter(({ mark, fate }) => {
      if (mark.step > step || mark.step === input.drag?.step) return false;
      if (fate === 'dropped') return mark.step < step || input.view.fraction > 0.42 || input.still;
      if (fate !== 'behind') return false;
      return elsewhere(mark.step) || p - mark.step < BEHIND_SLOTS;
    })
    .slice(-LABELS_MOST)
    .flatMap((each) => {
      const late = input.query.tracks.late.get(each.mark.step);
      const before = input.query.tracks.watermark.at(each.mark.step - 1) ?? 0;
      return fateLabel(each, {
        words: input.words,
        byMs: late?.byMs ?? before - (each.mark.rowtimeMs ?? before),
        rewrites: each.fate === 'behind' && elsewhere(each.mark.step),
        narrow: stage.narrow,
      });
    });
}

function dragged(scene: Scene, drag: DragView): DrawItem[] {
  const { input, stage } = scene;
  const { plot, slots } = stage;
  const mark = input.table.marks[drag.step];
  if (mark === undefined) return [];
  const snapX = pxFromSlot(slots, drag.target);
  const look = { ...placedMark(scene, mark), x: drag.x, y: drag.y };
  const items: DrawItem[] = [
    path(`M${px(snapX)} ${plot.y}V${plot.y + plot.h}`, { stroke: 'ink-3', dash: [2, 3] }),
    ...markItems(look, stage, 'touched'),
  ];
  if (drag.words === '') return items;
  const width = roughWidth(drag.words, 'label-strong') + 18;
  const left = drag.x + 20 + width > plot.x + plot.w ? drag.x - 20 - width : drag.x + 20;
  const fill = drag.tone === 'bad' ? 'alarm-ink' : drag.tone === 'good' ? 'water-ink' : 'ink';
  items.push(
    rect({ x: left, y: drag.y - 11, w: width, h: 22, r: 6 }, { fill }),
    text(left + width / 2, drag.y + 4, drag.words, {
      face: 'label-strong',
      ink: 'surface',
      anchor: 'middle',
    }),
  );
  return items;
}
