/**
 * Entry module of `streamglass.js`: defines `<stream-glass>`, which shows its events at once. What it needs
 * to run them comes later.
 */
import { batch } from '@preact/signals-core';
import { type EmbedRun, type EmbedWish, StreamGlass } from '../elements/stream-glass.ts';
import type { Workspace } from '../engine/api.ts';
import { draftOpened } from '../model/draft.ts';
import type { Model } from '../model/model.ts';
import { START } from '../model/playhead.ts';
import { positionFrom } from '../model/position.ts';
import { Recording } from '../model/recording.ts';
import type { Scenario } from '../model/scenario.ts';
import { loadScenario } from './scenario_files.ts';

export { StreamGlass };

async function connect(embed: StreamGlass, model: Model, wish: EmbedWish): Promise<EmbedRun> {
  const base = new URL('./scenarios/', siteBase());
  const { scenario } = await loadScenario(base, wish.scenario);
  const wanted = wished(scenario, wish);
  batch(() => {
    model.scenario.value = wanted;
    model.workspace.value = wanted.workspace;
    model.p.value = START;
    model.lane.value = 0;
    model.recording.value = new Recording(draftOpened(wanted.workspace));
  });
  const { runEmbed } = await import('./embed_run.ts');
  return runEmbed(embed, model);
}

/** Folder in which `streamglass.js` and the scenarios lie. */
function siteBase(): string {
  if (import.meta.env.DEV) return document.baseURI;
  // What two pages share is built into `assets/`, and this module is shared.
  return new URL(import.meta.url.includes('/assets/') ? '../' : './', import.meta.url).href;
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
