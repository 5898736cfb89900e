/** Windows on the stage: boxes, the hatched zone behind a sealed one, and their headers in the gutter. */
import type { Stage } from '../layout/stage.ts';
import { pxFromSlot, pxFromTime, timeTicks } from '../layout/time_scale.ts';
import type { Band, BandStatus } from '../model/bands.ts';
import type { WindowTrack } from '../model/tracks.ts';
import type { GlyphName } from './glyph.ts';
import { type DrawItem, disc, glyph, line, rect, roughWidth, text } from './list.ts';
import type { TimelineWords } from './words.ts';

/** Below this height bands merge into one outline. */
const MERGE_PX = 8;
/** Below this height a band has no header of its own. */
const HEADER_PX = 27;
const ROOMY_PX = 54;
/** Height of a header of one line. */
const SLIM_PX = 17;

interface Place {
  readonly y: number;
  readonly h: number;
}

function placeOf(band: Band, stage: Stage): Place {
  const y = pxFromTime(stage.events, band.endMs);
  return { y: y + 2, h: pxFromTime(stage.events, band.startMs) - y - 4 };
}

/** Hairlines at the edges of windows, or at round times where there are none. */
export function bandGrid(bands: readonly Band[], stage: Stage): DrawItem[] {
  const { plot, events } = stage;
  const edges =
    bands.length > 0 && !merges(bands, stage)
      ? [...new Set(bands.map((band) => band.startMs))]
      : timeTicks(events.fromMs, events.toMs, 8);
  return edges
    .map((ms) => pxFromTime(events, ms))
    .filter((y) => y > plot.y + 1 && y < plot.y + plot.h - 4)
    .map((y) => line(plot.x, y, plot.x + plot.w, y, { stroke: 'line-2' }));
}

/** Whether windows are too low for boxes of their own. */
export function merges(bands: readonly Band[], stage: Stage): boolean {
  const first = bands[0];
  return first !== undefined && placeOf(first, stage).h + 4 < MERGE_PX;
}

/** Boxes at the playhead. */
export function bandBoxes(
  bands: readonly Band[],
  stage: Stage,
  at: { p: number; playheadX: number; letter: string; still: boolean },
): DrawItem[] {
  const items: DrawItem[] = [];
  const { plot, slots } = stage;
  for (const band of bands) {
    const { y, h } = placeOf(band, stage);
    if (y + h < plot.y || y > plot.y + plot.h) continue;
    if (band.status === 'future') {
      const future = { x: plot.x + 4, y, w: plot.w - 8, h, r: 4 };
      items.push(rect(future, { stroke: 'line', width: 1.25, dash: [2, 5] }));
      continue;
    }
    const left = pxFromSlot(slots, band.openedStep) - slots.perSlot / 2;
    const fired = band.status === 'sealed' ? band.firedStep : undefined;
    const right = fired === undefined ? at.playheadX : pxFromSlot(slots, fired);
    const box = { x: left, y, w: Math.max(2, right - left), h, r: 4 };
    items.push(rect(box, boxLook(band.status), `window:${at.letter}:${band.id}`));
    if (fired !== undefined) items.push(...sealedZone({ y, h }, { fired, right, ...at }));
  }
  return items;
}

function boxLook(status: BandStatus) {
  switch (status) {
    case 'sealed':
      return { fill: 'sealed-fill', stroke: 'water', strokeOpacity: 0.75, width: 1.25 } as const;
    case 'kept':
      return {
        fill: 'kept-fill',
        stroke: 'alarm',
        strokeOpacity: 0.45,
        dash: [4, 3],
        width: 1.25,
      } as const;
    case 'future':
    case 'filling':
    case 'waiting':
      return { fill: 'open-fill', stroke: 'open-line', width: 1.25 } as const;
  }
}

function sealedZone(
  place: Place,
  at: { fired: number; right: number; p: number; playheadX: number; still: boolean },
): DrawItem[] {
  const { y, h } = place;
  const age = at.p - at.fired;
  const items: DrawItem[] = [
    rect({ x: at.right, y, w: at.playheadX - at.right, h }, { fill: 'hatch-sealed' }),
    rect({ x: at.right - 1.5, y, w: 3, h, r: 1.5 }, { fill: 'ins' }),
  ];
  if (age >= 0 && age < 1.1 && !at.still) {
    const opacity = Math.max(0, 0.55 - age * 0.5);
    items.push(disc(at.right, y, 6 + age * 26, { stroke: 'ins', width: 2, opacity }));
  }
  return items;
}

/** Crossings of the watermark with the upper edges of fired windows. */
export function crossings(bands: readonly Band[], stage: Stage): DrawItem[] {
  if (merges(bands, stage)) return [];
  return bands
    .filter((band) => band.status === 'sealed' && band.firedStep !== undefined)
    .map((band) =>
      disc(
        pxFromSlot(stage.slots, band.firedStep ?? 0),
        pxFromTime(stage.events, band.endMs) + 1,
        4,
        { fill: 'ins', stroke: 'stage', width: 1.5 },
      ),
    );
}

/** Windows too low for boxes: where they were open, and a tick where they fired. Does not depend on the playhead. */
export function mergedBoxes(windows: readonly WindowTrack[], stage: Stage): DrawItem[] {
  return windows.flatMap((window) => {
    const y = pxFromTime(stage.events, window.endMs);
    const h = Math.max(1, pxFromTime(stage.events, window.startMs) - y);
    const left = pxFromSlot(stage.slots, window.openedStep) - stage.slots.perSlot / 2;
    const end = window.firedStep ?? stage.slots.first + stage.slots.visible;
    const right = pxFromSlot(stage.slots, end);
    const fill = window.firedStep === undefined ? 'open-fill' : 'sealed-fill';
    const box = rect({ x: left, y, w: Math.max(1, right - left), h }, { fill });
    if (window.firedStep === undefined) return [box];
    return [box, rect({ x: right - 0.75, y, w: 1.5, h }, { fill: 'ins', opacity: 0.7 })];
  });
}

const STATUS_GLYPH: Readonly<Record<BandStatus, GlyphName>> = {
  future: 'future',
  filling: 'filling',
  waiting: 'hourglass',
  sealed: 'lock',
  kept: 'infinity',
};

/** Headers in the gutter. `firedAt` tells the processing time of a step. */
export function bandHeaders(
  bands: readonly Band[],
  stage: Stage,
  words: TimelineWords,
  firedAt: (step: number) => number,
): DrawItem[] {
  const { plot, gutter } = stage;
  const wide = gutter > 100;
  const roomy =
    bands.length > 0 &&
    placeOf(bands[0] ?? bands.slice(-1)[0] ?? NO_BAND, stage).h + 4 >= (wide ? HEADER_PX : 18);
  if (!roomy) return timeLabels(stage, words);
  if (wide && overlap(bands)) return slimHeaders(bands, stage, words);
  const items: DrawItem[] = [];
  for (const band of bands) {
    const place = placeOf(band, stage);
    const y = Math.max(plot.y, place.y);
    const h = Math.min(plot.y + plot.h, place.y + place.h) - y;
    const middle = y + h / 2;
    if (h < (wide ? HEADER_PX - 4 : 14)) continue;
    items.push(
      ...(wide
        ? header(band, { y, h, middle }, { gutter, words, firedAt })
        : narrowHeader(band, middle, { gutter, words })),
    );
  }
  return items;
}

/** Whether windows lie over each other, as hopping and cumulating ones do. */
export function overlap(bands: readonly Band[]): boolean {
  const ends = [...bands].sort((a, b) => a.endMs - b.endMs);
  return ends.some((band, at) => at > 0 && band.startMs < (ends[at - 1]?.endMs ?? 0));
}

/** Headers of windows that lie over each other: a line each at the window's end, the newest first. */
function slimHeaders(bands: readonly Band[], stage: Stage, words: TimelineWords): DrawItem[] {
  const { plot, gutter } = stage;
  const items: DrawItem[] = [];
  let above = Number.NEGATIVE_INFINITY;
  for (const band of [...bands].sort((a, b) => b.endMs - a.endMs)) {
    const y = placeOf(band, stage).y + 9;
    if (y < plot.y + 4 || y > plot.y + plot.h - 4 || y - above < SLIM_PX) continue;
    above = y;
    const sealed = band.status === 'sealed';
    const ink = sealed ? 'water-ink' : band.status === 'kept' ? 'alarm-ink' : 'ink-2';
    items.push(
      line(gutter - 5, y - 9, gutter, y - 9, { stroke: 'line-2' }),
      glyph(STATUS_GLYPH[band.status], { x: 20, y, size: 12 }, { stroke: ink }),
      text(30, y + 4, words.range(band.startMs, band.endMs), {
        face: band.status === 'future' ? 'range-faint' : 'range',
        ink: band.status === 'future' ? 'ink-3' : sealed ? ink : 'ink',
      }),
    );
  }
  return items;
}

const NO_BAND: Band = {
  id: '',
  startMs: 0,
  endMs: 0,
  status: 'future',
  openedStep: 0,
  firedStep: undefined,
  entries: [],
  window: true,
};

function timeLabels(stage: Stage, words: TimelineWords): DrawItem[] {
  const { plot, events, gutter } = stage;
  return timeTicks(events.fromMs, events.toMs, 8)
    .map((ms) => ({ ms, y: pxFromTime(events, ms) }))
    .filter(({ y }) => y > plot.y + 6 && y < plot.y + plot.h - 2)
    .map(({ ms, y }) =>
      text(gutter - 8, y + 3.5, gutter > 100 ? words.full(ms) : words.edge(ms), {
        face: 'axis',
        anchor: 'end',
      }),
    );
}

function header(
  band: Band,
  at: { y: number; h: number; middle: number },
  by: { gutter: number; words: TimelineWords; firedAt: (step: number) => number },
): DrawItem[] {
  const { words, gutter } = by;
  const roomy = at.h + 4 > ROOMY_PX;
  const status = band.status;
  const ink =
    status === 'sealed'
      ? 'water-ink'
      : status === 'kept'
        ? 'alarm-ink'
        : status === 'waiting'
          ? 'ink'
          : status === 'future'
            ? 'ink-3'
            : 'ink-2';
  const range =
    band.window || band.endMs - band.startMs > 0
      ? words.range(band.startMs, band.endMs)
      : words.edge(band.startMs);
  const items: DrawItem[] = [
    line(gutter - 5, at.y, gutter, at.y, { stroke: 'line-2' }),
    line(gutter - 5, at.y + at.h, gutter, at.y + at.h, { stroke: 'line-2' }),
    text(14, roomy ? at.middle - 13 : at.middle - 2, range, {
      face: status === 'future' ? 'range-faint' : 'range',
      ink: status === 'future' ? 'ink-3' : 'ink',
    }),
    glyph(
      STATUS_GLYPH[status],
      { x: 21, y: roomy ? at.middle + 1.5 : at.middle + 12, size: 13 },
      {
        stroke: ink,
        ...(status === 'future' ? { dash: [2, 2.4] } : {}),
      },
    ),
    text(32, roomy ? at.middle + 5.5 : at.middle + 16, statusWords(band, by), {
      face: status === 'waiting' ? 'label-strong' : 'label',
      ink,
    }),
  ];
  if (roomy && band.entries.length > 0) {
    items.push(text(14, at.middle + 22, entriesLine(band, gutter - 16, words), { face: 'mono' }));
  }
  return items;
}

function statusWords(
  band: Band,
  by: { words: TimelineWords; firedAt: (step: number) => number },
): string {
  switch (band.status) {
    case 'future':
      return by.words.noEvents;
    case 'filling':
      return by.words.filling;
    case 'waiting':
      return by.words.waiting;
    case 'kept':
      return by.words.kept;
    case 'sealed':
      return by.words.sealed(by.words.axis(by.firedAt(band.firedStep ?? 0)));
  }
}

/** Keys and values in as many words as fit, the rest counted. */
function entriesLine(band: Band, width: number, words: TimelineWords): string {
  let shown = '';
  for (const [at, entry] of band.entries.entries()) {
    const next = `${shown}${at === 0 ? '' : '  '}${entry.key} ${entry.value}`.trimStart();
    const left = band.entries.length - at - 1;
    const tail = left > 0 ? `  ${words.more(left)}` : '';
    if (at > 0 && roughWidth(next + (left > 1 ? tail : ''), 'mono') > width) {
      return `${shown}  ${words.more(band.entries.length - at)}`;
    }
    shown = next;
  }
  return shown;
}

function narrowHeader(
  band: Band,
  middle: number,
  by: { gutter: number; words: TimelineWords },
): DrawItem[] {
  const sealed = band.status === 'sealed';
  const items: DrawItem[] = [
    text(by.gutter - 7, middle + 4, by.words.edge(band.startMs), {
      face: sealed ? 'axis-strong' : 'axis',
      ink: sealed ? 'water-ink' : 'ink-3',
      anchor: 'end',
    }),
  ];
  if (sealed || band.status === 'kept') {
    const look = { stroke: sealed ? 'water-ink' : 'alarm-ink' } as const;
    items.push(
      glyph(STATUS_GLYPH[band.status], { x: by.gutter - 15, y: middle + 14, size: 12 }, look),
    );
  }
  return items;
}

/** Rows that a window released, as chips beside its bar; `age` is the time since, in slots. */
export function chips(
  band: Band,
  stage: Stage,
  at: { p: number; playheadX: number; words: TimelineWords; over: boolean },
): DrawItem[] {
  if (band.status !== 'sealed' || band.firedStep === undefined || merges([band], stage)) return [];
  const x0 = pxFromSlot(stage.slots, band.firedStep);
  const grown = Math.min(1, Math.max(0, (at.p - band.firedStep) / 0.8));
  if (at.playheadX - x0 <= 40 && grown < 1) return [];
  const { h, y } = placeOf(band, stage);
  if (h < 22) return [];
  const all = chipParts(band, stage, at.words);
  const widthOf = (of: readonly string[]) =>
    of.reduce((sum, part) => sum + roughWidth(part, 'chip') + 22, 2);
  // Beside the end of the plot only their number has room.
  const fits = x0 + 6 + widthOf(all) <= stage.plot.x + stage.plot.w;
  const parts = fits ? all : [at.words.rows(band.entries.length)];
  const widths = parts.map((part) => roughWidth(part, 'chip') + 22);
  const total = widthOf(parts);
  const left = x0 + 10 - (1 - grown) * 14;
  if (left < stage.plot.x) return [];
  // Windows over each other differ in their ends; the others stand on their starts.
  const middle = at.over ? y + 13 : y + h - 13;
  const items: DrawItem[] = [
    rect(
      { x: left - 4, y: middle - 10, w: total, h: 20, r: 4 },
      { fill: 'surface', stroke: 'chip-line', opacity: grown },
    ),
  ];
  let x = left + 8;
  for (const [ix, part] of parts.entries()) {
    items.push(
      glyph('kind-insert', { x, y: middle, size: 10 }, { fill: 'ins', opacity: grown }),
      text(x + 8, middle + 3.8, part, { face: 'chip', ink: 'ink', opacity: grown }),
    );
    x += widths[ix] ?? 0;
  }
  return items;
}

const CHIPS_MOST = 4;

function chipParts(band: Band, stage: Stage, words: TimelineWords): string[] {
  if (stage.narrow || band.entries.length > CHIPS_MOST) return [words.rows(band.entries.length)];
  return band.entries.map((entry) => `${entry.key} ${entry.value}`.trim());
}
