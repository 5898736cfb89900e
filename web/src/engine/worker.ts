/** Exposes an engine to the page that started this worker; frames are handed over, not copied. */
import { expose, transfer } from 'comlink';
import type { Advanced } from './api.ts';
import { EngineHost } from './host.ts';

class WorkerHost extends EngineHost {
  override async advance(ws: number, maxSlots: number, maxMs: number): Promise<Advanced> {
    const advanced = await super.advance(ws, maxSlots, maxMs);
    return transfer(advanced, [advanced.frames.buffer]);
  }
}

expose(new WorkerHost());
