/** Makes an embed run: commands, player and engine, loaded when the embed comes near. */
import { effect } from '@preact/signals-core';
import type { EmbedRun, StreamGlass } from '../elements/stream-glass.ts';
import { EngineClient } from '../engine/client.ts';
import type { Intent } from '../model/intent.ts';
import type { Model } from '../model/model.ts';
import { MOMENTS } from '../model/view.ts';
import { command, type Wiring } from './commands.ts';
import { Foresight } from './foresight.ts';
import { Player } from './player.ts';
import { Sync } from './sync.ts';

/** All embeds of a page share one engine. */
const engine = new EngineClient(
  () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }),
  async () => new (await import('../engine/host.ts')).EngineHost(),
);

/** Each embed has two numbers: its replay, and the copies on which it tries things. */
let nextWs = 100;

/** Runs the workspace of a model. */
export function runEmbed(embed: StreamGlass, model: Model): EmbedRun {
  const ws = nextWs;
  nextWs += 2;
  const sync = new Sync(model, engine.api, ws);
  const player = new Player(model);
  const wiring: Wiring = {
    model,
    player,
    sync,
    foresight: new Foresight(engine.api, ws + 1),
    openScenario: () => undefined,
    share: () => undefined,
    openFile: () => undefined,
    fileAct: () => undefined,
    restart: (again) => {
      engine.restart();
      sync.recover(again);
    },
  };
  const failed = (cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    embed.dispatchEvent(new CustomEvent('sg-error', { detail: { message }, bubbles: true }));
  };
  const stopTelling = effect(() => {
    const status = model.engine.value;
    if (status.kind === 'stopped') failed(new Error(status.message));
  });
  sync.changed();
  return {
    handle: (event) => {
      if (!(event instanceof CustomEvent)) return;
      event.stopPropagation();
      const before = model.workspace.value;
      command(wiring, event.detail satisfies Intent);
      if (model.workspace.value !== before) {
        embed.dispatchEvent(new CustomEvent('sg-edit', { detail: {}, bubbles: true }));
      }
    },
    play: () => player.play(),
    pause: () => player.pause(),
    step: (n) => {
      const p = Math.floor(model.p.value) + n + MOMENTS.rest;
      command(wiring, { kind: 'seek', p, glide: true });
    },
    seek: (p) => player.seek(p),
    glide: (p, ms) => player.glide(p, ms),
    reset: () => command(wiring, { kind: 'reset' }),
    stop: () => {
      player.pause();
      stopTelling();
      engine.api.close(ws).catch(failed);
      engine.api.close(ws + 1).catch(failed);
    },
  };
}
