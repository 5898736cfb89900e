/**
 * The recording of one replay: the frames of each query as bytes, the columns drawn from them, and the
 * folds that tell what is held at a step. It grows as frames are pulled and is cut by edits.
 */
import type { Opened, QueryView, SlotInfo } from '../engine/api.ts';
import {
  type Frame,
  framesIn,
  heldText,
  NULL_TEXT,
  readFrame,
  type TextId,
} from '../engine/frames.ts';
import { cellsOf, stampMs } from './cells.ts';
import { Folder, ResultFold, StateFold } from './fold.ts';
import { NO_PLAN, type Plan, planOf } from './plan.ts';
import { Tracks } from './tracks.ts';

/** Frames that are kept decoded, for playing and for stepping around. */
const DECODED_KEPT = 160;

/** Cells of a text. */
export interface ParsedCells {
  readonly cells: readonly string[];
  readonly stampMs: number | undefined;
  /** Cells beside the point in time. */
  readonly others: readonly string[];
}

interface StoredFrame {
  readonly bytes: Uint8Array;
  /** Length of the text table before this frame. */
  readonly texts: number;
}

/** What was recorded of one query. */
export class QueryRecording {
  plan: Plan;
  /** What the engine says of the text as it is now; the plan may be of the last text that ran. */
  view: QueryView;
  readonly tracks: Tracks;
  /** Grows with every frame and every cut, so that caches know. */
  version = 0;
  readonly #frames: StoredFrame[] = [];
  readonly #decoded = new Map<number, Frame>();
  readonly #texts: (string | null)[] = ['', null];
  readonly #parsed = new Map<TextId, ParsedCells>();
  readonly #state: Folder<StateFold>;
  readonly #result: Folder<ResultFold>;

  constructor(plan: Plan) {
    this.plan = plan;
    this.view = plan.query;
    this.tracks = new Tracks(plan);
    const keys = plan.query.outputColumns.flatMap((column, at) => (column.key ? [at] : []));
    const upsert = plan.query.mode === 'upsert' ? keys : [];
    this.#state = new Folder(
      () => new StateFold(),
      (step) => this.frame(step),
    );
    this.#result = new Folder(
      () => new ResultFold(upsert),
      (step) => this.frame(step),
    );
  }

  /** Last step that is recorded; −2 before the first frame. */
  get lastStep(): number {
    return this.#frames.length - 2;
  }

  /** A text by its number; `null` is SQL's NULL. */
  text(id: TextId): string | null {
    if (id < 0) return heldText(id);
    return this.#texts[id] ?? (id === NULL_TEXT ? null : '');
  }

  /** A text taken apart into cells, and the point in time among them; parsed once. */
  cellsOf(id: TextId): ParsedCells {
    let parsed = this.#parsed.get(id);
    if (parsed === undefined) {
      const cells = cellsOf(this.text(id));
      const at = cells.findIndex((cell) => stampMs(cell) !== undefined);
      parsed = {
        cells,
        stampMs: at < 0 ? undefined : stampMs(cells[at] ?? null),
        others: cells.filter((_, cell) => cell !== at),
      };
      this.#parsed.set(id, parsed);
    }
    return parsed;
  }

  /** Cells of a state entry's value as texts; a list in a single cell is taken apart. */
  valueOf(value: readonly TextId[]): readonly string[] {
    const [only] = value;
    if (value.length === 1 && only !== undefined) return this.cellsOf(only).cells;
    return value.map((cell) => this.text(cell) ?? 'null');
  }

  /** A row as texts. */
  row(cells: readonly TextId[]): (string | null)[] {
    return cells.map((cell) => this.text(cell));
  }

  /** Whether frames of another opening with this plan would mean the same. */
  runs(plan: Plan): boolean {
    const shape = (of: Plan) =>
      JSON.stringify([
        of.query.operators.map((o) => [o.id, o.name, o.task, o.role, o.inputs, o.args]),
        of.sources.map((s) => [s.source, s.partitions, s.columns]),
      ]);
    return plan.query.ok && this.plan.query.ok && shape(plan) === shape(this.plan);
  }

  /** The same recording under a plan that says the same, with other diagnostics or settings. */
  replanned(plan: Plan): QueryRecording {
    this.plan = plan;
    this.view = plan.query;
    return this;
  }

  /** The same recording, of the last text that ran, beside a text that does not. */
  kept(view: QueryView): QueryRecording {
    this.view = view;
    return this;
  }

  /** Whether what is shown is of an earlier text. */
  get outdated(): boolean {
    return !this.view.ok && this.plan.query.ok;
  }

  /** Adds a frame that was just read, in place of what was recorded from its step on. */
  add(bytes: Uint8Array, frame: Frame, slots: number): void {
    const step = stepOf(frame, slots);
    if (frame.phase === 'fault' && step <= this.lastStep) {
      this.tracks.add(frame, this.lastStep);
      return;
    }
    if (step <= this.lastStep) this.cut(step);
    this.version++;
    this.#frames.push({ bytes, texts: this.#texts.length });
    this.#texts.push(...frame.newTexts);
    this.tracks.add(frame, this.lastStep);
    this.#state.push(frame, this.lastStep);
    this.#result.push(frame, this.lastStep);
  }

  /** The events of a step. */
  frame(step: number): Frame | undefined {
    const known = this.#decoded.get(step);
    if (known !== undefined) return known;
    const stored = this.#frames[step + 1];
    if (stored === undefined) return undefined;
    const frame = readFrame(stored.bytes);
    this.#decoded.set(step, frame);
    if (this.#decoded.size > DECODED_KEPT) {
      for (const oldest of this.#decoded.keys()) {
        this.#decoded.delete(oldest);
        break;
      }
    }
    return frame;
  }

  /** State entries after a step. */
  stateAt(step: number): StateFold {
    return this.#state.at(Math.min(step, this.lastStep));
  }

  /** Result rows after a step. */
  resultAt(step: number): ResultFold {
    return this.#result.at(Math.min(step, this.lastStep));
  }

  /** Forgets everything from a step on. */
  cut(step: number): void {
    const stored = this.#frames[step + 1];
    if (stored === undefined) return;
    this.version++;
    this.#frames.length = step + 1;
    this.#texts.length = stored.texts;
    this.#parsed.clear();
    for (const at of [...this.#decoded.keys()]) if (at >= step) this.#decoded.delete(at);
    this.tracks.cut(step);
    this.#state.cut(step);
    this.#result.cut(step);
  }
}

/** Goes on with what is known of a query, where it still means the same or is all there is. */
function recordingFor(
  query: QueryView,
  opened: Opened,
  known: QueryRecording | undefined,
): QueryRecording {
  if (!query.ok) {
    if (known?.plan.query.ok === true) return known.kept(query);
    return new QueryRecording(NO_PLAN).kept(query);
  }
  const plan = planOf(query, opened.sources);
  return known?.runs(plan) === true ? known.replanned(plan) : new QueryRecording(plan);
}

function latestOf(marks: readonly Mark[]): Float64Array {
  const latest = new Float64Array(marks.length);
  let most = Number.NEGATIVE_INFINITY;
  for (const [at, mark] of marks.entries()) {
    most = Math.max(most, mark.rowtimeMs ?? Number.NEGATIVE_INFINITY);
    latest[at] = most;
  }
  return latest;
}

function stepOf(frame: Frame, slots: number): number {
  switch (frame.phase) {
    case 'start':
      return -1;
    case 'arrival':
    case 'fault':
      return frame.slot;
    case 'end':
      return slots;
  }
}

/** A mark of the timeline: an arrival, recorded or still to come. */
export type Mark = SlotInfo;

/** Both queries over one stream. */
export class Recording {
  readonly opened: Opened;
  readonly queries: readonly QueryRecording[];
  /** Arrivals by step. */
  readonly marks: readonly Mark[];
  #latest: Float64Array | undefined;
  /** Whether every frame of the replay is in. */
  complete = false;
  /** Grows with every change, so that caches know. */
  version = 0;
  /** Step of the newest frame of this run, by query. */
  readonly #reached: number[];

  /**
   * A recording for what the engine opened. Frames of `before` stay until the new run replaces them, for
   * queries whose plan is the same: the picture does not go away while an edit is computed.
   */
  constructor(opened: Opened, before?: Recording) {
    this.opened = opened;
    this.marks = opened.slotInfo;
    this.version = (before?.version ?? 0) + 1;
    this.queries = opened.queries.map((query, at) =>
      recordingFor(query, opened, before?.queries[at]),
    );
    this.#reached = this.queries.map((query) => (query.outdated ? query.lastStep : -2));
  }

  /** Latest event time that has arrived up to a step. */
  latestRowtime(step: number): number {
    this.#latest ??= latestOf(this.marks);
    return this.#latest[Math.min(step, this.marks.length - 1)] ?? Number.NEGATIVE_INFINITY;
  }

  /** Number of arrivals. */
  get slots(): number {
    return this.opened.slots;
  }

  /** Frames before this step are true from an earlier run. */
  keepBefore(step: number): void {
    for (const at of this.#reached.keys()) this.#reached[at] = step - 1;
  }

  /** Takes in a buffer of frames. A frame replaces what was recorded from its step on. */
  ingest(buffer: Uint8Array): void {
    for (const bytes of framesIn(buffer)) {
      const frame = readFrame(bytes);
      const query = this.queries[frame.query];
      if (query === undefined) continue;
      query.add(bytes, frame, this.slots);
      this.#reached[frame.query] = query.lastStep;
    }
    this.version++;
  }

  /** The run has sent everything: what is left of an earlier one goes. */
  finish(): void {
    for (const [at, query] of this.queries.entries()) query.cut((this.#reached[at] ?? -2) + 1);
    this.complete = true;
    this.version++;
  }

  /** Last step that all running queries have. */
  get lastStep(): number {
    const running = this.queries.filter((query) => query.view.ok);
    return running.length === 0 ? this.slots - 1 : Math.min(...running.map((q) => q.lastStep));
  }

  /** Last position on the axis: the last arrival, or the end of input behind it. */
  get endStep(): number {
    const recorded = Math.max(-1, ...this.queries.map((query) => query.lastStep));
    return this.complete ? Math.max(this.slots - 1, recorded) : this.slots - 1;
  }
}
