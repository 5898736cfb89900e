/**
 * What the views draw of one query over the whole replay, in columns: watermarks, windows, drops, the
 * changelog, bytes. Built frame by frame, cut when an edit replaces the end.
 *
 * Steps number the frames as the playhead does: −1 is the start, 0 … n−1 are the arrivals, n is the end
 * of input.
 */
import type {
  EmitEvent,
  Frame,
  RowKind,
  TextId,
  WatermarkEvent,
  WindowEvent,
} from '../engine/frames.ts';
import type { Plan } from './plan.ts';
import { lastAtOrBefore, Series } from './series.ts';

/** One window of the operator whose windows are shown. */
export interface WindowTrack {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly openedStep: number;
  firedStep: number | undefined;
  sealedStep: number | undefined;
  /** Rows that it released into the result. */
  rows: (readonly TextId[])[];
}

/** A row that was too late. */
export interface LateTrack {
  readonly step: number;
  readonly byMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** A partition of a source as this query sees it. */
export interface PartitionTrack {
  readonly source: number;
  readonly partition: number;
  readonly watermark: Series<number>;
  readonly idle: Series<boolean>;
  readonly held: Series<boolean>;
  readonly arrivals: number[];
}

/** Figures of an operator over time. */
export interface OperatorTrack {
  readonly entries: Series<number>;
  readonly bytes: Series<number>;
  readonly watermark: Series<number>;
  readonly late: Series<number>;
}

/** The changelog that reached the result, in columns. */
export interface LogTrack {
  readonly steps: number[];
  readonly kinds: RowKind[];
  readonly cells: (readonly TextId[])[];
}

/** A run that failed. */
export interface FaultTrack {
  readonly step: number;
  readonly operator: number;
  readonly code: TextId;
  readonly en: TextId;
  readonly zh: TextId;
}

const KIND_ORDER: readonly RowKind[] = ['+I', '-U', '+U', '-D'];

/** Number of changes by kind. */
export type Tally = Readonly<Record<RowKind, number>>;

/** Columns of one query. */
export class Tracks {
  readonly plan: Plan;
  /** Watermark by which the query goes. */
  readonly watermark = new Series<number>();
  /** Partition that holds it back, as number in `partitions`. */
  readonly holder = new Series<number | undefined>();
  readonly partitions: PartitionTrack[];
  readonly windows: WindowTrack[] = [];
  readonly late = new Map<number, LateTrack>();
  readonly operators = new Map<number, OperatorTrack>();
  readonly log: LogTrack = { steps: [], kinds: [], cells: [] };
  /** Changes by kind after each step, four a step. */
  readonly #tallies: number[] = [0, 0, 0, 0];
  readonly #windowById = new Map<string, WindowTrack>();
  readonly #windowByEnd = new Map<number, WindowTrack>();
  readonly #gates = new Map<number, number>();
  /** Combined watermark of each source and the partition that holds it back. */
  readonly #sources = new Map<number, { ms: number; holder: number | undefined }>();
  /** Windows that fire in the step that is being added. */
  #firing: WindowTrack[] = [];
  /** Inserts of that step, with the time of the timer that made them. */
  #released: { cells: readonly TextId[]; timer: number | undefined }[] = [];
  readonly #fires = new Map<number, readonly WindowTrack[]>();
  #sorted: WindowTrack[] = [];
  #starts: number[] = [];
  fault: FaultTrack | undefined;
  steps = -1;

  constructor(plan: Plan) {
    this.plan = plan;
    this.partitions = plan.sources.flatMap((source) =>
      Array.from({ length: source.partitions }, (_, partition) => ({
        source: source.source,
        partition,
        watermark: new Series<number>(),
        idle: new Series<boolean>(),
        held: new Series<boolean>(),
        arrivals: [],
      })),
    );
    for (const id of plan.operators.keys()) {
      this.operators.set(id, {
        entries: new Series(),
        bytes: new Series(),
        watermark: new Series(),
        late: new Series(),
      });
    }
  }

  /** Track of a partition. */
  partition(source: number, partition: number): PartitionTrack | undefined {
    return this.partitions.find((p) => p.source === source && p.partition === partition);
  }

  /** Adds the next frame. */
  add(frame: Frame, step: number): void {
    const emits = new Map<number, EmitEvent>();
    for (const event of frame.events) {
      switch (event.kind) {
        case 'arrival':
          this.#arrival(step, event);
          break;
        case 'emit':
          emits.set(event.change, event);
          break;
        case 'state':
          this.operators.get(event.operator)?.entries.set(step, event.operatorEntries);
          this.operators.get(event.operator)?.bytes.set(step, event.operatorBytes);
          break;
        case 'stats':
          this.operators.get(event.operator)?.entries.set(step, event.entries);
          this.operators.get(event.operator)?.bytes.set(step, event.bytes);
          this.operators.get(event.operator)?.late.set(step, event.lateDropped);
          break;
        case 'watermark':
          this.#watermark(step, event);
          break;
        case 'window':
          this.#window(step, event);
          break;
        case 'late':
          this.late.set(step, {
            step,
            byMs: event.byMs,
            startMs: event.startMs,
            endMs: event.endMs,
          });
          break;
        case 'sink':
          this.#sink(step, event.row, event.change, emits);
          break;
        case 'fault':
          this.fault = {
            step,
            operator: event.operator,
            code: event.code,
            en: event.en,
            zh: event.zh,
          };
          break;
        case 'route':
        case 'take':
        case 'timer':
          break;
      }
    }
    this.#closeStep(step);
  }

  /** Forgets everything from a step on. */
  cut(step: number): void {
    this.watermark.cut(step);
    this.holder.cut(step);
    for (const partition of this.partitions) {
      partition.watermark.cut(step);
      partition.idle.cut(step);
      partition.held.cut(step);
      partition.arrivals.length = lastAtOrBefore(partition.arrivals, step - 1) + 1;
    }
    for (const operator of this.operators.values()) {
      operator.entries.cut(step);
      operator.bytes.cut(step);
      operator.watermark.cut(step);
      operator.late.cut(step);
    }
    this.#cutWindows(step);
    for (const at of [...this.late.keys()]) if (at >= step) this.late.delete(at);
    const keep = lastAtOrBefore(this.log.steps, step - 1) + 1;
    this.log.steps.length = keep;
    this.log.kinds.length = keep;
    this.log.cells.length = keep;
    this.#tallies.length = Math.max(4, Math.min(this.#tallies.length, (step + 1) * 4));
    if (this.fault !== undefined && this.fault.step >= step) this.fault = undefined;
    this.steps = Math.min(this.steps, step - 1);
    this.#gates.clear();
    this.#restoreSources();
    for (const [id, operator] of this.operators) {
      const last = operator.watermark.last;
      if (last !== undefined) this.#gates.set(id, last);
    }
  }

  /** Changes by kind that the result has received up to a step. */
  tally(step: number): Tally {
    const at = Math.max(0, Math.min(step + 1, this.#tallies.length / 4 - 1)) * 4;
    const of = (kind: RowKind) => this.#tallies[at + KIND_ORDER.indexOf(kind)] ?? 0;
    return { '+I': of('+I'), '-U': of('-U'), '+U': of('+U'), '-D': of('-D') };
  }

  /** Windows that fire at a step. */
  firesAt(step: number): readonly WindowTrack[] {
    return this.#fires.get(step) ?? [];
  }

  /** The window that ends at a time. */
  windowByEnd(endMs: number): WindowTrack | undefined {
    return this.#windowByEnd.get(endMs);
  }

  /** Whether an event time lies in a window that has fired by `step`. */
  sealedAt(rowtimeMs: number, step: number): boolean {
    const at = lastAtOrBefore(this.#sortedStarts(), rowtimeMs);
    const window = this.#sorted[at];
    if (window === undefined || window.endMs <= rowtimeMs) return false;
    return window.firedStep !== undefined && window.firedStep <= step;
  }

  #sortedStarts(): readonly number[] {
    if (this.#sorted.length !== this.windows.length) {
      this.#sorted = [...this.windows].sort((a, b) => a.startMs - b.startMs);
      this.#starts = this.#sorted.map((window) => window.startMs);
    }
    return this.#starts;
  }

  /** Number of changelog rows up to a step. */
  logLength(step: number): number {
    return lastAtOrBefore(this.log.steps, step) + 1;
  }

  #arrival(step: number, event: Extract<Frame['events'][number], { kind: 'arrival' }>): void {
    const track = this.partition(event.source, event.partition);
    if (track === undefined) return;
    switch (event.what) {
      case 'hold':
        track.held.set(step, true);
        return;
      case 'release':
        track.held.set(step, false);
        return;
      case 'idle':
        track.idle.set(step, true);
        return;
      case 'active':
        track.idle.set(step, false);
        return;
      case 'watermark':
      case 'tick':
        return;
      case '+I':
      case '-U':
      case '+U':
      case '-D':
        track.arrivals.push(step);
    }
  }

  #watermark(step: number, event: WatermarkEvent): void {
    const operator = this.plan.operators.get(event.operator);
    if (event.gate === 'source') {
      const source = operator?.source ?? this.#sourceAbove(event.operator);
      const track = source === undefined ? undefined : this.partition(source, event.channel);
      if (Number.isFinite(event.channelMs)) track?.watermark.set(step, event.channelMs);
      track?.idle.set(step, event.idle);
      if (source !== undefined) {
        this.#holder(step, source, { ms: event.afterMs, holder: event.holder });
      }
    }
    this.operators.get(event.operator)?.watermark.set(step, event.afterMs);
    const gate = this.plan.gate;
    const { taskOf } = this.plan;
    const task = taskOf.get(event.operator);
    const decides = gate !== undefined && event.gate === 'operator' && task === taskOf.get(gate.id);
    if (decides) this.#gates.set(gate.id, event.afterMs);
    if (decides || (event.gate === 'source' && !this.#gates.has(gate?.id ?? -1))) {
      const last = this.watermark.last;
      if (Number.isFinite(event.afterMs) && (last === undefined || event.afterMs > last)) {
        this.watermark.set(step, event.afterMs);
      }
    }
  }

  /** What a source says of its partitions; the source that is furthest back holds the query. */
  #holder(step: number, source: number, said: { ms: number; holder: number | undefined }): void {
    this.#sources.set(source, said);
    let least: { source: number; ms: number; holder: number | undefined } | undefined;
    for (const each of new Set(this.partitions.map((partition) => partition.source))) {
      const of = this.#sources.get(each) ?? { ms: Number.NEGATIVE_INFINITY, holder: undefined };
      if (least === undefined || of.ms < least.ms) least = { source: each, ...of };
    }
    const at = this.partitions.findIndex(
      (p) => p.source === least?.source && p.partition === least.holder,
    );
    this.holder.set(step, at < 0 ? undefined : at);
  }

  /** After a cut: what the partitions that are left say. */
  #restoreSources(): void {
    this.#sources.clear();
    for (const { source, partition, watermark, idle } of this.partitions) {
      const ms = watermark.last;
      if (ms === undefined || idle.last === true) continue;
      const known = this.#sources.get(source);
      if (known === undefined || ms < known.ms)
        this.#sources.set(source, { ms, holder: partition });
    }
  }

  /** The source that an operator gets its rows from, where there is only one way up. */
  #sourceAbove(id: number): number | undefined {
    for (let at = this.plan.operators.get(id); at !== undefined; ) {
      if (at.source !== null) return at.source;
      const up = at.inputs[0];
      at = up === undefined ? undefined : this.plan.operators.get(up.from);
    }
    return undefined;
  }

  #window(step: number, event: WindowEvent): void {
    if (event.operator !== this.plan.windowed?.id) return;
    const id = `${event.startMs}:${event.endMs}`;
    const known = this.#windowById.get(id);
    if (known === undefined) {
      const opened = {
        id,
        startMs: event.startMs,
        endMs: event.endMs,
        openedStep: step,
        firedStep: event.what === 'fired' ? step : undefined,
        sealedStep: event.what === 'sealed' ? step : undefined,
        rows: [],
      };
      this.windows.push(opened);
      this.#windowById.set(id, opened);
      this.#windowByEnd.set(opened.endMs, opened);
      if (event.what === 'fired') this.#firing.push(opened);
    } else if (event.what === 'fired') {
      known.firedStep ??= step;
      if (!this.#firing.includes(known)) this.#firing.push(known);
    } else if (event.what === 'sealed') known.sealedStep ??= step;
  }

  #cutWindows(step: number): void {
    for (const at of [...this.#fires.keys()]) if (at >= step) this.#fires.delete(at);
    this.#sorted = [];
    this.#starts = [];
    for (let at = this.windows.length - 1; at >= 0; at--) {
      const window = this.windows[at];
      if (window === undefined) continue;
      if (window.openedStep >= step) {
        this.windows.splice(at, 1);
        this.#windowById.delete(window.id);
        this.#windowByEnd.delete(window.endMs);
        continue;
      }
      if ((window.sealedStep ?? -1) >= step) window.sealedStep = undefined;
      if ((window.firedStep ?? -1) >= step) {
        window.firedStep = undefined;
        window.rows = [];
      }
    }
  }

  #sink(step: number, row: RowKind, change: number, emits: ReadonlyMap<number, EmitEvent>): void {
    const cells = emits.get(change)?.cells ?? [];
    this.log.steps.push(step);
    this.log.kinds.push(row);
    this.log.cells.push(cells);
    if (row === '+I') this.#released.push({ cells, timer: timerAbove(change, emits) });
  }

  /** Gives the rows of a step to the windows that fired in it: by the time of the timer that made them. */
  #settleRows(): void {
    for (const { cells, timer } of this.#firing.length === 0 ? [] : this.#released) {
      const window =
        timer === undefined
          ? undefined
          : this.#firing.find((each) => timer === each.endMs - 1 || timer === each.endMs);
      (window ?? this.#firing[0])?.rows.push(cells);
    }
    this.#released = [];
  }

  #closeStep(step: number): void {
    this.#settleRows();
    if (this.#firing.length > 0) this.#fires.set(step, this.#firing);
    this.#firing = [];
    this.steps = Math.max(this.steps, step);
    const at = (step + 1) * 4;
    while (this.#tallies.length < at + 4) this.#tallies.push(this.#tallies.at(-4) ?? 0);
    const base = at === 0 ? [0, 0, 0, 0] : this.#tallies.slice(at - 4, at);
    for (let ix = lastAtOrBefore(this.log.steps, step - 1) + 1; ix < this.log.steps.length; ix++) {
      const kind = KIND_ORDER.indexOf(this.log.kinds[ix] ?? '+I');
      base[kind] = (base[kind] ?? 0) + 1;
    }
    for (const [ix, value] of base.entries()) this.#tallies[at + ix] = value;
  }
}

/** Time of the timer that made a change, looking up its causes within the slot. */
function timerAbove(change: number, emits: ReadonlyMap<number, EmitEvent>): number | undefined {
  let at = emits.get(change);
  for (let hops = 0; at !== undefined && hops < 64; hops++) {
    if (at.cause === 'timer') return at.causeId;
    if (at.cause !== 'change') return undefined;
    at = emits.get(at.causeId);
  }
  return undefined;
}
