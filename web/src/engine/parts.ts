/**
 * The engine's code comes in two parts: what the first calls of a page need, and the rest, which is fetched when that is
 * done or as soon as something asks for it. A call that reaches for the rest before it is there traps; the engine is
 * then made anew with both parts, hears what it was asked before, which always has the same effect, and is asked again.
 */
import { Engine, type InitOutput, initSync } from './pkg/sg.js';

/** Where the parts are, and the files that every engine gets. */
export interface PartUrls {
  readonly first: string;
  readonly rest: string;
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
  readonly #urls: PartUrls;
  readonly #files: Promise<{ module: WebAssembly.Module; zones: string; texts: string }>;
  readonly #begun: Promise<Instance>;
  /** The instance with both parts. */
  #whole: Instance | undefined;
  #joining: Promise<Instance> | undefined;
  /** What was called while the rest was not there. */
  #calls: Call[] = [];
  /** Whether a call trapped: what the first instance knows is not to be used. */
  #spoilt = false;

  constructor(urls: PartUrls) {
    this.#urls = urls;
    this.#files = Promise.all([compiled(urls.first), text(urls.zones), text(urls.texts)]).then(
      ([module, zones, texts]) => ({ module, zones, texts }),
    );
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
    const [begun, files] = await Promise.all([this.#begun, this.#files]);
    const rest = await compiled(this.#urls.rest);
    const joined = this.#spoilt ? instance(files) : begun;
    // It puts its functions into the table of the first.
    new WebAssembly.Instance(rest, { f: joined.wasm as unknown as WebAssembly.ModuleImports });
    if (this.#spoilt) {
      forget(begun.engine);
      for (const call of this.#calls) again(call, joined.engine);
    }
    this.#calls = [];
    this.#whole = joined;
    return joined;
  }
}

function instance(files: { module: WebAssembly.Module; zones: string; texts: string }): Instance {
  const wasm = initSync({ module: files.module });
  const engine = new Engine();
  engine.install_zones(files.zones);
  engine.install_texts(files.texts);
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

async function compiled(url: string): Promise<WebAssembly.Module> {
  const answer = await fetched(url);
  // A host that does not know the type may still serve the file.
  return answer.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

async function text(url: string): Promise<string> {
  return (await fetched(url)).text();
}

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}
