/**
 * The page's one way to the engine: in a worker, or, where a worker cannot be had, in the page itself.
 * A trap is a bug of the engine: the worker is thrown away and a new one started. So it is where an answer
 * takes longer than the limit: the engine cannot be interrupted in any other way.
 */
import { type Remote, releaseProxy, wrap } from 'comlink';
import type { EngineApi } from './api.ts';

/** Longest time of one answer. */
export const ANSWER_LIMIT_MS = 30_000;

/** The engine trapped, or was stopped at the time limit; what it knew is lost, the text is not. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped';
  readonly why: 'trap' | 'time';

  constructor(why: 'trap' | 'time', message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

type Method = keyof EngineApi;

/** Where the engine is. */
interface Place {
  readonly api: EngineApi | Remote<EngineApi>;
  readonly leave: () => void;
  /** Whether it can be left while it works. */
  readonly apart: boolean;
}

/** How to get an engine into the page when there is no worker. */
export type HostLoader = () => Promise<EngineApi>;

/** Starts an engine in a worker. */
export type WorkerStarter = () => Worker;

/** An `EngineApi` that survives traps. */
export class EngineClient {
  readonly api: EngineApi;
  /** Told of every stop, whoever asked. */
  onStop: ((stopped: EngineStopped) => void) | undefined;
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
    const asked = this.#place;
    const { api, apart } = await asked;
    try {
      const answer = Reflect.apply(Reflect.get(api, method), api, args);
      return await (apart ? inTime(answer) : answer);
    } catch (cause) {
      if (cause instanceof EngineStopped) throw this.#stopped(asked, cause);
      if (!isTrap(cause)) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw this.#stopped(asked, new EngineStopped('trap', message, { cause }));
    }
  }

  /** Leaves the place that stopped, unless another call has done so. */
  #stopped(asked: Promise<Place>, stopped: EngineStopped): EngineStopped {
    if (this.#place === asked) {
      this.restart();
      this.onStop?.(stopped);
    }
    return stopped;
  }

  async #start(): Promise<Place> {
    const worker = this.#tryWorker();
    if (worker !== undefined) {
      const api = wrap<EngineApi>(worker);
      const alive = await answers(worker, () => api.version());
      if (alive) {
        return {
          api,
          apart: true,
          leave: () => {
            api[releaseProxy]();
            worker.terminate();
          },
        };
      }
      worker.terminate();
    }
    return { api: await this.#loadHost(), apart: false, leave: () => undefined };
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

/** The answer, or the time limit. */
function inTime(answer: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new EngineStopped('time', `no answer within ${ANSWER_LIMIT_MS} ms`));
    const timer = setTimeout(late, ANSWER_LIMIT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
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
