/**
 * The state of a page as signals over immutable data. Commands write it, elements read it; nothing here
 * touches the document or the engine.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type {
  Analysis,
  Diagnostic,
  Downstream,
  StateBill,
  WhyCard,
  Workspace,
} from '../engine/api.ts';
import { type Band, bandsAt } from './bands.ts';
import type { FileState } from './dropped.ts';
import type { Foreseen } from './inject.ts';
import { MarkTable } from './marks.ts';
import { START } from './playhead.ts';
import type { QueryRecording, Recording } from './recording.ts';
import { EMPTY_WORKSPACE, type Scenario, type ScenarioHead } from './scenario.ts';
import {
  type Marker,
  MOMENTS,
  markersOf,
  type PartitionView,
  partitionsAt,
  type View,
  viewAt,
} from './view.ts';

/** How the engine is doing. */
export type EngineStatus =
  | { readonly kind: 'loading'; readonly bytes: number | undefined; readonly slow: boolean }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'stopped';
      /** A trap, the limit of time, or something else that is said in the message. */
      readonly why: 'trap' | 'time' | 'error';
      readonly atEvent: number | undefined;
      readonly message: string;
    };

/** A text of SQL and what the engine says about it. */
export interface SqlState {
  readonly analysis: Analysis | undefined;
  /** Whether a newer text is being planned. */
  readonly planning: boolean;
}

export type Tab = 'why' | 'state' | 'plan' | 'sinks';
export type PhoneView = 'sql' | 'timeline' | 'flow' | 'result' | 'side';
export type Theme = 'auto' | 'light' | 'dark';

/** Cards of one position. */
export interface Explained {
  readonly step: number;
  readonly cards: readonly WhyCard[];
  readonly bills: readonly (readonly StateBill[])[];
}

/** What hovering says about a dragged event before it is let go. */
export interface Preview {
  readonly words: 'drop' | 'behind' | 'count' | 'asking';
}

/** Slots for which new rows of a changelog are tinted. */
const NOW_SLOTS = 1.2;
/** Slots over which a changed cell fades, and in how many steps: tables are not redrawn every frame. */
const FADE_SLOTS = 1.2;
const FADE_STEPS = 12;

/** A computed value that stays the same object while it says the same. */
function stable<T>(compute: () => T): ReadonlySignal<T> {
  let last: { text: string; value: T } | undefined;
  return computed(() => {
    const value = compute();
    const text = JSON.stringify(value);
    if (last?.text === text) return last.value;
    last = { text, value };
    return value;
  });
}

/** All signals of a page. */
export class Model {
  readonly language: Signal<'en' | 'zh'> = signal('en');
  readonly theme: Signal<Theme> = signal('auto');
  readonly scenarios: Signal<readonly ScenarioHead[]> = signal([]);
  readonly scenario: Signal<Scenario | undefined> = signal(undefined);
  readonly workspace: Signal<Workspace> = signal(EMPTY_WORKSPACE);
  readonly names: Signal<readonly string[]> = signal([]);
  readonly edited: Signal<boolean> = signal(false);
  /** The file that was dropped. */
  readonly file: Signal<FileState | undefined> = signal(undefined);
  /** A file hovers over the page. */
  readonly dropping: Signal<boolean> = signal(false);

  readonly engine: Signal<EngineStatus> = signal({
    kind: 'loading',
    bytes: undefined,
    slow: false,
  });
  readonly recording: Signal<Recording | undefined> = signal(undefined);
  /** Grows when frames came in: recordings grow in place. */
  readonly grown: Signal<number> = signal(0);
  /** A new run is under way, the picture is of the old one. */
  readonly stale: Signal<boolean> = signal(false);
  readonly sql: Signal<readonly SqlState[]> = signal([]);
  /** What the engine says about the tables that all queries share. */
  readonly scriptSql: Signal<Analysis | undefined> = signal(undefined);
  readonly scriptProblems: Signal<readonly Diagnostic[]> = signal([]);
  readonly explained: Signal<Explained | undefined> = signal(undefined);

  /** What is behind each query at the playhead; kept up to date while it is looked at. */
  readonly downstream: Signal<readonly (Downstream | undefined)[] | undefined> = signal(undefined);
  /** Queries whose result is shown in its encodings. */
  readonly encoded: Signal<readonly number[]> = signal([]);

  readonly p: Signal<number> = signal(START);
  readonly playing: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  /** Position that cannot be passed. */
  readonly until: Signal<number | undefined> = signal(undefined);

  readonly tab: Signal<Tab> = signal('why');
  readonly drawer: Signal<boolean> = signal(false);
  readonly phoneView: Signal<PhoneView> = signal('timeline');
  /** Query whose windows the timeline shows. */
  readonly lane: Signal<number> = signal(0);
  /** Query whose lane is in view where there is room for one. */
  readonly shownLane: Signal<number> = signal(0);
  readonly visibleSlots: Signal<number | undefined> = signal(undefined);
  readonly hotPartition: Signal<number | undefined> = signal(undefined);
  readonly hotOperator: Signal<{ query: number; operator: number } | undefined> = signal(undefined);
  readonly touchedStep: Signal<number | undefined> = signal(undefined);
  readonly preview: Signal<Preview | undefined> = signal(undefined);
  readonly injecting: Signal<boolean> = signal(false);
  /** What each query would do with the event in the form. */
  readonly foreseen: Signal<readonly (Foreseen | undefined)[]> = signal([]);
  readonly help: Signal<boolean> = signal(false);
  readonly asTable: Signal<boolean> = signal(false);
  readonly speaking: Signal<boolean> = signal(true);
  readonly notice: Signal<'bad-link' | undefined> = signal(undefined);

  readonly view: ReadonlySignal<View | undefined> = computed(() => {
    void this.grown.value;
    const recording = this.recording.value;
    return recording === undefined ? undefined : viewAt(recording, this.p.value);
  });

  readonly step: ReadonlySignal<number> = computed(() => this.view.value?.step ?? -1);

  /** Step whose results are seen. */
  readonly shownStep: ReadonlySignal<number> = computed(() => this.view.value?.shownStep ?? -1);

  /** Partitions as the query of the timeline sees them, once per step. */
  readonly partitions: ReadonlySignal<readonly PartitionView[]> = computed(() => {
    void this.grown.value;
    const recording = this.recording.value;
    const chosen = recording?.queries[this.lane.value];
    const reads = (each: QueryRecording | undefined) => (each?.tracks.partitions.length ?? 0) > 0;
    const query = reads(chosen) ? chosen : recording?.queries.find(reads);
    if (recording === undefined || query === undefined) return [];
    return partitionsAt(recording, query, this.step.value);
  });

  /** Length of the changelog of each query at the playhead. */
  readonly logLengths: ReadonlySignal<readonly number[]> = stable(() =>
    (this.view.value?.lanes ?? []).map((lane) => lane.logLength),
  );

  /** The step of the newest rows, and whether they still stand out. */
  readonly nowSteps: ReadonlySignal<{ step: number; fresh: boolean }> = stable(() => {
    const step = this.shownStep.value;
    return { step, fresh: this.p.value - step < MOMENTS.shown + NOW_SLOTS };
  });

  /** How much changed cells stand out: 1 when they change, then less, in steps. */
  readonly fade: ReadonlySignal<number> = computed(() => {
    const age = this.p.value - this.shownStep.value - MOMENTS.shown;
    return Math.round(Math.max(0, Math.min(1, 1 - age / FADE_SLOTS)) * FADE_STEPS) / FADE_STEPS;
  });

  readonly marks: ReadonlySignal<MarkTable | undefined> = computed(() => {
    const recording = this.recording.value;
    return recording === undefined ? undefined : new MarkTable(recording);
  });

  readonly markers: ReadonlySignal<readonly (readonly Marker[])[]> = computed(() => {
    void this.grown.value;
    const recording = this.recording.value;
    return recording === undefined
      ? []
      : recording.queries.map((_, at) => markersOf(recording, at));
  });

  /** Bands of the query that the timeline shows. */
  readonly bands: ReadonlySignal<readonly Band[]> = computed(() => {
    void this.grown.value;
    const recording = this.recording.value;
    const query = recording?.queries[this.lane.value];
    if (recording === undefined || query === undefined) return [];
    return bandsAt(recording, query, this.step.value);
  });

  /** Letters of the queries. */
  readonly letters: ReadonlySignal<readonly string[]> = computed(() =>
    this.workspace.value.queries.map((_, at) => letterOf(at)),
  );
}

/** Letter of a query. */
export function letterOf(query: number): string {
  return String.fromCharCode(65 + query);
}
