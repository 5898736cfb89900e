/** The dataflow of a query at the playhead: boxes, exchanges, state, records in flight. */
import {
  curveOf,
  curvePath,
  type EdgeLine,
  type FlowLayout,
  pointOn,
  shownPartitions,
  type TaskBox,
} from '../layout/plan.ts';
import { type Flight, flightsOf } from '../model/flight.ts';
import { gridOf } from '../model/grid.ts';
import type { Plan, Task } from '../model/plan.ts';
import type { LaneView, PartitionView, View } from '../model/view.ts';
import { MOMENTS } from '../model/view.ts';
import { sparkline } from './chart.ts';
import { shapeOf } from './glyph.ts';
import { KIND_GLYPH, KIND_INK } from './kinds.ts';
import { type DrawItem, disc, glyph, path, px, rect, roughWidth, text } from './list.ts';
import { CELL, gridItems, keyWidth } from './state_grid.ts';
import type { FlowWords } from './words.ts';

/** What a dataflow shows. */
export interface FlowInput {
  readonly plan: Plan;
  readonly layout: FlowLayout;
  readonly view: View;
  readonly lane: LaneView;
  /** Steps of the replay, for the sparklines. */
  readonly steps: number;
  /** Most bytes of any operator of any lane: all sparklines have one scale. */
  readonly mostBytes: number;
  readonly verdict: 'bounded' | 'ttl' | 'unbounded' | 'stateless';
  readonly words: FlowWords;
  readonly still: boolean;
  /** So fast that single records are not seen. */
  readonly rushing: boolean;
  readonly hotOperator: number | undefined;
}

/** Layers of a dataflow: only edges and flights change within a slot. */
export interface FlowLayers {
  edges(): DrawItem[];
  boxes(): DrawItem[];
  flights(): DrawItem[];
  /** What the boxes depend on; the same key, the same picture. */
  readonly boxKey: string;
}

/** The layers of a dataflow. */
export function flowLayers(input: FlowInput): FlowLayers {
  const flights = input.lane.frame === undefined ? [] : flightsOf(input.lane.frame, input.plan);
  const { view } = input;
  return {
    edges: () => input.layout.lines.flatMap((line) => edgeItems(line, input, flights)),
    boxes: () => input.layout.boxes.flatMap((box) => boxItems(box, input)),
    flights: () => (input.still || input.rushing ? [] : flying(input, flights)),
    boxKey: [
      view.step,
      view.settledStep,
      view.shownStep,
      view.p - view.settledStep < FRESH_SLOTS,
      takesNow(input),
      input.hotOperator,
      input.mostBytes,
      input.steps,
    ].join(),
  };
}

/** How long a changed cell stands out. */
const FRESH_SLOTS = 1.2;

/** Whether an operator is at work at this moment of the slot. */
function takesNow(input: FlowInput): boolean {
  const { fraction, mark } = input.view;
  return fraction > 0.32 && fraction < 0.6 && mark !== undefined && !input.still;
}

function edgeItems(line: EdgeLine, input: FlowInput, flights: readonly Flight[]): DrawItem[] {
  const { fraction } = input.view;
  const mine = flights.filter((flight) => flight.edge.id === line.edge.id);
  const isOn = (from: number, to: number) =>
    mine.some((flight) => {
      const passes = input.rushing || (fraction >= flight.startsAt - 0.05 && fraction < 0.98);
      return passes && portOf(line, flight.fromPartition) === from && flight.toSubtask === to;
    });
  const outs = line.exchange ? line.from.out.length : 1;
  const ins = line.exchange ? line.to.in.length : 1;
  const items: DrawItem[] = [];
  for (let from = 0; from < outs; from++) {
    for (let to = 0; to < ins; to++) {
      const on = isOn(line.exchange ? from : 0, to) || (!line.exchange && mineOn(mine, input));
      const curve = line.exchange ? curveOf(line, from, to) : straight(line);
      items.push(
        path(curvePath(curve), { stroke: on ? 'ink-4' : 'line-2', width: on ? 1.5 : 1.25 }),
      );
    }
  }
  const into = input.layout.lines.filter((other) => other.to === line.to && other.exchange);
  if (line === into[0]) items.push(...exchangeLabel(into, input.words));
  return items;
}

function mineOn(mine: readonly Flight[], input: FlowInput): boolean {
  const { fraction } = input.view;
  return mine.some((flight) => input.rushing || fraction > flight.startsAt - 0.02);
}

function straight(line: EdgeLine) {
  return {
    x1: line.from.x + line.from.w,
    y1: line.from.y + line.from.h / 2,
    x2: line.to.x,
    y2: line.to.y + line.to.h / 2,
  };
}

function portOf(line: EdgeLine, partition: number): number {
  return Math.min(partition, line.from.out.length - 1);
}

/** What is said once of all exchanges into a box. */
function exchangeLabel(lines: readonly EdgeLine[], words: FlowWords): DrawItem[] {
  const [line] = lines;
  if (line === undefined) return [];
  const from = Math.max(...lines.map((each) => each.from.x + each.from.w));
  const middle = (from + line.to.x) / 2;
  const room = line.to.x - from - 4;
  const boxes = [line.to, ...lines.map((each) => each.from)];
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  const how = {
    hash: words.hash,
    single: words.single,
    rebalance: words.rebalance,
    broadcast: words.broadcast,
    forward: '',
  };
  const keys = lines.map(({ edge }) => edge.columns.join(', ')).filter((key) => key !== '');
  const columns = keys.length === 0 ? '' : fitted(`(${[...new Set(keys)].join(' / ')})`, room);
  const at = { face: 'key', ink: 'ink-2', anchor: 'middle' } as const;
  const items: DrawItem[] = [
    glyph('shuffle', { x: middle, y: top + 12, size: 14 }, { stroke: 'ink-2' }),
    text(middle, top + 32, fitted(words.repartition, room + 8), at),
  ];
  const name = how[line.edge.distribution];
  items.push(text(middle, bottom - (columns === '' ? 5 : 13), name, at));
  if (columns !== '') items.push(text(middle, bottom - 1, columns, at));
  return items;
}

function fitted(words: string, width: number): string {
  if (roughWidth(words, 'key') <= width * 1.08) return words;
  const letters = Math.max(2, Math.floor(width / 5.9) - 1);
  return `${words.slice(0, letters)}…`;
}

function boxItems(box: TaskBox, input: FlowInput): DrawItem[] {
  const operator = box.task.stateful ?? box.task.operators[0];
  const hot =
    (takesNow(input) && box.task.stateful !== undefined) ||
    box.task.operators.some((each) => each.id === input.hotOperator);
  const frame = rect(
    { x: box.x, y: box.y, w: box.w, h: box.h, r: 8 },
    { fill: 'surface', stroke: hot ? 'ink' : 'line-2' },
    operator === undefined ? undefined : `operator:${operator.id}`,
  );
  const ports = [
    ...(box.task.sources.length > 0 ? box.out.map((y) => port(box.x + box.w, y)) : []),
    ...(box.task.sink ||
    box.task.sources.length > 0 ||
    input.layout.lines.every((l) => l.to !== box || !l.exchange)
      ? []
      : box.in.map((y) => port(box.x, y))),
  ];
  if (box.task.sink) return [frame, ...sinkItems(box, input)];
  if (box.task.sources.length > 0) return [frame, ...ports, ...sourceItems(box, input)];
  return [frame, ...ports, ...taskItems(box, input)];
}

function port(x: number, y: number): DrawItem {
  return disc(x, y, 2.6, { fill: 'surface', stroke: 'ink-4' });
}

const SHORT_NAMES: Readonly<Record<string, string>> = { TableSourceScan: 'scan' };

function chainWords(task: Task, words: FlowWords, skip: number | undefined): string {
  return task.operators
    .filter((operator) => operator.id !== skip)
    .map((operator) => (SHORT_NAMES[operator.name] === undefined ? operator.name : words.scan))
    .join(', ');
}

function sourceItems(box: TaskBox, input: FlowInput): DrawItem[] {
  const { words } = input;
  const names = box.task.sources.map((source) => source.table).join(', ');
  const inner = box.w - 18;
  const items: DrawItem[] = [
    text(box.x + 10, box.y + 17, cutTo(names, inner, 'label-strong'), {
      face: 'label-strong',
      ink: 'ink',
    }),
    ...wrapped(chainWords(box.task, words, undefined), inner).map((line, at) =>
      text(box.x + 10, box.y + 31 + at * 12, line, { face: 'key' }),
    ),
  ];
  const mine = input.lane.partitions.filter((partition) =>
    box.task.sources.some((source) => source.source === partition.source),
  );
  const shown = shownPartitions(box.task, box.h);
  for (const [at, partition] of mine.slice(0, shown).entries()) {
    items.push(...partitionRow(partition, { x: box.x, y: box.out[at] ?? box.y, w: box.w }, words));
  }
  if (mine.length > shown) {
    items.push(
      text(box.x + 10, box.y + box.h - 8, words.more(words.count(mine.length - shown)), {
        face: 'key',
      }),
    );
  }
  return items;
}

function wrapped(words: string, width: number): string[] {
  if (roughWidth(words, 'key') <= width) return [words];
  const parts = words.split(', ');
  const first: string[] = [];
  while (parts.length > 1 && roughWidth([...first, parts[0]].join(', '), 'key') <= width) {
    first.push(parts.shift() ?? '');
  }
  if (first.length === 0) return [cutTo(words, width, 'key')];
  return [`${first.join(', ')},`, cutTo(parts.join(', '), width, 'key')];
}

function cutTo(words: string, width: number, face: 'key' | 'label-strong'): string {
  let cut = words;
  while (cut.length > 2 && roughWidth(cut, face) > width) cut = `${cut.slice(0, -2)}…`;
  return cut;
}

function partitionRow(
  partition: PartitionView,
  at: { x: number; y: number; w: number },
  words: FlowWords,
): DrawItem[] {
  const value = partition.idle
    ? words.idle
    : partition.watermarkMs === undefined
      ? '—'
      : words.tight(partition.watermarkMs);
  return [
    glyph(shapeOf(partition.shape), { x: at.x + 14.5, y: at.y, size: 11 }, { stroke: 'ink-2' }),
    text(at.x + 25, at.y + 3.7, `p${partition.partition}`, { face: 'mono', ink: 'ink-2' }),
    text(at.x + at.w - 9, at.y + 3.7, value, {
      face: 'mono',
      ink: partition.holder ? 'water-ink' : 'ink-2',
      anchor: 'end',
    }),
  ];
}

function taskItems(box: TaskBox, input: FlowInput): DrawItem[] {
  const { task } = box;
  const { words } = input;
  const operator = task.stateful ?? task.operators[0];
  if (operator === undefined) return [];
  const items: DrawItem[] = [];
  const roomy = task.stateful !== undefined && box.w > FIGURES_PX;
  const badge = roomy ? badgeItems(box, input) : undefined;
  const nameRoom = box.w - (badge === undefined ? 20 : 13 + badge.width);
  items.push(
    text(box.x + 11, box.y + 17, cutTo(operator.name, nameRoom, 'label-strong'), {
      face: 'label-strong',
      ink: 'ink',
    }),
    ...(badge?.items ?? []),
  );
  if (task.stateful === undefined) {
    const rest = chainWords(task, words, operator.id);
    if (rest !== '')
      items.push(text(box.x + 11, box.y + 31, cutTo(rest, box.w - 20, 'key'), { face: 'key' }));
    return items;
  }
  items.push(...stateItems(box, task.stateful.id, input));
  return items;
}

function badgeItems(box: TaskBox, input: FlowInput): { items: DrawItem[]; width: number } {
  const { words } = input;
  const used = box.task.stateful?.usesWatermark === true;
  const at = input.lane.watermarkMs;
  const value = at === undefined ? '—' : words.tight(at);
  const label = used || box.w < 190 ? value : `${value} ${words.unused}`;
  const steps = box.w > 196;
  const width = roughWidth(label, 'axis-strong') + (steps ? 24 : 10);
  const x = box.x + box.w - width - 4;
  const y = box.y + 6;
  const look = used ? ({ fill: 'water-soft' } as const) : ({ stroke: 'line-2' } as const);
  const items: DrawItem[] = [rect({ x, y, w: width, h: 16, r: 8 }, look)];
  if (steps) {
    items.push(
      path(`M${px(x + 7)} ${px(y + 12)}v-2.5h3v-2.5h3v-2.5h3`, {
        stroke: used ? 'water' : 'ink-4',
        width: 1.5,
      }),
    );
  }
  items.push(
    text(x + (steps ? 20 : 5), y + 11.6, label, {
      face: used ? 'axis-strong' : 'mono',
      ink: used ? 'water-ink' : 'ink-3',
    }),
  );
  return { items, width: width + 3 };
}

/** Least room for the keys of a grid, and room for bytes and entries beside it. */
const KEYS_LEAST = 33;
const BYTES_ROOM = 52;
/** Free room beside the figures. */
const FIGURES_GAP = 10;
/** Texts are narrower than their upper estimate. */
const TIGHT = 0.85;
/** Narrower boxes have neither figures nor badge. */
const FIGURES_PX = 150;

function stateItems(box: TaskBox, id: number, input: FlowInput): DrawItem[] {
  const { view, words } = input;
  const operator = input.plan.operators.get(id);
  const track = input.lane.recording.tracks.operators.get(id);
  if (operator === undefined || track === undefined) return [];
  const step = view.settledStep;
  const entries = track.entries.at(step) ?? 0;
  const bytes = track.bytes.at(step) ?? 0;
  const roomy = box.w > FIGURES_PX;
  const wide = Math.max(
    roughWidth(words.bytes(bytes), 'big'),
    roughWidth(words.entries(entries), 'key'),
  );
  const figuresRoom = roomy ? Math.max(BYTES_ROOM, wide * TIGHT + FIGURES_GAP) : 4;
  const sparkHeight = Math.min(32, box.h * 0.24);
  const room = box.h - 44 - sparkHeight - 12;
  const rows = Math.max(1, Math.floor((room - CELL.subtaskGap + 3) / CELL.pitchY));
  const columns = Math.max(1, Math.floor((box.w - 11 - KEYS_LEAST - figuresRoom) / CELL.pitchX));
  const fresh = view.p - step < FRESH_SLOTS;
  const grid = gridOf(input.lane.recording, operator, {
    step,
    fresh,
    room: { rows, columns: Math.min(6, columns) },
  });
  const labels = keyWidth(
    grid,
    Math.max(KEYS_LEAST, box.w - 11 - figuresRoom - grid.columns.length * CELL.pitchX),
  );
  const unbounded = input.verdict === 'unbounded';
  return [
    ...gridItems(grid, {
      x: box.x + 11,
      y: box.y + 44,
      keyWidth: Math.max(KEYS_LEAST, labels),
      valueRoom: Math.min(70, box.w - 11 - Math.max(KEYS_LEAST, labels) - 20 - figuresRoom),
      trace: `state:${id}`,
      more: (n) => words.more(words.count(n)),
    }),
    ...(roomy ? figures(box, { bytes, entries, words }) : []),
    ...sparkline(
      track.bytes,
      {
        x: box.x + 11,
        y: box.y + box.h - 9 - sparkHeight,
        w: box.w - 22,
        h: sparkHeight,
        steps: input.steps,
        most: input.mostBytes,
      },
      {
        step,
        p: view.p,
        ink: unbounded ? 'alarm' : input.verdict === 'ttl' ? 'ua' : 'water',
        area: unbounded ? 'kept-area' : 'water-fill-2',
      },
    ),
  ];
}

function figures(
  box: TaskBox,
  of: { bytes: number; entries: number; words: FlowWords },
): DrawItem[] {
  const right = box.x + box.w - 10;
  const { words } = of;
  return [
    text(right, box.y + 54, words.bytes(of.bytes), { face: 'big', ink: 'ink', anchor: 'end' }),
    text(right, box.y + 69, words.entries(of.entries), { face: 'key', anchor: 'end' }),
  ];
}

/** A count in four letters at most. */
function compact(value: number): string {
  if (value < 1000) return String(value);
  if (value < 10_000) return `${(Math.floor(value / 100) / 10).toFixed(1)}k`;
  return value < 1e6 ? `${Math.floor(value / 1000)}k` : `${Math.floor(value / 1e6)}M`;
}

const TALLY_KINDS = ['+I', '-U', '+U', '-D'] as const;
const MODE_LETTERS = { '+I': 'I', '-U': 'UB', '+U': 'UA', '-D': 'D' } as const;

function sinkItems(box: TaskBox, input: FlowInput): DrawItem[] {
  const { words } = input;
  const mode = new Set((input.plan.sink?.mode ?? '').replace(/[[\]]/g, '').split(','));
  const into = input.plan.operators.get(input.plan.sink?.inputs[0]?.from ?? -1);
  for (const letter of (into?.mode ?? '').replace(/[[\]]/g, '').split(',')) mode.add(letter);
  const { tally } = input.lane;
  const shown = TALLY_KINDS.filter((kind) => kind !== '-D' || tally[kind] > 0 || mode.has('D'));
  const apart = shown.length > 3 ? 21 : 27;
  const items: DrawItem[] = [
    text(box.x + 10, box.y + 17, words.result, { face: 'label-strong', ink: 'ink' }),
  ];
  for (const [at, kind] of shown.entries()) {
    const y = box.y + (shown.length > 3 ? 42 : 50) + at * apart;
    const never = !mode.has(MODE_LETTERS[kind]) && tally[kind] === 0;
    const opacity = never ? 0.35 : 1;
    const look =
      kind === '-U'
        ? ({ stroke: KIND_INK[kind], opacity } as const)
        : ({ fill: KIND_INK[kind], stroke: KIND_INK[kind], opacity } as const);
    items.push(
      glyph(KIND_GLYPH[kind], { x: box.x + 14.5, y: y - 1, size: 11 }, look),
      text(box.x + 25, y + 3, words.kind(kind), { face: 'mono', ink: 'ink-2', opacity }),
      text(box.x + box.w - 9, y + 3, compact(tally[kind]), {
        face: 'mono',
        ink: 'ink-2',
        anchor: 'end',
        opacity,
      }),
    );
  }
  return items;
}

function flying(input: FlowInput, flights: readonly Flight[]): DrawItem[] {
  const { fraction } = input.view;
  const items: DrawItem[] = [];
  const shareOf = (flight: Flight) =>
    (fraction - flight.startsAt) / (flight.endsAt - flight.startsAt);
  for (const flight of flights) {
    const line = input.layout.lines.find((each) => each.edge.id === flight.edge.id);
    if (line === undefined) continue;
    const curve = line.exchange
      ? curveOf(line, portOf(line, flight.fromPartition), flight.toSubtask)
      : straight(line);
    const share = shareOf(flight);
    const partner = flights.find(
      (each) => each.change === flight.pairWith && each.edge === flight.edge,
    );
    if (partner !== undefined) items.push(...tie(curve, share, shareOf(partner)));
    if (share < 0 || share > 1) continue;
    const at = pointOn(curve, share);
    items.push(flightGlyph(flight, at, input));
  }
  const { late } = input.lane.outcome;
  if (late !== undefined && fraction > MOMENTS.settled && fraction < 1)
    items.push(...falling(input));
  return items;
}

function tie(curve: Parameters<typeof pointOn>[0], share: number, ahead: number): DrawItem[] {
  const cut = (value: number) => Math.max(0, Math.min(1, value));
  if (ahead <= 0 || share >= 1) return [];
  const a = pointOn(curve, cut(share));
  const b = pointOn(curve, cut(ahead));
  return [path(`M${px(a.x)} ${px(a.y)}L${px(b.x)} ${px(b.y)}`, { stroke: 'ua', width: 1.5 })];
}

function flightGlyph(flight: Flight, at: { x: number; y: number }, input: FlowInput): DrawItem {
  const trace = `change:${flight.change}`;
  if (flight.kind === undefined) {
    const partition = input.lane.partitions.find((each) => each.partition === flight.fromPartition);
    const shape = shapeOf(partition?.shape ?? flight.fromPartition);
    return glyph(shape, { ...at, size: 12 }, { fill: 'ink', stroke: 'surface', width: 1 }, trace);
  }
  const ink = KIND_INK[flight.kind];
  const look =
    flight.kind === '-U'
      ? ({ fill: 'surface', stroke: ink } as const)
      : ({ fill: ink, stroke: ink } as const);
  return glyph(KIND_GLYPH[flight.kind], { ...at, size: 13 }, look, trace);
}

/** A dropped record falls off before the operator. */
function falling(input: FlowInput): DrawItem[] {
  const target = input.layout.boxes.find((box) => box.task.stateful?.windowed === true);
  if (target === undefined) return [];
  const { fraction } = input.view;
  const x = target.x - 12;
  const y = (target.in[0] ?? target.y) + 14 + (fraction - MOMENTS.settled) * 20;
  return [
    path(`M${px(x - 4)} ${px(y - 4)}l8 8m0-8l-8 8`, {
      stroke: 'alarm',
      width: 2.2,
      round: true,
      opacity: 1 - fraction,
    }),
  ];
}
