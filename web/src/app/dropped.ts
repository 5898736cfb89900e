/** Runs a dropped file: its first rows as a replay, all of them in bulk, slice by slice. */
import type { EngineApi, FilePlan } from '../engine/api.ts';
import { draftOpened } from '../model/draft.ts';
import type { FileState } from '../model/dropped.ts';
import { sampleOf, workspaceOf } from '../model/dropped.ts';
import type { Model } from '../model/model.ts';
import { Recording } from '../model/recording.ts';
import { scenarioFrom } from '../model/scenario.ts';
import { adopt, type Wiring } from './commands.ts';

/** Beginning of a file that is looked at for its columns and the rows to step through. */
const SAMPLE_BYTES = 512 * 1024;
/** Links of a changed workspace name a scenario. */
const BASE = 'payments';
/** Time of one answer of the engine. */
const TURN_MS = 120;

/** The file of a page. */
export class Dropped {
  readonly #wiring: Wiring;
  readonly #engine: EngineApi;
  #file: { file: File; plan: FilePlan; steppable: number } | undefined;
  #turn = 0;

  constructor(wiring: Wiring, engine: EngineApi) {
    this.#wiring = wiring;
    this.#engine = engine;
  }

  /** Opens a file: its first rows are there at once, then all of them run. */
  async open(file: File): Promise<void> {
    const { model, player } = this.#wiring;
    this.stop();
    const head = await file.slice(0, SAMPLE_BYTES).text();
    const whole = file.size <= SAMPLE_BYTES ? head : head.slice(0, head.lastIndexOf('\n') + 1);
    const sample = sampleOf(file.name, whole);
    if (sample === undefined) {
      model.file.value = { ...stateOf(file, 0), kind: 'failed' };
      return;
    }
    const workspace = workspaceOf(sample);
    player.pause();
    const title = { en: file.name, zh: file.name };
    const scenario = scenarioFrom({ id: BASE, title, workspace, names: [title] });
    model.recording.value = new Recording(draftOpened(workspace));
    model.explained.value = undefined;
    model.p.value = scenario.at;
    adopt(this.#wiring, scenario);
    model.edited.value = true;
    this.#file = { file, plan: sample.plan, steppable: workspace.events.length };
    model.file.value = stateOf(file, workspace.events.length);
    await this.#wiring.sync.settled();
    await this.run();
  }

  /** Runs all rows through the queries as they are now. */
  async run(): Promise<void> {
    const opened = this.#file;
    if (opened === undefined) return;
    const { file, plan, steppable } = opened;
    const { model } = this.#wiring;
    this.#turn++;
    const turn = this.#turn;
    const state = stateOf(file, steppable);
    model.file.value = state;
    try {
      await this.#engine.fileOpen({ ...model.workspace.value, events: [] }, plan, file);
      for (;;) {
        const { bytes, done, progress } = await this.#engine.fileNext(TURN_MS);
        if (turn !== this.#turn) return;
        model.file.value = { ...state, ...progress, bytes, kind: done ? 'done' : 'running' };
        if (done) return;
      }
    } catch (cause) {
      if (turn !== this.#turn) return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      model.file.value = { ...latest(model, state), kind: 'failed', reason };
    }
  }

  /** Stops the run; what it has led to so far stays. */
  stop(): void {
    this.#turn++;
    const { model } = this.#wiring;
    const state = model.file.value;
    if (state?.kind === 'running') model.file.value = { ...state, kind: 'stopped' };
  }

  /** Forgets the file. */
  close(): void {
    this.stop();
    this.#file = undefined;
    this.#wiring.model.file.value = undefined;
    this.#engine.fileClose().catch(() => undefined);
  }
}

function latest(model: Model, state: FileState): FileState {
  return model.file.value ?? state;
}

function stateOf(file: File, steppable: number): FileState {
  const { name, size } = file;
  return {
    name,
    size,
    bytes: 0,
    rows: 0,
    unread: 0,
    steppable,
    kind: 'running',
    queries: [],
    reason: '',
  };
}
