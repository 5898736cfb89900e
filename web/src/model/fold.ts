/**
 * Folds frames into what is held at a step: entries of state, rows of the result. Every few dozen steps a
 * copy is kept, so that any step is one copy and a short way forward.
 */
import type { EmitEvent, Frame, RowKind, SinkEvent, StateEvent, TextId } from '../engine/frames.ts';

/** Least distance between two kept copies, in steps. */
const KEYFRAME_STEPS = 64;
/** Freed cells that are remembered per operator, so that the grid can show that they are gone. */
const FREED_KEPT = 64;

/** Something that frames are folded into. */
export interface Foldable<T> {
  copy(): T;
  apply(frame: Frame, step: number): void;
  /** How much a copy costs, in entries. */
  readonly size: number;
}

/** Gives the fold at any step. Frames are asked for by step; the first step is −1. */
export class Folder<T extends Foldable<T>> {
  readonly #empty: () => T;
  readonly #frame: (step: number) => Frame | undefined;
  readonly #keyframes: { step: number; fold: T }[] = [];
  #cursor: { step: number; fold: T } | undefined;
  /** The fold of all frames so far, while they come in order. */
  #front: { step: number; fold: T } | undefined;

  constructor(empty: () => T, frame: (step: number) => Frame | undefined) {
    this.#empty = empty;
    this.#frame = frame;
  }

  /** The fold after a step. It belongs to the folder: read it before the next call. */
  at(step: number): T {
    const start = this.#startFor(step);
    let { fold } = start;
    for (let at = start.step + 1; at <= step; at++) {
      const frame = this.#frame(at);
      if (frame === undefined) break;
      fold.apply(frame, at);
      this.#cursor = { step: at, fold };
      fold = this.#keep(at, fold);
    }
    return fold;
  }

  /** A frame that has just come: folded at once if it is the next one, while it is at hand. */
  push(frame: Frame, step: number): void {
    const front = this.#front ?? { step: -2, fold: this.#empty() };
    if (step !== front.step + 1) return;
    front.fold.apply(frame, step);
    this.#front = { step, fold: front.fold };
    const last = this.#keyframes.at(-1)?.step ?? -2;
    if (step - last < Math.max(KEYFRAME_STEPS, front.fold.size / 8)) return;
    this.#keyframes.push({ step, fold: front.fold.copy() });
  }

  /** Forgets everything from a step on. */
  cut(step: number): void {
    if (this.#front !== undefined && this.#front.step >= step) this.#front = undefined;
    while ((this.#keyframes.at(-1)?.step ?? -2) >= step) this.#keyframes.pop();
    if (this.#cursor !== undefined && this.#cursor.step >= step) this.#cursor = undefined;
  }

  #startFor(step: number): { step: number; fold: T } {
    const cursor = this.#cursor;
    let keyframe: { step: number; fold: T } | undefined;
    for (let at = this.#keyframes.length - 1; at >= 0; at--) {
      const candidate = this.#keyframes[at];
      if (candidate !== undefined && candidate.step <= step) {
        keyframe = candidate;
        break;
      }
    }
    if (cursor !== undefined && cursor.step <= step && cursor.step >= (keyframe?.step ?? -2)) {
      return cursor;
    }
    const fresh =
      keyframe === undefined
        ? { step: -2, fold: this.#empty() }
        : { step: keyframe.step, fold: keyframe.fold.copy() };
    this.#cursor = fresh;
    return fresh;
  }

  #keep(step: number, fold: T): T {
    const last = this.#keyframes.at(-1)?.step ?? -2;
    if (step - last < Math.max(KEYFRAME_STEPS, fold.size / 8)) return fold;
    this.#keyframes.push({ step, fold });
    const next = fold.copy();
    this.#cursor = { step, fold: next };
    return next;
  }
}

/** One entry of keyed state. */
export interface StateEntry {
  readonly handle: number;
  readonly subtask: number;
  readonly key: TextId;
  readonly namespace: TextId;
  readonly value: readonly TextId[];
  readonly bytes: number;
  readonly createdStep: number;
  readonly updatedStep: number;
  /** Set once it is gone. */
  readonly freedStep: number | undefined;
  readonly expired: boolean;
}

/** State of all operators of a query. */
export class StateFold implements Foldable<StateFold> {
  readonly operators: Map<number, Map<string, StateEntry>>;
  readonly freed: Map<number, Map<string, StateEntry>>;

  constructor(
    operators = new Map<number, Map<string, StateEntry>>(),
    freed = new Map<number, Map<string, StateEntry>>(),
  ) {
    this.operators = operators;
    this.freed = freed;
  }

  get size(): number {
    let size = 0;
    for (const entries of this.operators.values()) size += entries.size;
    return size;
  }

  copy(): StateFold {
    const copied = (of: Map<number, Map<string, StateEntry>>) =>
      new Map([...of].map(([id, entries]) => [id, new Map(entries)]));
    return new StateFold(copied(this.operators), copied(this.freed));
  }

  apply(frame: Frame, step: number): void {
    for (const event of frame.events) if (event.kind === 'state') this.#state(event, step);
  }

  #state(event: StateEvent, step: number): void {
    const entries = within(this.operators, event.operator);
    const id = `${event.handle}/${event.subtask}/${event.key}/${event.namespace}`;
    const known = entries.get(id);
    if (event.op === 'created' || event.op === 'updated') {
      entries.set(id, {
        handle: event.handle,
        subtask: event.subtask,
        key: event.key,
        namespace: event.namespace,
        value: event.value,
        bytes: event.bytes,
        createdStep: event.op === 'created' ? step : (known?.createdStep ?? step),
        updatedStep: step,
        freedStep: undefined,
        expired: false,
      });
      this.freed.get(event.operator)?.delete(id);
      return;
    }
    if (known === undefined) return;
    entries.delete(id);
    const gone = within(this.freed, event.operator);
    gone.set(id, { ...known, freedStep: step, expired: event.op === 'expired' });
    if (gone.size > FREED_KEPT) {
      for (const oldest of gone.keys()) {
        gone.delete(oldest);
        break;
      }
    }
  }
}

function within(of: Map<number, Map<string, StateEntry>>, id: number): Map<string, StateEntry> {
  let found = of.get(id);
  if (found === undefined) {
    found = new Map();
    of.set(id, found);
  }
  return found;
}

/** One row of the result table. */
export interface ResultRow {
  readonly id: number;
  readonly cells: readonly TextId[];
  readonly bornStep: number;
  readonly changedStep: number;
  readonly kind: RowKind;
  /** Cells that the last update changed. */
  readonly changed: readonly boolean[];
}

/** The result table: what the changelog adds up to. */
export class ResultFold implements Foldable<ResultFold> {
  readonly #keys: readonly number[];
  readonly rows: Map<number, ResultRow>;
  readonly #byIdentity: Map<string, readonly number[]>;
  /** Rows deleted in the newest step, for their way out. */
  gone: readonly ResultRow[] = [];
  #nextId: number;

  /** `keys` are the columns of an upsert key; none means that a row is known by all its cells. */
  constructor(
    keys: readonly number[],
    rows = new Map<number, ResultRow>(),
    byIdentity = new Map<string, readonly number[]>(),
    nextId = 0,
  ) {
    this.#keys = keys;
    this.rows = rows;
    this.#byIdentity = byIdentity;
    this.#nextId = nextId;
  }

  get size(): number {
    return this.rows.size;
  }

  copy(): ResultFold {
    const { rows } = this;
    return new ResultFold(this.#keys, new Map(rows), new Map(this.#byIdentity), this.#nextId);
  }

  apply(frame: Frame, step: number): void {
    const emits = new Map<number, EmitEvent>();
    const waiting: ResultRow[] = [];
    const gone: ResultRow[] = [];
    for (const event of frame.events) {
      if (event.kind === 'emit') emits.set(event.change, event);
      if (event.kind !== 'sink') continue;
      this.#change(event, emits.get(event.change)?.cells ?? [], { step, waiting, gone });
    }
    this.gone = [...gone, ...waiting];
  }

  #change(
    event: SinkEvent,
    cells: readonly TextId[],
    at: { step: number; waiting: ResultRow[]; gone: ResultRow[] },
  ): void {
    switch (event.row) {
      case '+I':
        this.#put(cells, { kind: '+I', step: at.step, before: undefined });
        return;
      case '-U': {
        const row = this.#take(cells);
        if (row !== undefined) at.waiting.push(row);
        return;
      }
      case '+U': {
        const before = at.waiting.shift() ?? this.#take(cells);
        this.#put(cells, { kind: '+U', step: at.step, before });
        return;
      }
      case '-D': {
        const row = this.#take(cells);
        if (row !== undefined) at.gone.push({ ...row, kind: '-D', changedStep: at.step });
      }
    }
  }

  #identity(cells: readonly TextId[]): string {
    return (this.#keys.length > 0 ? this.#keys.map((at) => cells[at]) : cells).join(' ');
  }

  #put(
    cells: readonly TextId[],
    how: { kind: RowKind; step: number; before: ResultRow | undefined },
  ): void {
    const { before } = how;
    const id = before?.id ?? this.#nextId++;
    this.rows.set(id, {
      id,
      cells,
      bornStep: before?.bornStep ?? how.step,
      changedStep: how.step,
      kind: how.kind,
      changed: cells.map((cell, at) => before !== undefined && before.cells[at] !== cell),
    });
    const identity = this.#identity(cells);
    this.#byIdentity.set(identity, [...(this.#byIdentity.get(identity) ?? []), id]);
  }

  #take(cells: readonly TextId[]): ResultRow | undefined {
    const identity = this.#identity(cells);
    const ids = this.#byIdentity.get(identity);
    const id = ids?.[0];
    if (ids === undefined || id === undefined) return undefined;
    if (ids.length === 1) this.#byIdentity.delete(identity);
    else this.#byIdentity.set(identity, ids.slice(1));
    const row = this.rows.get(id);
    this.rows.delete(id);
    return row;
  }
}
