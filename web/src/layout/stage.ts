/** Places of the timeline: gutter, plot, arrival tracks, scrubber. All in CSS pixels. */
import {
  type Detail,
  detailFor,
  type EventScale,
  type SlotScale,
  slotScale,
  timeStep,
} from './time_scale.ts';

/** What the stage has to hold. */
export interface StageNeeds {
  readonly width: number;
  readonly height: number;
  readonly slots: number;
  readonly p: number;
  /** Slots in view; `undefined` shows all where there is room. */
  readonly visible: number | undefined;
  readonly partitions: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly options: StageOptions;
}

/** What a stage shows beside the plot. */
export interface StageOptions {
  readonly tracks: boolean;
  readonly scrubber: boolean;
  /** Height of the strip with the scrubber and its markers. */
  readonly scrubberHeight: number;
  readonly gutter: 'wide' | 'narrow';
  readonly right: number;
}

/** The places. */
export interface Stage {
  readonly width: number;
  readonly height: number;
  readonly narrow: boolean;
  readonly gutter: number;
  readonly plot: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly trackTop: number;
  readonly trackHeight: number;
  readonly tracks: number;
  /** Middle of the scrubber's bar. */
  readonly barY: number;
  /** Base line of the axis labels. */
  readonly axisY: number;
  readonly slots: SlotScale;
  /** The whole replay, for the scrubber. */
  readonly whole: SlotScale;
  readonly events: EventScale;
  readonly detail: Detail;
  /** Whether plot and scrubber have the same scale. */
  readonly oneScale: boolean;
}

/** Below this width the plot shows a few arrivals and follows the playhead. */
const NARROW_PX = 700;
const NARROW_SLOTS = 14;
const TRACKS_MOST = 8;
/** Share of the event-time range that is kept free below the first event. */
const FREE_BELOW = 0.05;

/** Lays the stage out. */
export function stageFor(needs: StageNeeds): Stage {
  const { width, height, options } = needs;
  const narrow = width < NARROW_PX;
  const gutter = options.gutter === 'wide' && !narrow ? 168 : narrow ? 48 : 50;
  const top = 10;
  const tracks = options.tracks ? Math.min(TRACKS_MOST, needs.partitions) : 0;
  const trackHeight = tracks > 4 ? 12 : 17;
  const trackSpace = tracks === 0 ? 0 : tracks * trackHeight + 8;
  const scrub = options.scrubber ? options.scrubberHeight : 0;
  const plotWidth = Math.max(40, width - gutter - options.right);
  const plotHeight = Math.max(40, height - top - trackSpace - scrub - 16);
  const slots = Math.max(1, needs.slots);
  const visible = needs.visible ?? (narrow ? NARROW_SLOTS : slots);
  const box = { left: gutter, width: plotWidth };
  const inView = slotScale(box, slots, { visible, p: needs.p, share: narrow ? 0.58 : 0.68 });
  const range = rangeOf(needs.fromMs, needs.toMs);
  const barY = top + plotHeight + trackSpace + 22;
  return {
    width,
    height,
    narrow,
    gutter,
    plot: { x: gutter, y: top, w: plotWidth, h: plotHeight },
    trackTop: top + plotHeight + 8,
    trackHeight,
    tracks,
    barY,
    axisY: options.scrubber ? barY + 31 : height - 4,
    slots: inView,
    whole: slotScale(box, slots, { visible: slots, p: 0, share: 0 }),
    events: { top, height: plotHeight, ...range },
    detail: detailFor(inView.perSlot),
    oneScale: inView.visible >= slots,
  };
}

function rangeOf(fromMs: number, toMs: number): { fromMs: number; toMs: number } {
  if (!(Number.isFinite(fromMs) && Number.isFinite(toMs))) return { fromMs: 0, toMs: 60_000 };
  const span = Math.max(1000, toMs - fromMs);
  return { fromMs: fromMs - span * FREE_BELOW, toMs: fromMs + span };
}

/** Event-time range that holds marks and windows, widened to round times where there are no windows. */
export function eventRange(
  times: { fromMs: number; toMs: number },
  windows: { fromMs: number; toMs: number } | undefined,
): { fromMs: number; toMs: number } {
  const fromMs = Math.min(times.fromMs, windows?.fromMs ?? Number.POSITIVE_INFINITY);
  const toMs = Math.max(times.toMs, windows?.toMs ?? Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs)) return { fromMs, toMs };
  if (windows !== undefined) return { fromMs, toMs };
  const step = timeStep(Math.max(1000, toMs - fromMs), 8);
  return { fromMs: Math.floor(fromMs / step) * step, toMs: Math.ceil((toMs + 1) / step) * step };
}
