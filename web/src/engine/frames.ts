/**
 * Reads the trace: frames of bytes, one per slot and query, as `crate/runtime/src/trace/frame.rs` writes
 * them. Numbers are variable-length; texts are numbers of a table that grows with the frames.
 */

/** What a row does to a table. */
export type RowKind = '+I' | '-U' | '+U' | '-D';

/** What arrives: a row, or a control. */
export type ArrivalWhat = RowKind | 'watermark' | 'idle' | 'active' | 'hold' | 'release' | 'tick';

/** Where a frame stands in the replay. */
export type Phase = 'start' | 'arrival' | 'end' | 'fault';

/**
 * Number of a text in the query's table; below 0 a whole number or a point in time that a cell holds as it is,
 * see {@link heldText}. Equal texts of a column have equal numbers.
 */
export type TextId = number;

export interface ArrivalEvent {
  readonly kind: 'arrival';
  readonly source: number;
  readonly partition: number;
  readonly what: ArrivalWhat;
  readonly change: number;
  /** Event time in milliseconds since the epoch, if the table has one and it is not NULL. */
  readonly rowtimeMs: number | undefined;
  readonly cells: readonly TextId[];
}

export interface RouteEvent {
  readonly kind: 'route';
  readonly operator: number;
  readonly input: number;
  readonly from: number;
  readonly to: number;
  readonly keyGroup: number;
  readonly change: number;
}

export interface TakeEvent {
  readonly kind: 'take';
  readonly operator: number;
  readonly subtask: number;
  readonly input: number;
  readonly change: number;
}

export interface EmitEvent {
  readonly kind: 'emit';
  readonly operator: number;
  readonly subtask: number;
  readonly change: number;
  readonly cause: 'change' | 'timer' | 'watermark' | 'run';
  /** Change id, or the time of the timer in milliseconds. */
  readonly causeId: number;
  readonly row: RowKind;
  readonly cells: readonly TextId[];
}

export interface StateEvent {
  readonly kind: 'state';
  readonly operator: number;
  readonly subtask: number;
  readonly handle: number;
  readonly op: 'created' | 'updated' | 'removed' | 'expired';
  readonly key: TextId;
  readonly namespace: TextId;
  /** Its cells; none where it is gone. */
  readonly value: readonly TextId[];
  readonly writer: number;
  readonly bytes: number;
  readonly operatorEntries: number;
  readonly operatorBytes: number;
}

export interface TimerEvent {
  readonly kind: 'timer';
  readonly operator: number;
  readonly subtask: number;
  readonly op: 'registered' | 'fired' | 'deleted';
  readonly clock: 'event' | 'processing';
  readonly timeMs: number;
  readonly key: TextId;
  readonly namespace: TextId;
}

export interface WatermarkEvent {
  readonly kind: 'watermark';
  readonly operator: number;
  readonly subtask: number;
  readonly gate: 'source' | 'operator';
  readonly channel: number;
  /** −∞ before the first watermark, +∞ at the end of input. */
  readonly channelMs: number;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Channel that holds the minimum, if any. */
  readonly holder: number | undefined;
  readonly idle: boolean;
}

export interface LateEvent {
  readonly kind: 'late';
  readonly operator: number;
  readonly subtask: number;
  readonly change: number;
  readonly byMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface WindowEvent {
  readonly kind: 'window';
  readonly operator: number;
  readonly subtask: number;
  readonly what: 'opened' | 'fired' | 'sealed';
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: number;
}

export interface SinkEvent {
  readonly kind: 'sink';
  readonly operator: number;
  readonly change: number;
  readonly row: RowKind;
}

export interface StatsEvent {
  readonly kind: 'stats';
  readonly operator: number;
  readonly entries: number;
  readonly bytes: number;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly lateDropped: number;
}

export interface FaultEvent {
  readonly kind: 'fault';
  readonly operator: number;
  readonly code: TextId;
  readonly en: TextId;
  readonly zh: TextId;
}

export type FrameEvent =
  | ArrivalEvent
  | RouteEvent
  | TakeEvent
  | EmitEvent
  | StateEvent
  | TimerEvent
  | WatermarkEvent
  | LateEvent
  | WindowEvent
  | SinkEvent
  | StatsEvent
  | FaultEvent;

/** One slot of one query, decoded. */
export interface Frame {
  readonly query: number;
  readonly phase: Phase;
  readonly slot: number;
  readonly processingTimeMs: number;
  readonly newTexts: readonly string[];
  readonly events: readonly FrameEvent[];
}

/** Number of the empty text. */
export const EMPTY_TEXT: TextId = 0;
/** Number that stands for NULL. */
export const NULL_TEXT: TextId = 1;

const BEFORE_ALL = -(2 ** 53);
const AFTER_ALL = 2 ** 53;
const PHASES: readonly Phase[] = ['start', 'arrival', 'end', 'fault'];
const WHATS: readonly ArrivalWhat[] = [
  '+I',
  '-U',
  '+U',
  '-D',
  'watermark',
  'idle',
  'active',
  'hold',
  'release',
  'tick',
];
const KINDS: readonly RowKind[] = ['+I', '-U', '+U', '-D'];
const CAUSES = ['change', 'timer', 'watermark', 'run'] as const;
const STATE_OPS = ['created', 'updated', 'removed', 'expired'] as const;
const TIMER_OPS = ['registered', 'fired', 'deleted'] as const;
const CLOCKS = ['event', 'processing'] as const;
const GATES = ['source', 'operator'] as const;
const WINDOW_WHATS = ['opened', 'fired', 'sealed'] as const;
const text = new TextDecoder();

/** The bytes are not what this reader knows: engine and page are of different builds. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Cuts a buffer into the frames in it, without reading them. */
export function* framesIn(buffer: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  let at = 0;
  while (at < buffer.length) {
    if (at + 4 > buffer.length) throw new FrameError('a frame ends within its length');
    const length = view.getUint32(at, true);
    at += 4;
    if (at + length > buffer.length) throw new FrameError('a frame is longer than its buffer');
    yield buffer.subarray(at, at + length);
    at += length;
  }
}

/** Decodes one frame. */
export function readFrame(bytes: Uint8Array): Frame {
  const cursor = new Cursor(bytes);
  const query = cursor.byte();
  const phase = cursor.pick(PHASES);
  const slot = cursor.count();
  const processingTimeMs = cursor.signed();
  cursor.firstChange = cursor.count();
  const newTexts: string[] = [];
  for (let left = cursor.count(); left > 0; left--) newTexts.push(cursor.text());
  const events: FrameEvent[] = [];
  while (!cursor.atEnd) events.push(readEvent(cursor));
  return { query, phase, slot, processingTimeMs, newTexts, events };
}

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;
  /** The frame's first id of a change: ids are told as what lies between. */
  firstChange = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new FrameError('a frame ends within an event');
    return value;
  }

  pick<T>(of: readonly T[]): T {
    const value = of[this.byte()];
    if (value === undefined) throw new FrameError('a frame names something unknown');
    return value;
  }

  /** Unsigned variable-length number up to 2^53. */
  count(): number {
    let scale = 1;
    let value = 0;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) return value;
      scale *= 128;
    }
  }

  /**
   * Signed variable-length number; sign in the lowest bit, which is taken from the first byte, because a
   * number beyond 2^53 has lost it.
   */
  signed(): number {
    const negative = ((this.#bytes[this.#at] ?? 0) & 1) === 1;
    const coded = this.count();
    return negative ? -(coded + 1) / 2 : coded / 2;
  }

  /** Id of a change; 0 stands for none. */
  change(): number {
    return this.firstChange + this.signed();
  }

  /** A point of event time, where the ends of the range stand for "none yet" and "end of input". */
  timeMs(): number {
    const value = this.signed();
    if (value <= BEFORE_ALL) return Number.NEGATIVE_INFINITY;
    return value >= AFTER_ALL ? Number.POSITIVE_INFINITY : value;
  }

  text(): string {
    const length = this.count();
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new FrameError('a frame ends within a text');
    return text.decode(this.#bytes.subarray(from, this.#at));
  }

  /** A cell: its lowest two bits say what the others hold. */
  cell(): TextId {
    const code = this.count();
    return code % 4 === 0 ? code / 4 : -code;
  }

  cells(): TextId[] {
    const cells: TextId[] = [];
    for (let left = this.count(); left > 0; left--) cells.push(this.cell());
    return cells;
  }
}

/** What a cell without a text prints as: a whole number, Java's `LocalDateTime` or Java's `Instant`. */
export function heldText(id: TextId): string {
  const holds = -id % 4;
  const rest = (-id - holds) / 4;
  const number = rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2;
  if (holds === 1) return String(number);
  const iso = new Date(number).toISOString().replace('.000Z', 'Z');
  if (holds === 3) return iso;
  return iso.slice(0, iso.length === 20 && iso.endsWith(':00Z') ? -4 : -1);
}

const READERS: Readonly<Record<number, (cursor: Cursor) => FrameEvent>> = {
  1: readArrival,
  2: (c) => ({
    kind: 'route',
    operator: c.count(),
    input: c.count(),
    from: c.count(),
    to: c.count(),
    keyGroup: c.count(),
    change: c.change(),
  }),
  3: (c) => ({
    kind: 'take',
    operator: c.count(),
    subtask: c.count(),
    input: c.count(),
    change: c.change(),
  }),
  4: readEmit,
  5: (c) => ({
    kind: 'state',
    operator: c.count(),
    subtask: c.count(),
    handle: c.count(),
    op: c.pick(STATE_OPS),
    key: c.cell(),
    namespace: c.count(),
    value: c.cells(),
    writer: c.change(),
    bytes: c.count(),
    operatorEntries: c.count(),
    operatorBytes: c.count(),
  }),
  6: (c) => ({
    kind: 'timer',
    operator: c.count(),
    subtask: c.count(),
    op: c.pick(TIMER_OPS),
    clock: c.pick(CLOCKS),
    timeMs: c.timeMs(),
    key: c.cell(),
    namespace: c.count(),
  }),
  7: readWatermark,
  8: (c) => ({
    kind: 'late',
    operator: c.count(),
    subtask: c.count(),
    change: c.change(),
    byMs: c.signed(),
    startMs: c.timeMs(),
    endMs: c.timeMs(),
  }),
  9: readWindow,
  10: (c) => ({ kind: 'sink', operator: c.count(), change: c.change(), row: c.pick(KINDS) }),
  11: (c) => ({
    kind: 'stats',
    operator: c.count(),
    entries: c.count(),
    bytes: c.count(),
    rowsIn: c.count(),
    rowsOut: c.count(),
    lateDropped: c.count(),
  }),
  12: (c) => ({
    kind: 'fault',
    operator: c.count(),
    code: c.count(),
    en: c.count(),
    zh: c.count(),
  }),
};

function readEvent(cursor: Cursor): FrameEvent {
  const reader = READERS[cursor.byte()];
  if (reader === undefined) throw new FrameError('a frame has an event of an unknown kind');
  return reader(cursor);
}

function readArrival(c: Cursor): ArrivalEvent {
  const source = c.count();
  const partition = c.count();
  const what = c.pick(WHATS);
  const change = c.change();
  const rowtimeMs = c.byte() === 0 ? undefined : c.signed();
  return { kind: 'arrival', source, partition, what, change, rowtimeMs, cells: c.cells() };
}

function readEmit(c: Cursor): EmitEvent {
  const operator = c.count();
  const subtask = c.count();
  const change = c.change();
  const cause = c.pick(CAUSES);
  const causeId = cause === 'timer' ? c.timeMs() : c.change();
  return {
    kind: 'emit',
    operator,
    subtask,
    change,
    cause,
    causeId,
    row: c.pick(KINDS),
    cells: c.cells(),
  };
}

function readWatermark(c: Cursor): WatermarkEvent {
  const operator = c.count();
  const subtask = c.count();
  const gate = c.pick(GATES);
  const channel = c.count();
  const channelMs = c.timeMs();
  const beforeMs = c.timeMs();
  const afterMs = c.timeMs();
  const holder = c.count();
  const idle = c.byte() !== 0;
  return {
    kind: 'watermark',
    operator,
    subtask,
    gate,
    channel,
    channelMs,
    beforeMs,
    afterMs,
    holder: holder === 0 ? undefined : holder - 1,
    idle,
  };
}

function readWindow(c: Cursor): WindowEvent {
  const operator = c.count();
  const subtask = c.count();
  const what = c.pick(WINDOW_WHATS);
  const startMs = c.timeMs();
  const endMs = c.timeMs();
  const rows = what === 'fired' ? c.count() : 0;
  return { kind: 'window', operator, subtask, what, startMs, endMs, rows };
}
