/** Events on the stage, in the detail that their room allows. */
import { type Bins, binned, toneOf } from '../layout/bins.ts';
import type { Stage } from '../layout/stage.ts';
import { pxFromSlot, pxFromTime } from '../layout/time_scale.ts';
import type { MarkFate, MarkTable, MarkView } from '../model/marks.ts';
import { shapeOf } from './glyph.ts';
import {
  type DrawItem,
  disc,
  glyph,
  type Look,
  line,
  path,
  px,
  rect,
  roughWidth,
  text,
} from './list.ts';
import type { TimelineWords } from './words.ts';

/** Density rows of event time. */
const DENSITY_ROWS = 64;
/** Dropped events that are drawn one by one before they, too, become a density. */
const DROPS_SINGLY = 200;

/** The shape whose middle is lower than its centre. */
const TRIANGLE = 3;

/** A mark in its place. */
export interface PlacedMark {
  readonly mark: MarkView;
  readonly fate: MarkFate;
  readonly x: number;
  readonly y: number;
}

/** Radius of a mark for the room that a slot has. */
export function markRadius(stage: Stage): number {
  return stage.detail === 'full' ? Math.min(10.5, stage.slots.perSlot * 0.5) : 6.5;
}

/** Place of a mark. One without event time stands on the bottom line. */
export function markPlace(stage: Stage, mark: MarkView): { x: number; y: number } {
  const { plot } = stage;
  const y =
    mark.rowtimeMs === undefined ? plot.y + plot.h - 14 : pxFromTime(stage.events, mark.rowtimeMs);
  return { x: pxFromSlot(stage.slots, mark.step), y };
}

interface FateLook {
  readonly shape: Look;
  readonly amount: 'ink' | 'ink-3' | 'water-ink' | 'alarm-ink';
  readonly key: 'ink-3' | 'water-ink';
}

const FATES: Readonly<Record<MarkFate, FateLook>> = {
  future: {
    shape: { fill: 'stage', stroke: 'ink-4', width: 1.5, dash: [2, 2.4] },
    amount: 'ink-3',
    key: 'ink-3',
  },
  counted: {
    shape: { fill: 'surface', stroke: 'ink', width: 1.5 },
    amount: 'ink',
    key: 'ink-3',
  },
  sealed: {
    shape: { fill: 'water-soft', stroke: 'water', width: 1.5 },
    amount: 'water-ink',
    key: 'water-ink',
  },
  dropped: {
    shape: { fill: 'alarm-soft', stroke: 'alarm', width: 1.5, dash: [3, 2] },
    amount: 'alarm-ink',
    key: 'ink-3',
  },
  behind: { shape: { fill: 'surface', stroke: 'ua', width: 2 }, amount: 'ink', key: 'ink-3' },
};

/** Trace reference of an event. */
export function eventTrace(step: number): string {
  return `event:${step}`;
}

/** Outline of a partition's shape around a point. */
export function markOutline(shape: number, at: { x: number; y: number; r: number }): string {
  const { x, y, r } = at;
  const p = (dx: number, dy: number) => `${px(x + dx)} ${px(y + dy)}`;
  switch (shape) {
    case 1: {
      const s = r - 0.8;
      const c = 4;
      const side = 2 * (s - c);
      return `M${p(-s + c, -s)}h${px(side)}a${c} ${c} 0 0 1 ${c} ${c}v${px(side)}a${c} ${c} 0 0 1 ${-c} ${c}h${px(-side)}a${c} ${c} 0 0 1 ${-c} ${-c}v${px(-side)}a${c} ${c} 0 0 1 ${c} ${-c}z`;
    }
    case 2:
      return `M${p(0, -r - 0.8)}L${p(r * 0.92, -r / 2)}L${p(r * 0.92, r / 2)}L${p(0, r + 0.8)}L${p(-r * 0.92, r / 2)}L${p(-r * 0.92, -r / 2)}Z`;
    case 3:
      return `M${p(0, -r - 1.5)}L${p(r + 1, r - 1)}L${p(-r - 1, r - 1)}Z`;
    case 4:
      return `M${p(0, -r - 1.5)}L${p(r + 1.5, 0)}L${p(0, r + 1.5)}L${p(-r - 1.5, 0)}Z`;
    case 5:
      return `M${p(0, -r - 0.5)}L${p(r + 0.5, -r * 0.28)}L${p(r * 0.62, r * 0.88)}L${p(-r * 0.62, r * 0.88)}L${p(-r - 0.5, -r * 0.28)}Z`;
    default:
      return `M${p(-r, 0)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
}

/** A mark with its number and key. `halo` is what lies around it. */
export function markItems(
  placed: PlacedMark,
  stage: Stage,
  halo: 'none' | 'fresh' | 'touched',
): DrawItem[] {
  const { mark, fate, x, y } = placed;
  const trace = eventTrace(mark.step);
  const look = FATES[fate];
  const r = markRadius(stage);
  if (mark.control) return [];
  if (stage.detail === 'dot') {
    const fill = fate === 'future' ? {} : { fill: dotInk(fate) };
    const stroke = fate === 'future' ? ({ stroke: 'ink-4' } as const) : { stroke: dotInk(fate) };
    return [glyph(shapeOf(mark.shape), { x, y, size: 7 }, { ...fill, ...stroke, width: 1 }, trace)];
  }
  const items: DrawItem[] = [];
  if (halo !== 'none') {
    const ring =
      halo === 'fresh'
        ? ({ fill: 'fresh' } as const)
        : ({ fill: 'touched', stroke: 'ink', width: 1.25 } as const);
    items.push(disc(x, y, r + 5, ring));
  }
  items.push(disc(x, y, r + 3, {}, trace));
  items.push(path(markOutline(mark.shape, { x, y, r }), look.shape, trace));
  const face = fate === 'future' ? 'amount-faint' : 'amount';
  if (roughWidth(mark.amount, face) <= 2 * r + 6) {
    items.push(
      text(x, y + (mark.shape === TRIANGLE ? 5 : 3.6), mark.amount, {
        face,
        ink: look.amount,
        anchor: 'middle',
        ...(fate === 'dropped' ? { strike: true } : {}),
      }),
    );
  }
  if (stage.detail === 'full' && fate !== 'dropped' && mark.key !== '') {
    items.push(
      text(x, y + r + 9.5, fitted(mark.key, stage.slots.perSlot * 1.25), {
        face: 'key',
        ink: look.key,
        anchor: 'middle',
        halo: 2.5,
        ...(fate === 'future' ? { opacity: 0.75 } : {}),
      }),
    );
  }
  return items;
}

function dotInk(fate: MarkFate): 'ink' | 'water' | 'alarm' | 'ua' | 'ink-4' {
  switch (fate) {
    case 'future':
      return 'ink-4';
    case 'counted':
      return 'ink';
    case 'sealed':
      return 'water';
    case 'dropped':
      return 'alarm';
    case 'behind':
      return 'ua';
  }
}

function fitted(words: string, width: number): string {
  if (roughWidth(words, 'key') <= width) return words;
  let cut = words;
  while (cut.length > 1 && roughWidth(`${cut}…`, 'key') > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** Label and fall line of a dropped event, or the note beside one that is behind. */
export function fateLabel(
  placed: PlacedMark,
  at: { words: TimelineWords; byMs: number; rewrites: boolean; narrow: boolean },
): DrawItem[] {
  const { x, y, fate } = placed;
  const { words } = at;
  if (fate === 'dropped') {
    return [
      line(x, y - 17, x, y - 10, { stroke: 'alarm', dash: [2, 2] }),
      text(x + 15, y - 3, words.late(words.length(at.byMs)), {
        face: 'caption',
        ink: 'alarm-ink',
        halo: 3,
      }),
    ];
  }
  const rewriting = at.narrow ? words.rewritesShort : words.rewrites(words.length(at.byMs));
  return [
    text(x + 15, at.rewrites ? y - 3 : y + 4, at.rewrites ? rewriting : words.behind, {
      face: 'caption',
      ink: 'ua-ink',
      halo: 3,
    }),
  ];
}

/** Marks too dense for shapes: ticks or a density, once as arrived and once as still to come. */
export function denseMarks(
  table: MarkTable,
  stage: Stage,
  dropped: ReadonlySet<number>,
): { past: DrawItem[]; future: DrawItem[] } {
  if (stage.detail === 'tick') return tickMarks(table, stage, dropped);
  const { plot, slots } = stage;
  const columns = Math.max(1, Math.floor(plot.w));
  const xs: number[] = [];
  const rows: number[] = [];
  for (const mark of table.marks) {
    const { x, y } = markPlace(stage, mark);
    xs.push(dropped.has(mark.step) ? -1 : x - plot.x);
    rows.push(((y - plot.y) / plot.h) * DENSITY_ROWS);
  }
  const bins = binned({ columns: xs, rows }, { columns, rows: DENSITY_ROWS });
  const drops = dropItems(table, stage, dropped);
  return {
    past: [...densityItems(bins, stage, 'ink'), ...drops],
    future: slots.perSlot > 0 ? densityItems(bins, stage, 'ink-4') : [],
  };
}

function densityItems(bins: Bins, stage: Stage, ink: 'ink' | 'ink-4'): DrawItem[] {
  const { plot } = stage;
  const height = plot.h / bins.rows;
  const items: DrawItem[] = [];
  for (let row = 0; row < bins.rows; row++) {
    for (let column = 0; column < bins.columns; column++) {
      const counted = bins.counts[row * bins.columns + column] ?? 0;
      if (counted === 0) continue;
      const tone = toneOf(counted, bins.most) * (ink === 'ink' ? 0.8 : 0.5);
      items.push(
        rect(
          { x: plot.x + column, y: plot.y + row * height, w: 1, h: height - 1 },
          { fill: ink, opacity: tone },
        ),
      );
    }
  }
  return items;
}

function tickMarks(
  table: MarkTable,
  stage: Stage,
  dropped: ReadonlySet<number>,
): { past: DrawItem[]; future: DrawItem[] } {
  const w = Math.max(1, Math.min(2, stage.slots.perSlot * 0.7));
  const last = stage.slots.first + stage.slots.visible;
  const inView = table.marks.slice(Math.floor(stage.slots.first), Math.ceil(last) + 1);
  const ticks = (ink: 'ink' | 'ink-4') =>
    inView
      .filter((mark) => !dropped.has(mark.step))
      .map((mark) => {
        const { x, y } = markPlace(stage, mark);
        return rect({ x: x - w / 2, y: y - 2.5, w, h: 5 }, { fill: ink }, eventTrace(mark.step));
      });
  return { past: [...ticks('ink'), ...dropItems(table, stage, dropped)], future: ticks('ink-4') };
}

function dropItems(table: MarkTable, stage: Stage, dropped: ReadonlySet<number>): DrawItem[] {
  const singly = dropped.size <= DROPS_SINGLY;
  return [...dropped].flatMap((step) => {
    const mark = table.marks[step];
    if (mark === undefined) return [];
    const { x, y } = markPlace(stage, mark);
    const look = { fill: 'alarm', opacity: singly ? 1 : 0.45 } as const;
    return [rect({ x: x - 1.5, y: y - 3, w: 3, h: 6, r: 1 }, look, eventTrace(step))];
  });
}
