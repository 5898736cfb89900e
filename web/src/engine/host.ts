/** The engine itself, over wasm. Runs in a worker, or in the page where there is none. */
import type {
  Advanced,
  Analysis,
  Completion,
  Downstream,
  Edit,
  Edited,
  EngineApi,
  FilePlan,
  FileTurn,
  Hover,
  Opened,
  StateBill,
  StatePage,
  WhyCard,
  Workspace,
} from './api.ts';
import { EngineParts } from './parts.ts';
import type { Engine } from './pkg/sg.js';
import moduleUrl from './pkg/sg_bg.wasm?url';
import textsUrl from './pkg/texts.bin?url';
import zonesUrl from './pkg/zones.bin?url';

/** A script with this text may create functions, which need their interpreter. */
const CREATES_FUNCTIONS = /\blanguage\s+javascript\b/i;

/** Slots of one call into wasm: small enough to look at the clock in between. */
const CHUNK_SLOTS = 256;

/** A file is read in slices of this length: at no time more of it is held. */
const SLICE_BYTES = 512 * 1024;
/** Rows of a result that are shown. */
const SHOWN_ROWS = 200;

/** A file while it is read. */
interface Reading {
  readonly file: File;
  at: number;
}

/** Implements the calls one by one. */
export class EngineHost implements EngineApi {
  readonly #parts = new EngineParts({
    module: moduleUrl,
    zones: zonesUrl,
    texts: textsUrl,
  });
  #scripts: Promise<void> | undefined;
  #reading: Reading | undefined;

  async version(): Promise<string> {
    return this.#parts.look((engine) => engine.version());
  }

  async analyze(script: string): Promise<Analysis> {
    return (await this.#engine(script)).analyze(script);
  }

  async check(script: string): Promise<Analysis> {
    return (await this.#engine(script)).check(script);
  }

  async complete(script: string, offset: number): Promise<readonly Completion[]> {
    return (await this.#engine(script)).complete(script, offset);
  }

  async hover(script: string, offset: number): Promise<Hover | null> {
    return (await this.#engine(script)).hover(script, offset);
  }

  async open(ws: number, workspace: Workspace): Promise<Opened> {
    const text = JSON.stringify(workspace);
    return this.#early(text, (engine) => engine.open(ws, text));
  }

  async advance(ws: number, maxSlots: number, maxMs: number): Promise<Advanced> {
    const until = performance.now() + maxMs;
    const parts: Uint8Array[] = [];
    for (let left = maxSlots; ; left -= CHUNK_SLOTS) {
      const slots = Math.min(left, CHUNK_SLOTS);
      const { frames, done, generation } = await this.#parts.early(
        (engine): Advanced => engine.advance(ws, slots),
      );
      parts.push(frames);
      const enough = done || left <= CHUNK_SLOTS || performance.now() >= until;
      if (!enough) continue;
      // The first results are on their way: now is the time for the rest. If it
      // fails, the call that needs it says so.
      this.#parts.whole().catch(() => undefined);
      return { frames: joined(parts), done, generation };
    }
  }

  async edit(ws: number, edit: Edit): Promise<Edited> {
    const text = JSON.stringify(edit);
    return this.#early(text, (engine) => engine.edit(ws, text));
  }

  async state(
    ws: number,
    at: { query: number; slot: number; operator: number; handle: number },
    page: { offset: number; limit: number },
  ): Promise<StatePage> {
    const place = Uint32Array.of(at.query, at.slot + 1, at.operator, at.handle);
    return this.#parts.look((engine) => engine.state(ws, place, page.offset, page.limit));
  }

  async why(ws: number, query: number, slot: number): Promise<readonly WhyCard[]> {
    return this.#parts.look((engine) => engine.why(ws, query, slot + 1));
  }

  async bill(ws: number, query: number, slot: number): Promise<readonly StateBill[]> {
    return this.#parts.look((engine) => engine.bill(ws, query, slot + 1));
  }

  async downstream(ws: number, query: number, slot: number): Promise<Downstream> {
    return this.#parts.look((engine) => engine.downstream(ws, query, slot + 1));
  }

  async explain(script: string): Promise<string> {
    return (await this.#engine(script)).explain(script);
  }

  async fileOpen(workspace: Workspace, plan: FilePlan, file: File): Promise<void> {
    const text = JSON.stringify(workspace);
    const engine = await this.#engine(text);
    this.#reading = undefined;
    engine.fileOpen(text, plan.table, plan.delimiter, plan.names);
    this.#reading = { file, at: 0 };
  }

  async fileNext(maxMs: number): Promise<FileTurn> {
    const engine = await this.#engine();
    const reading = this.#reading;
    if (reading === undefined) throw new Error('no file is open');
    const { file } = reading;
    const until = performance.now() + maxMs;
    do {
      const end = Math.min(reading.at + SLICE_BYTES, file.size);
      const slice = await file.slice(reading.at, end).arrayBuffer();
      // Another file may have been opened while this one was read.
      if (this.#reading !== reading) break;
      engine.filePush(new Uint8Array(slice));
      reading.at = end;
    } while (reading.at < file.size && performance.now() < until);
    const done = this.#reading !== reading || reading.at >= file.size;
    if (done && this.#reading === reading) {
      engine.fileEnd();
      this.#reading = undefined;
    }
    return { bytes: reading.at, done, progress: engine.fileLook(done ? SHOWN_ROWS : 20) };
  }

  async fileClose(): Promise<void> {
    this.#reading = undefined;
    (await this.#engine()).fileClose();
  }

  async memory(): Promise<number> {
    return this.#parts.memoryBytes();
  }

  async close(ws: number): Promise<void> {
    await this.#parts.early((engine) => engine.close(ws));
  }

  /** A call that the first part mostly suffices for, unless its text creates functions. */
  async #early<T>(text: string, call: (engine: Engine) => T): Promise<T> {
    return CREATES_FUNCTIONS.test(text) ? call(await this.#engine(text)) : this.#parts.early(call);
  }

  /** The engine with all its parts; with a text that creates functions, it can run them. */
  async #engine(text = ''): Promise<Engine> {
    const engine = await this.#parts.whole();
    if (CREATES_FUNCTIONS.test(text)) {
      this.#scripts ??= import('./scripts.ts').then(async ({ startScripts }) => {
        const { define, call } = await startScripts();
        engine.install_scripts(define, call);
      });
      await this.#scripts.catch((cause: unknown) => {
        // The next text tries again.
        this.#scripts = undefined;
        throw cause;
      });
    }
    return engine;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
