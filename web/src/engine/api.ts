/**
 * The one list of calls to the engine, and the plain data that crosses. The host implements it over
 * wasm; a client has it in a worker or in the page.
 */
import type { RowKind } from './frames.ts';

/** A text in both languages. `**…**` marks values that stand out, backticks mark code. */
export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

/** A stretch of SQL in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Severity = 'error' | 'unsupported' | 'warning' | 'hint';

export interface Fix {
  readonly title: Bilingual;
  readonly edits: readonly { readonly from: number; readonly to: number; readonly text: string }[];
}

export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  /** The idea behind it: an entry of the glossary. */
  readonly concept: string;
  readonly span: Span;
  readonly message: Bilingual;
  readonly labels: readonly { readonly span: Span; readonly message: Bilingual }[];
  readonly notes: readonly Bilingual[];
  readonly fixes: readonly Fix[];
}

export type TokenKind =
  | 'keyword'
  | 'function'
  | 'type'
  | 'identifier'
  | 'number'
  | 'string'
  | 'comment'
  | 'operator'
  | 'punctuation';

export interface Token extends Span {
  readonly kind: TokenKind;
}

/** What a place in the SQL does to state and results. */
export interface Lens {
  readonly span: Span;
  readonly kind: 'bounded' | 'unbounded' | 'updates';
  readonly message: Bilingual;
}

/** A literal that controls time and can be dragged. */
export interface TimeLiteral {
  readonly span: Span;
  readonly what: 'window-size' | 'slide' | 'out-of-orderness' | 'interval';
  readonly value: number;
  readonly unit: string;
}

export interface Analysis {
  readonly diagnostics: readonly Diagnostic[];
  readonly tokens: readonly Token[];
  readonly lenses: readonly Lens[];
  readonly literals: readonly TimeLiteral[];
}

export interface Completion {
  readonly label: string;
  readonly kind: 'keyword' | 'function' | 'table' | 'column' | 'type' | 'snippet';
  readonly detail: string;
  readonly doc: Bilingual | null;
  readonly insert: string;
  readonly span: Span;
}

export interface Hover {
  readonly span: Span;
  readonly title: string;
  readonly text: Bilingual;
}

export interface ColumnView {
  readonly name: string;
  readonly type: string;
  readonly key: boolean;
  readonly rowtime: boolean;
  readonly numeric: boolean;
}

export interface InputView {
  readonly from: number;
  readonly distribution: 'forward' | 'hash' | 'single' | 'rebalance' | 'broadcast';
  readonly columns: readonly string[];
}

export interface OperatorView {
  readonly id: number;
  readonly name: string;
  /** Operators of one chain share a task. */
  readonly task: number;
  readonly parallelism: number;
  readonly inputs: readonly InputView[];
  readonly role: 'source' | 'stateless' | 'stateful' | 'sink';
  /** Number in the session's list of sources, for a scan. */
  readonly source: number | null;
  readonly cleanup: 'none' | 'watermark' | 'ttl' | 'never';
  readonly usesWatermark: boolean;
  readonly keyColumns: readonly ColumnView[];
  readonly windowed: boolean;
  readonly mode: string;
  readonly args: readonly string[];
  readonly span: Span | null;
  /** Names of its state handles, by number. */
  readonly states: readonly string[];
  /** Table of a source or a sink. */
  readonly table: string | null;
}

export interface SourceView {
  readonly source: number;
  readonly table: string;
  readonly partitions: number;
  readonly columns: readonly ColumnView[];
  readonly rowtime: string | null;
  /** Text of the declaration, as `ts - INTERVAL '20' SECOND`. */
  readonly watermark: string | null;
  readonly outOfOrdernessMs: number | null;
  readonly idleTimeoutMs: number | null;
  /** Digits of the bound in the script. */
  readonly literal: Span | null;
}

export interface PlanNodeView {
  readonly operator: number | null;
  readonly name: string;
  readonly mode: string;
  readonly args: readonly string[];
  readonly kind: 'stateless' | 'stateful' | 'exchange';
  readonly depth: number;
}

export interface PlanView {
  readonly explain: string;
  readonly nodes: readonly PlanNodeView[];
  readonly twoPhase: boolean;
  /** Whether the plan that runs carries more row kinds than EXPLAIN shows. */
  readonly differsFromExplain: boolean;
}

export type SinkMode = 'append-only' | 'retract' | 'upsert';

export interface QueryView {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly plan: PlanView | null;
  readonly operators: readonly OperatorView[];
  readonly outputColumns: readonly ColumnView[];
  readonly mode: SinkMode;
}

export interface SlotInfo {
  /** Processing time in milliseconds since the epoch. */
  readonly atMs: number;
  readonly source: number;
  readonly partition: number;
  readonly kind: RowKind | 'watermark' | 'idle' | 'active' | 'hold' | 'release' | 'tick';
  readonly rowtimeMs: number | null;
  readonly cells: readonly (string | null)[];
  /** Number of the event in the workspace's list. */
  readonly event: number;
}

export interface Opened {
  readonly generation: number;
  readonly scriptDiagnostics: readonly Diagnostic[];
  readonly queries: readonly QueryView[];
  readonly sources: readonly SourceView[];
  readonly slots: number;
  readonly slotInfo: readonly SlotInfo[];
}

export interface Advanced {
  readonly frames: Uint8Array;
  readonly done: boolean;
  readonly generation: number;
}

export interface Edited {
  readonly opened: Opened;
  /** Frames of earlier slots stay true. */
  readonly firstChangedSlot: number;
}

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface ScenarioEvent {
  /** Milliseconds of processing time since the start. */
  readonly at: number;
  readonly table: string;
  readonly partition?: number;
  readonly kind?: RowKind;
  readonly row?: { readonly [column: string]: Json };
  readonly control?: 'idle' | 'active' | 'hold' | 'release';
  readonly watermark?: string;
}

export interface SourceControl {
  readonly table: string;
  readonly partition?: number;
  readonly outOfOrdernessMs?: number;
  readonly hold?: boolean;
  readonly idle?: boolean;
  /** Slot from which `hold` and `idle` are set. */
  readonly fromSlot?: number;
}

/** A seeded stream of any length. */
export interface Generator {
  readonly table: string;
  readonly seed: number;
  readonly rows: number;
  readonly keys: number;
  readonly partitions: number;
  readonly intervalMs: number;
  readonly outOfOrdernessMs: number;
}

export interface Workspace {
  readonly script: string;
  readonly queries: readonly { readonly sql: string }[];
  readonly sources: readonly { readonly table: string; readonly partitions: number }[];
  readonly events: readonly ScenarioEvent[];
  readonly start: string;
  readonly end: 'open' | 'flush';
  readonly settings: Readonly<Record<string, string>>;
  readonly controls: readonly SourceControl[];
  readonly generator?: Generator;
}

export type Edit =
  | { readonly kind: 'events'; readonly events: readonly ScenarioEvent[] }
  | { readonly kind: 'query'; readonly index: number; readonly sql: string }
  | { readonly kind: 'control'; readonly controls: readonly SourceControl[] }
  | { readonly kind: 'end'; readonly end: 'open' | 'flush' }
  | { readonly kind: 'script'; readonly script: string };

/** What a person can do about a cause, with its effect as the engine computed it. */
export interface WhyMove {
  readonly act:
    | {
        readonly kind: 'idle';
        readonly table: string;
        readonly partition: number;
        readonly fromSlot: number;
      }
    | { readonly kind: 'seek'; readonly slot: number }
    | { readonly kind: 'wait'; readonly ms: number }
    | { readonly kind: 'out-of-orderness'; readonly table: string; readonly ms: number }
    | {
        readonly kind: 'inject';
        readonly table: string;
        readonly partition: number;
        readonly rowtimeMs: number;
      };
  readonly label: Bilingual;
  readonly effect: Bilingual;
}

export interface WhyGauge {
  readonly needMs: number;
  readonly partitions: readonly {
    readonly table: string;
    readonly partition: number;
    readonly watermarkMs: number | null;
    readonly status: 'passed' | 'holds' | 'idle' | 'outside' | 'behind';
  }[];
}

export interface WhyCard {
  /** Diagnostic id of ui.md 6.10. */
  readonly id: string;
  readonly tone: 'wait' | 'fired' | 'alarm' | 'plain';
  readonly heading: Bilingual;
  readonly body: Bilingual;
  readonly gauge: WhyGauge | null;
  readonly moves: readonly WhyMove[];
  readonly resolved: boolean;
}

export interface StateBill {
  readonly operator: number;
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly peakBytes: number;
  readonly verdict: 'bounded' | 'ttl' | 'keys' | 'unbounded' | 'none';
  readonly cleanup: 'none' | 'watermark' | 'ttl' | 'never';
  readonly factors: readonly {
    readonly label: Bilingual;
    readonly value: number;
    readonly grows: boolean;
  }[];
  readonly predictedBytes: number;
  readonly slopeBytesPerMinute: number;
  readonly afterDayBytes: number;
  readonly afterMonthBytes: number;
}

export interface StatePage {
  readonly total: number;
  readonly entries: readonly {
    readonly key: string;
    readonly namespace: string;
    readonly value: string;
    readonly bytes: number;
  }[];
}

/** Everything the engine does. Calls of one workspace carry its number. */
export interface EngineApi {
  version(): Promise<string>;
  analyze(script: string): Promise<Analysis>;
  complete(script: string, offset: number): Promise<readonly Completion[]>;
  hover(script: string, offset: number): Promise<Hover | null>;
  open(ws: number, workspace: Workspace): Promise<Opened>;
  advance(ws: number, maxSlots: number, maxMs: number): Promise<Advanced>;
  edit(ws: number, edit: Edit): Promise<Edited>;
  state(
    ws: number,
    at: { query: number; slot: number; operator: number; handle: number },
    page: { offset: number; limit: number },
  ): Promise<StatePage>;
  why(ws: number, query: number, slot: number): Promise<readonly WhyCard[]>;
  bill(ws: number, query: number, slot: number): Promise<readonly StateBill[]>;
  explain(script: string): Promise<string>;
  memory(): Promise<number>;
  close(ws: number): Promise<void>;
}
