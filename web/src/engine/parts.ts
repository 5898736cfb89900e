/**
 * The engine's code comes in two parts: what the first calls of a page need, and the rest, which arrives behind it and is
 * put to use when these are done or as soon as something asks for it. A call that reaches for the rest before it is there
 * traps; the engine is then made anew with both parts, hears what it was asked before, which always has the same effect,
 * and is asked again.
 */
import { cut } from './cut.ts';
import { Engine, type InitOutput, initSync } from './pkg/sg.js';

/** Where the module is, and the files that every engine gets. */
export interface EngineUrls {
  readonly module: string;
  readonly zones: string;
  readonly texts: string;
}

/** A call of the engine. It may be made twice. */
type Call = (engine: Engine) => unknown;

interface Instance {
  readonly engine: Engine;
  readonly wasm: InitOutput;
}

/** An engine of which the second part comes later. */
export class EngineParts {
  readonly #urls: EngineUrls;
  readonly #files: Promise<Files>;
  readonly #begun: Promise<Instance>;
  /** The instance with both parts. */
  #whole: Instance | undefined;
  #joining: Promise<Instance> | undefined;
  /** What was called while the rest was not there. */
  #calls: Call[] = [];
  /** Whether a call trapped: what the first instance knows is not to be used. */
  #spoilt = false;

  constructor(urls: EngineUrls) {
    this.#urls = urls;
    this.#files = files(urls);
    this.#begun = this.#files.then(instance);
  }

  /** Makes a call that the first part mostly suffices for, and which may change what the engine knows. */
  async early<T>(call: (engine: Engine) => T): Promise<T> {
    return this.look((engine) => {
      // What it changes before it is refused counts, too.
      if (this.#whole === undefined) this.#calls.push(call);
      return call(engine);
    });
  }

  /** Makes a call that the first part mostly suffices for, and which changes nothing. */
  async look<T>(call: (engine: Engine) => T): Promise<T> {
    const { engine } = await this.#begun;
    if (this.#whole !== undefined) return call(this.#whole.engine);
    if (this.#spoilt) return call(await this.whole());
    const before = this.#calls.length;
    try {
      return call(engine);
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
      this.#calls.length = before;
      this.#spoilt = true;
      return call(await this.whole());
    }
  }

  /** The engine with both parts. */
  async whole(): Promise<Engine> {
    this.#joining ??= this.#join();
    try {
      return (await this.#joining).engine;
    } catch (cause) {
      // The next call tries again.
      this.#joining = undefined;
      throw cause;
    }
  }

  /** Bytes of memory. */
  async memoryBytes(): Promise<number> {
    const begun = await this.#begun;
    return (this.#whole ?? begun).wasm.memory.buffer.byteLength;
  }

  async #join(): Promise<Instance> {
    const [begun, given] = await Promise.all([this.#begun, this.#files]);
    const bytes = await given.rest.catch(() => restOf(this.#urls.module));
    const rest = bytes && (await WebAssembly.compile(bytes));
    const joined = this.#spoilt ? instance(given) : begun;
    if (rest !== undefined) {
      // It puts its functions into the table of the first.
      new WebAssembly.Instance(rest, { f: joined.wasm as unknown as WebAssembly.ModuleImports });
    }
    if (this.#spoilt) for (const call of this.#calls) again(call, joined.engine);
    this.#calls = [];
    this.#whole = joined;
    return joined;
  }
}

interface Files {
  readonly module: WebAssembly.Module;
  readonly rest: Promise<BufferSource | undefined>;
  readonly zones: string;
  readonly texts: string;
}

async function files(urls: EngineUrls): Promise<Files> {
  const [parts, zones, texts] = await Promise.all([
    fetched(urls.module).then((answer) => {
      const { first, rest } = cut(answer);
      return first.then((module) => ({ module, rest }));
    }),
    text(urls.zones),
    text(urls.texts),
  ]);
  return { ...parts, zones, texts };
}

/** The second part, fetched again. */
async function restOf(url: string): Promise<BufferSource | undefined> {
  return cut(await fetched(url)).rest;
}

/** The engine of the instance that `./pkg/sg.js` calls: it knows one at a time. */
let latest: Engine | undefined;

function instance(given: Files): Instance {
  if (latest !== undefined) forget(latest);
  const wasm = initSync({ module: given.module });
  const engine = new Engine();
  latest = engine;
  engine.install_zones(given.zones);
  engine.install_texts(given.texts);
  return { engine, wasm };
}

/** A call whose answer was given before. */
function again(call: Call, engine: Engine): void {
  try {
    call(engine);
  } catch (cause) {
    // What the engine refused before it refuses now; a trap is another matter.
    if (cause instanceof WebAssembly.RuntimeError) throw cause;
  }
}

/** Sees to it that the garbage collector does not free an engine in an instance that it is not of. */
function forget(engine: Engine): void {
  (engine as Engine & { __destroy_into_raw(): number }).__destroy_into_raw();
}

async function text(url: string): Promise<string> {
  return (await fetched(url)).text();
}

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}
