/**
 * The one list of calls to the engine, and the plain data that crosses, as the engine's own types say it.
 * The host implements it over wasm; a client has it in a worker or in the page.
 */
import type { Advanced as MadeAdvanced } from './generated/Advanced.ts';
import type { Analysis as MadeAnalysis } from './generated/Analysis.ts';
import type { Bilingual as MadeBilingual } from './generated/Bilingual.ts';
import type { ColumnView as MadeColumnView } from './generated/ColumnView.ts';
import type { Completion as MadeCompletion } from './generated/Completion.ts';
import type { Diagnostic as MadeDiagnostic } from './generated/Diagnostic.ts';
import type { Downstream as MadeDownstream } from './generated/Downstream.ts';
import type { Edit as MadeEdit } from './generated/Edit.ts';
import type { Edited as MadeEdited } from './generated/Edited.ts';
import type { FileProgress as MadeFileProgress } from './generated/FileProgress.ts';
import type { FileResult as MadeFileResult } from './generated/FileResult.ts';
import type { Fix as MadeFix } from './generated/Fix.ts';
import type { Generator as MadeGenerator } from './generated/Generator.ts';
import type { Hover as MadeHover } from './generated/Hover.ts';
import type { InputView as MadeInputView } from './generated/InputView.ts';
import type { Lens as MadeLens } from './generated/Lens.ts';
import type { MoveAct as MadeMoveAct } from './generated/MoveAct.ts';
import type { Opened as MadeOpened } from './generated/Opened.ts';
import type { OperatorView as MadeOperatorView } from './generated/OperatorView.ts';
import type { PlanNodeView as MadePlanNodeView } from './generated/PlanNodeView.ts';
import type { PlanView as MadePlanView } from './generated/PlanView.ts';
import type { QueryView as MadeQueryView } from './generated/QueryView.ts';
import type { ScenarioEvent as MadeScenarioEvent } from './generated/ScenarioEvent.ts';
import type { SinkReport as MadeSinkReport } from './generated/SinkReport.ts';
import type { SlotInfo as MadeSlotInfo } from './generated/SlotInfo.ts';
import type { SourceControl as MadeSourceControl } from './generated/SourceControl.ts';
import type { SourceView as MadeSourceView } from './generated/SourceView.ts';
import type { Span as MadeSpan } from './generated/Span.ts';
import type { StateBill as MadeStateBill } from './generated/StateBill.ts';
import type { StatePage as MadeStatePage } from './generated/StatePage.ts';
import type { TimeLiteral as MadeTimeLiteral } from './generated/TimeLiteral.ts';
import type { Token as MadeToken } from './generated/Token.ts';
import type { WhyCard as MadeWhyCard } from './generated/WhyCard.ts';
import type { WhyGauge as MadeWhyGauge } from './generated/WhyGauge.ts';
import type { WhyMove as MadeWhyMove } from './generated/WhyMove.ts';
import type { Workspace as MadeWorkspace } from './generated/Workspace.ts';

/** Data that crossed is read, not written: changes make new objects. */
type Read<T> = T extends Uint8Array
  ? T
  : T extends readonly (infer Each)[]
    ? readonly Read<Each>[]
    : T extends object
      ? { readonly [Key in keyof T]: Read<T[Key]> }
      : T;

export type Advanced = Read<MadeAdvanced>;
export type Analysis = Read<MadeAnalysis>;
export type Bilingual = Read<MadeBilingual>;
export type ColumnView = Read<MadeColumnView>;
export type Completion = Read<MadeCompletion>;
export type Diagnostic = Read<MadeDiagnostic>;
export type Downstream = Read<MadeDownstream>;
export type Edit = Read<MadeEdit>;
export type Edited = Read<MadeEdited>;
export type FileProgress = Read<MadeFileProgress>;
export type FileResult = Read<MadeFileResult>;
export type Fix = Read<MadeFix>;
export type Generator = Read<MadeGenerator>;
export type Hover = Read<MadeHover>;
export type InputView = Read<MadeInputView>;
export type Lens = Read<MadeLens>;
export type MoveAct = Read<MadeMoveAct>;
export type Opened = Read<MadeOpened>;
export type OperatorView = Read<MadeOperatorView>;
export type PlanNodeView = Read<MadePlanNodeView>;
export type PlanView = Read<MadePlanView>;
export type QueryView = Read<MadeQueryView>;
export type ScenarioEvent = Read<MadeScenarioEvent>;
export type SinkReport = Read<MadeSinkReport>;
export type SlotInfo = Read<MadeSlotInfo>;
export type SourceControl = Read<MadeSourceControl>;
export type SourceView = Read<MadeSourceView>;
export type Span = Read<MadeSpan>;
export type StateBill = Read<MadeStateBill>;
export type StatePage = Read<MadeStatePage>;
export type TimeLiteral = Read<MadeTimeLiteral>;
export type Token = Read<MadeToken>;
export type WhyCard = Read<MadeWhyCard>;
export type WhyGauge = Read<MadeWhyGauge>;
export type WhyMove = Read<MadeWhyMove>;
export type Workspace = Read<MadeWorkspace>;

export type Severity = Diagnostic['severity'];
export type TokenKind = Token['kind'];
export type SinkMode = QueryView['mode'];

/** How the rows of a file are read. */
export interface FilePlan {
  readonly table: string;
  /** Character between two values; empty where each line is JSON. */
  readonly delimiter: string;
  /** Whether the first line has the names of the columns. */
  readonly names: boolean;
}

/** What some time spent on a file has led to. */
export interface FileTurn {
  /** Bytes that were read, from the beginning. */
  readonly bytes: number;
  readonly done: boolean;
  readonly progress: FileProgress;
}

/** Everything the engine does. Calls of one workspace carry its number. */
export interface EngineApi {
  version(): Promise<string>;
  analyze(script: string): Promise<Analysis>;
  /** The same before anything is planned: no lenses, diagnostics of parsing and binding. */
  check(script: string): Promise<Analysis>;
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
  downstream(ws: number, query: number, slot: number): Promise<Downstream>;
  explain(script: string): Promise<string>;
  /** Makes a workspace's queries ready for the rows of a file; its own events are left out. */
  fileOpen(workspace: Workspace, plan: FilePlan, file: File): Promise<void>;
  /** Reads and runs slices of the file for about `maxMs`. */
  fileNext(maxMs: number): Promise<FileTurn>;
  fileClose(): Promise<void>;
  memory(): Promise<number>;
  close(ws: number): Promise<void>;
}
