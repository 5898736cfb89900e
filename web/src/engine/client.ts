/**
 * The page's one way to the engine: in a worker, or, where a worker cannot be had, in the page itself.
 * A trap is a bug of the engine: the worker is thrown away and a new one started.
 */
import { type Remote, releaseProxy, wrap } from 'comlink';
import type { EngineApi } from './api.ts';

/** The engine trapped; what it knew is lost, the text is not. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped';
}

type Method = keyof EngineApi;

/** Where the engine is. */
interface Place {
  readonly api: EngineApi | Remote<EngineApi>;
  readonly leave: () => void;
}

/** How to get an engine into the page when there is no worker. */
export type HostLoader = () => Promise<EngineApi>;

/** Starts an engine in a worker. */
export type WorkerStarter = () => Worker;

/** An `EngineApi` that survives traps. */
export class EngineClient {
  readonly api: EngineApi;
  readonly #startWorker: WorkerStarter;
  readonly #loadHost: HostLoader;
  #place: Promise<Place> | undefined;

  constructor(startWorker: WorkerStarter, loadHost: HostLoader) {
    this.#startWorker = startWorker;
    this.#loadHost = loadHost;
    this.api = forwarding((method, args) => this.#call(method, args));
  }

  /** Throws the engine away; the next call starts a new one. */
  restart(): void {
    const place = this.#place;
    this.#place = undefined;
    place?.then(
      ({ leave }) => leave(),
      () => undefined,
    );
  }

  async #call(method: Method, args: readonly unknown[]): Promise<unknown> {
    this.#place ??= this.#start();
    const { api } = await this.#place;
    try {
      return await Reflect.apply(Reflect.get(api, method), api, args);
    } catch (cause) {
      if (!isTrap(cause)) throw cause;
      this.restart();
      throw new EngineStopped(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  async #start(): Promise<Place> {
    const worker = this.#tryWorker();
    if (worker !== undefined) {
      const api = wrap<EngineApi>(worker);
      const alive = await answers(worker, () => api.version());
      if (alive) {
        return {
          api,
          leave: () => {
            api[releaseProxy]();
            worker.terminate();
          },
        };
      }
      worker.terminate();
    }
    return { api: await this.#loadHost(), leave: () => undefined };
  }

  #tryWorker(): Worker | undefined {
    try {
      return this.#startWorker();
    } catch {
      // A frame with an opaque origin may not start a worker: the engine runs in the page then.
      return undefined;
    }
  }
}

/** Whether the worker has come up; one that may not load its script reports an error instead. */
function answers(worker: Worker, ask: () => Promise<string>): Promise<boolean> {
  return new Promise((resolve) => {
    worker.addEventListener('error', () => resolve(false), { once: true });
    ask().then(
      () => resolve(true),
      () => resolve(false),
    );
  });
}

function isTrap(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return (
    cause instanceof WebAssembly.RuntimeError ||
    /unreachable|memory access|RuntimeError|recursive use/.test(`${cause.name} ${cause.message}`)
  );
}

/** An api whose every method goes through one function. */
function forwarding(
  call: (method: Method, args: readonly unknown[]) => Promise<unknown>,
): EngineApi {
  return new Proxy({} as EngineApi, {
    get:
      (_, method) =>
      (...args: readonly unknown[]) =>
        call(method as Method, args),
  });
}
