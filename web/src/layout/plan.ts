/** Places of the dataflow: boxes in columns by their distance from the sources, ports, edges. */
import type { Edge, Plan, Task } from '../model/plan.ts';

/** A box in its place. */
export interface TaskBox {
  readonly task: Task;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Rows at which records leave a source: one per partition shown. */
  readonly out: readonly number[];
  /** Rows at which records enter: one per subtask shown. */
  readonly in: readonly number[];
}

/** An edge between two boxes and the room between them. */
export interface EdgeLine {
  readonly edge: Edge;
  readonly from: TaskBox;
  readonly to: TaskBox;
  readonly exchange: boolean;
}

/** A laid out graph. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly TaskBox[];
  readonly lines: readonly EdgeLine[];
}

const MARGIN_X = 12;
const MARGIN_TOP = 10;
const SOURCE_W = 84;
const SOURCE_WIDE_W = 118;
const SINK_W = 70;
const STATELESS_W = 104;
const STATE_LEAST = 164;
const STATE_MOST = 300;
/** On a phone the figures beside the grid give way. */
const NARROW = 430;
const STATE_NARROW = 118;
const BETWEEN_ROWS = 8;
const PORTS_MOST = 4;

/** Rows of a source's partitions below the top of its box. */
const FIRST_PORT = 50;
const PORT_APART = 27;

/** Lays a plan out in a given room. The width grows where the boxes need more. */
export function flowLayout(plan: Plan, room: { width: number; height: number }): FlowLayout {
  const columns = columnsOf(plan);
  const exchangeGap = Math.max(58, Math.min(110, room.width * 0.145));
  const plainGap = Math.max(34, Math.min(90, room.width * 0.085));
  const gaps = columns.slice(1).map((column) => {
    const ids = new Set(column.map((task) => task.id));
    const into = plan.edges.filter((edge) => ids.has(edge.to));
    return into.some((edge) => edge.distribution !== 'forward') ? exchangeGap : plainGap;
  });
  const fixed = columns.map((column) => Math.max(0, ...column.map(fixedWidth)));
  const elastic = columns.map((column, at) => (fixed[at] === 0 && column.length > 0 ? 1 : 0));
  const used = [...gaps, ...fixed].reduce((sum, each) => sum + each, 2 * MARGIN_X);
  const shares = elastic.reduce<number>((sum, share) => sum + share, 0);
  const spare = shares === 0 ? 0 : (room.width - used) / shares;
  const least = room.width < NARROW ? STATE_NARROW : STATE_LEAST;
  const stateWidth = Math.max(least, Math.min(STATE_MOST, spare));
  const widths = columns.map((_, at) => (fixed[at] === 0 ? stateWidth : (fixed[at] ?? stateWidth)));
  const width = Math.max(room.width, used + shares * stateWidth);
  const boxes = placed(columns, { widths, gaps, room, width });
  const byId = new Map(boxes.map((box) => [box.task.id, box]));
  const lines = plan.edges.flatMap((edge): EdgeLine[] => {
    const from = byId.get(edge.from);
    const to = byId.get(edge.to);
    if (from === undefined || to === undefined) return [];
    return [{ edge, from, to, exchange: edge.distribution !== 'forward' }];
  });
  return { width, height: room.height, boxes, lines };
}

function columnsOf(plan: Plan): Task[][] {
  const columns: Task[][] = [];
  const last = plan.stages;
  for (const task of plan.tasks) {
    const depth = task.sink ? last : task.depth;
    while (columns.length <= depth) columns.push([]);
    columns[depth]?.push(task);
  }
  return columns;
}

function fixedWidth(task: Task): number {
  if (task.sink) return SINK_W;
  if (task.sources.length > 0) return task.stateful === undefined ? SOURCE_W : SOURCE_WIDE_W;
  return task.stateful === undefined ? STATELESS_W : 0;
}

function placed(
  columns: readonly Task[][],
  by: {
    widths: readonly number[];
    gaps: readonly number[];
    room: { height: number };
    width: number;
  },
): TaskBox[] {
  const boxes: TaskBox[] = [];
  const height = by.room.height - MARGIN_TOP - 12;
  let x = MARGIN_X;
  for (const [at, column] of columns.entries()) {
    const w = by.widths[at] ?? STATELESS_W;
    const last = at === columns.length - 1;
    const left = last ? by.width - MARGIN_X - w : x;
    const h = (height - (column.length - 1) * BETWEEN_ROWS) / Math.max(1, column.length);
    for (const [row, task] of column.entries()) {
      const y = MARGIN_TOP + row * (h + BETWEEN_ROWS);
      boxes.push({ task, x: left, y, w, h, out: outPorts(task, y, h), in: inPorts(task, y, h) });
    }
    x += w + (by.gaps[at] ?? 0);
  }
  return boxes;
}

/** Number of partitions of a source task that have a row of their own. */
export function shownPartitions(task: Task, h: number): number {
  const all = task.sources.reduce((sum, source) => sum + source.partitions, 0);
  return Math.max(1, Math.min(all, Math.floor((h - 40) / 18), PORTS_MOST));
}

function outPorts(task: Task, y: number, h: number): number[] {
  if (task.sources.length === 0) return [y + h / 2];
  const shown = shownPartitions(task, h);
  const apart = shown <= 1 ? 0 : Math.min(PORT_APART, (h - 50 - 14) / (shown - 1));
  const first = shown <= 1 ? h / 2 + 4 : Math.min(FIRST_PORT, h - 18 - apart * (shown - 1));
  return Array.from({ length: shown }, (_, at) => y + first + at * apart);
}

function inPorts(task: Task, y: number, h: number): number[] {
  if (task.sink) return [y + h / 2];
  const shown = Math.min(PORTS_MOST, task.parallelism);
  if (shown === 1) return [y + h / 2];
  const apart = Math.min(PORT_APART, (h - 64) / (shown - 1));
  const first = Math.min(FIRST_PORT, h / 2 - (apart * (shown - 1)) / 2);
  return Array.from({ length: shown }, (_, at) => y + first + at * apart);
}

/** The curve from a port to a port, as the four points of a Bézier. */
export interface Curve {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Curve of an edge between the ports of partition `from` and subtask `to`. */
export function curveOf(lineOf: EdgeLine, from: number, to: number): Curve {
  const out = lineOf.from.out;
  const into = lineOf.to.in;
  const middle = lineOf.from.y + lineOf.from.h / 2;
  return {
    x1: lineOf.from.x + lineOf.from.w,
    y1: out[Math.min(from, out.length - 1)] ?? middle,
    x2: lineOf.to.x,
    y2: into[Math.min(to, into.length - 1)] ?? middle,
  };
}

/** A point on a curve. */
export function pointOn(curve: Curve, share: number): { x: number; y: number } {
  const { x1, y1, x2, y2 } = curve;
  const middle = (x1 + x2) / 2;
  const back = 1 - share;
  const blend = (a: number, b: number, c: number, d: number) =>
    back ** 3 * a + 3 * back ** 2 * share * b + 3 * back * share ** 2 * c + share ** 3 * d;
  return { x: blend(x1, middle, middle, x2), y: blend(y1, y1, y2, y2) };
}

/** Path of a curve. */
export function curvePath(curve: Curve): string {
  const middle = (curve.x1 + curve.x2) / 2;
  const r = (value: number) => Math.round(value * 10) / 10;
  return `M${r(curve.x1)} ${r(curve.y1)}C${r(middle)} ${r(curve.y1)} ${r(middle)} ${r(curve.y2)} ${r(curve.x2)} ${r(curve.y2)}`;
}
