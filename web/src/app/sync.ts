/**
 * Keeps engine and model together: opens workspaces, pulls frames, asks for analyses and explanations.
 * One run at a time; what changes meanwhile waits, and only its newest state counts.
 */
import { batch } from '@preact/signals-core';
import type { EngineApi, Opened, Workspace } from '../engine/api.ts';
import { EngineStopped } from '../engine/client.ts';
import type { Model } from '../model/model.ts';
import { Recording } from '../model/recording.ts';

/** Slots and milliseconds of one pull. */
const PULL_SLOTS = 384;
const PULL_MS = 8;
/** Time between two pictures while frames come in. */
const PUBLISH_MS = 150;
/** After this time the old picture is dimmed. */
const STALE_MS = 50;
const TYPING_MS = 180;

/** One workspace of the engine and the model that shows it. */
export class Sync {
  readonly #model: Model;
  readonly #engine: EngineApi;
  readonly #ws: number;
  #wanted: Workspace | undefined;
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];
  #good: Workspace | undefined;

  constructor(model: Model, engine: EngineApi, ws: number) {
    this.#model = model;
    this.#engine = engine;
    this.#ws = ws;
  }

  /** The workspace has changed. `soon` waits for typing to pause. */
  changed(soon = false): void {
    clearTimeout(this.#timer);
    if (!soon) {
      this.#start();
      return;
    }
    this.#timer = setTimeout(() => this.#start(), TYPING_MS);
    this.#check().catch((cause: unknown) => this.stopped(cause));
  }

  /** After the engine stopped: goes back to the last workspace that ran to its end, or runs what is there again. */
  recover(again: boolean): void {
    const good = this.#good;
    if (!again && good !== undefined && this.#model.workspace.value !== good) {
      this.#model.workspace.value = good;
    }
    this.#start();
  }

  /** The engine stopped, whoever had asked it. */
  stopped(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : String(cause);
    const why = cause instanceof EngineStopped ? cause.why : 'error';
    const reached = this.#model.recording.value;
    const atEvent =
      why !== 'error' && reached?.complete === false ? reached.lastStep + 2 : undefined;
    this.#model.engine.value = { kind: 'stopped', why, atEvent, message };
  }

  /** Resolves when nothing is under way any more. */
  settled(): Promise<void> {
    if (!this.#running && this.#wanted === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): void {
    this.#wanted = this.#model.workspace.value;
    if (this.#running) return;
    this.#running = true;
    this.#loop().then(
      () => this.#finished(),
      (cause: unknown) => {
        this.#finished();
        this.stopped(cause);
      },
    );
  }

  #finished(): void {
    this.#running = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #loop(): Promise<void> {
    for (;;) {
      const workspace = this.#wanted;
      if (workspace === undefined) return;
      this.#wanted = undefined;
      const stale = setTimeout(() => {
        this.#model.stale.value = this.#model.recording.value?.complete === true;
      }, STALE_MS);
      try {
        await this.#run(workspace);
      } finally {
        clearTimeout(stale);
        this.#model.stale.value = false;
      }
    }
  }

  async #run(workspace: Workspace): Promise<void> {
    const opened = await this.#engine.open(this.#ws, workspace);
    if (this.#wanted !== undefined) return;
    const before = this.#model.recording.value;
    const recording = new Recording(opened, before);
    if (before === undefined) this.#publish(recording);
    this.#diagnose(opened);
    await this.#pull(recording);
    if (recording.complete) this.#good = workspace;
  }

  async #pull(recording: Recording): Promise<void> {
    let published = 0;
    for (;;) {
      const { frames, done, generation } = await this.#engine.advance(
        this.#ws,
        PULL_SLOTS,
        PULL_MS,
      );
      if (this.#wanted !== undefined) return;
      if (generation !== recording.opened.generation) return;
      recording.ingest(frames);
      if (done) recording.finish();
      const shown = recording.lastStep >= Math.floor(this.#model.p.value);
      const now = performance.now();
      if (done || (shown && now - published > PUBLISH_MS)) {
        this.#publish(recording);
        published = now;
      }
      if (done) return;
    }
  }

  #publish(recording: Recording): void {
    batch(() => {
      this.#model.recording.value = recording;
      this.#model.grown.value++;
      this.#model.stale.value = false;
      this.#model.engine.value = { kind: 'ready' };
    });
  }

  #diagnose(opened: Opened): void {
    this.#model.scriptProblems.value = opened.scriptDiagnostics;
    this.#analyse().catch((cause: unknown) => this.stopped(cause));
  }

  /** While someone types: what can be said of a text before it is planned. */
  async #check(): Promise<void> {
    const { script, queries } = this.#model.workspace.value;
    const prefix = prefixOf(script);
    const isMissing = (at: number) => {
      const { analysis, planning } = this.#model.sql.value[at] ?? { planning: false };
      return analysis === undefined && planning;
    };
    for (const [at, { sql }] of queries.entries()) {
      if (!isMissing(at)) continue;
      const analysis = shifted(await this.#engine.check(prefix + sql), prefix.length);
      const now = this.#model.workspace.value;
      if (now.script !== script || now.queries[at]?.sql !== sql || !isMissing(at)) continue;
      this.#model.sql.value = this.#model.sql.value.map((known, place) =>
        place === at ? { analysis, planning: true } : known,
      );
    }
  }

  /** Tokens, lenses and problems of each query, in positions of its own text. */
  async #analyse(): Promise<void> {
    const { script, queries } = this.#model.workspace.value;
    const prefix = prefixOf(script);
    const analyses = await Promise.all(
      queries.map((query) => this.#engine.analyze(prefix + query.sql)),
    );
    const now = this.#model.workspace.value;
    const [first] = analyses;
    if (first !== undefined && now.script === script) {
      this.#model.scriptSql.value = within(first, script.length);
    }
    this.#model.sql.value = analyses.map((analysis, at) => {
      const fresh = now.script === script && now.queries[at]?.sql === queries[at]?.sql;
      return fresh
        ? { analysis: shifted(analysis, prefix.length), planning: false }
        : { analysis: undefined, planning: true };
    });
  }
}

/** What stands before a query's own text. */
function prefixOf(script: string): string {
  return script === '' ? '' : `${script}\n`;
}

interface Spanned {
  readonly span: { readonly from: number; readonly to: number };
}

/** An analysis of a script with a prefix, in positions behind the prefix; what lies in it is left out. */
export function shifted(
  analysis: Awaited<ReturnType<EngineApi['analyze']>>,
  by: number,
): Awaited<ReturnType<EngineApi['analyze']>> {
  const move = (span: Spanned['span']) => ({ from: span.from - by, to: span.to - by });
  const inside = (each: Spanned) => each.span.from >= by;
  return {
    tokens: analysis.tokens
      .filter((token) => token.from >= by)
      .map((token) => ({ ...token, ...move(token) })),
    lenses: analysis.lenses.filter(inside).map((lens) => ({ ...lens, span: move(lens.span) })),
    literals: analysis.literals.filter(inside).map((each) => ({ ...each, span: move(each.span) })),
    diagnostics: analysis.diagnostics.filter(inside).map((each) => ({
      ...each,
      span: move(each.span),
      labels: each.labels.filter(inside).map((label) => ({ ...label, span: move(label.span) })),
      fixes: each.fixes.map((fix) => ({
        ...fix,
        edits: fix.edits.map((edit) => ({ ...edit, ...move(edit) })),
      })),
    })),
  };
}

/** The part of an analysis that lies before a position. */
export function within(
  analysis: Awaited<ReturnType<EngineApi['analyze']>>,
  end: number,
): Awaited<ReturnType<EngineApi['analyze']>> {
  const before = (each: Spanned) => each.span.to <= end;
  return {
    tokens: analysis.tokens.filter((token) => token.to <= end),
    lenses: analysis.lenses.filter(before),
    literals: analysis.literals.filter(before),
    diagnostics: analysis.diagnostics.filter((each) => each.span.from < end),
  };
}

/** Completion and hover for a query: the engine is asked about the script with the query behind it. */
export function sqlServices(
  engine: EngineApi,
  model: Model,
): {
  complete(lane: number, text: string, at: number): ReturnType<EngineApi['complete']>;
  hover(lane: number, text: string, at: number): ReturnType<EngineApi['hover']>;
} {
  const prefix = () => {
    const { script } = model.workspace.value;
    return script === '' ? '' : `${script}\n`;
  };
  const moved = (span: { from: number; to: number }, by: number) => ({
    from: span.from - by,
    to: span.to - by,
  });
  return {
    complete: async (lane, text, at) => {
      const before = lane < 0 ? '' : prefix();
      const found = await engine.complete(before + text, before.length + at);
      return found.map((each) => ({ ...each, span: moved(each.span, before.length) }));
    },
    hover: async (lane, text, at) => {
      const before = lane < 0 ? '' : prefix();
      const found = await engine.hover(before + text, before.length + at);
      return found === null ? null : { ...found, span: moved(found.span, before.length) };
    },
  };
}
