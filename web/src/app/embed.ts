/** Entry module of `streamglass.js`: defines `<stream-glass>`. All embeds of a page share one engine. */
import { effect } from '@preact/signals-core';
import { type EmbedRun, type EmbedWish, StreamGlass } from '../elements/stream-glass.ts';
import type { Workspace } from '../engine/api.ts';
import { EngineClient } from '../engine/client.ts';
import { draftOpened } from '../model/draft.ts';
import type { Intent } from '../model/intent.ts';
import type { Model } from '../model/model.ts';
import { START } from '../model/playhead.ts';
import { positionFrom } from '../model/position.ts';
import { Recording } from '../model/recording.ts';
import type { Scenario } from '../model/scenario.ts';
import { adopt, command, type Wiring } from './commands.ts';
import { Foresight } from './foresight.ts';
import { Player } from './player.ts';
import { loadScenario } from './scenario_files.ts';
import { Sync } from './sync.ts';

export { StreamGlass };

const engine = new EngineClient(
  () => new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' }),
  async () => new (await import('../engine/host.ts')).EngineHost(),
);

/** Each embed has two numbers: its replay, and the copies on which it tries things. */
let nextWs = 100;

function connect(embed: StreamGlass, model: Model, wish: EmbedWish): EmbedRun {
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
    restart: () => {
      engine.restart();
      sync.recover();
    },
  };
  const failed = (cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    embed.dispatchEvent(new CustomEvent('sg-error', { detail: { message }, bubbles: true }));
  };
  open(wiring, wish).catch(failed);
  const stopTelling = effect(() => {
    const status = model.engine.value;
    if (status.kind === 'stopped') failed(new Error(status.message));
  });
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
    step: (n) =>
      command(wiring, { kind: 'seek', p: Math.floor(model.p.value) + n + 0.95, glide: true }),
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

async function open(wiring: Wiring, wish: EmbedWish): Promise<void> {
  const { model } = wiring;
  const base = new URL('./scenarios/', siteBase());
  const { scenario } = await loadScenario(base, wish.scenario);
  const wanted = wished(scenario, wish);
  model.p.value = START;
  model.recording.value = new Recording(draftOpened(wanted.workspace));
  model.lane.value = 0;
  adopt(wiring, wanted);
  await wiring.sync.settled();
}

/** Folder in which `streamglass.js` and the scenarios lie. */
function siteBase(): string {
  return import.meta.env.DEV ? document.baseURI : new URL('./', import.meta.url).href;
}

/** The scenario as an embed wants it: its queries in their order, its part of the replay. */
function wished(scenario: Scenario, wish: EmbedWish): Scenario {
  const queries = wish.queries.flatMap((lane) => {
    const sql = wish.sql[lane] ?? scenario.workspace.queries[lane]?.sql;
    return sql === undefined ? [] : [{ sql }];
  });
  const names = wish.queries.flatMap((lane) => scenario.names[lane] ?? []);
  const workspace: Workspace = { ...scenario.workspace, queries };
  return { ...scenario, names, workspace: cropped(workspace, wish) };
}

function cropped(workspace: Workspace, wish: EmbedWish): Workspace {
  if (wish.from === undefined && wish.to === undefined) return workspace;
  const draft = new Recording(draftOpened(workspace));
  const stepOf = (text: string | undefined, otherwise: number) => {
    const p = text === undefined ? undefined : positionFrom(draft, text);
    return p === undefined ? otherwise : Math.floor(p);
  };
  const first = stepOf(wish.from, 0);
  const last = stepOf(wish.to, draft.slots - 1);
  const kept = new Set(draft.marks.slice(first, last + 1).map((mark) => mark.event));
  return { ...workspace, events: workspace.events.filter((_, at) => kept.has(at)) };
}

StreamGlass.connect = connect;
