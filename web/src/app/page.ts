/** Builds a page: model, engine, commands, elements; reads the address and keeps the theme. */
import { effect } from '@preact/signals-core';
import { browserLanguage, type SgPlayground } from '../elements/sg-playground.ts';
import { SgSql } from '../elements/sg-sql.ts';
import { SgTimeline } from '../elements/sg-timeline.ts';
import type { EngineApi } from '../engine/api.ts';
import type { EngineClient } from '../engine/client.ts';
import { know, messages } from '../i18n/language.ts';
import { zh } from '../i18n/zh.ts';
import { draftOpened } from '../model/draft.ts';
import type { Intent } from '../model/intent.ts';
import { Model } from '../model/model.ts';
import { decodeLink, encodeLink, LinkError } from '../model/permalink.ts';
import { Recording } from '../model/recording.ts';
import { adopt, command, type Wiring } from './commands.ts';
import { Dropped } from './dropped.ts';
import { keepExplained } from './explainer.ts';
import { Foresight } from './foresight.ts';
import { Player } from './player.ts';
import { loadScenario, scenarioIds } from './scenario_files.ts';
import { Sync, sqlServices } from './sync.ts';

/** Slots up to which the timeline shows the whole replay at first; longer ones follow the playhead. */
const WHOLE_SLOTS = 200;
const FOLLOWED_SLOTS = 46;
/** Engine start that takes longer is told. */
const SLOW_MS = 8000;
/** The scenario that opens where the address names none. */
const FIRST = 'payments';
const WS = 0;
const SCRATCH_WS = 1;

/** An engine, and how to start it anew. */
export type Engine = Pick<EngineClient, 'api' | 'restart' | 'onStop'>;

/** Fills the page element with life. */
export async function startPage(
  page: SgPlayground,
  engine: Engine,
  scenarios: URL,
): Promise<Model> {
  know('zh', zh);
  const model = new Model();
  const wiring = wire(model, engine, scenarios);
  page.model = model;
  page.addEventListener('sg-intent', (event) => {
    if (event instanceof CustomEvent) command(wiring, event.detail satisfies Intent);
  });
  keepAppearance(model, page);
  keepExplained(model, engine.api, WS);
  keepZoom(model);
  keepDrops(wiring);
  loadEditorLater(engine.api, model);
  const slow = setTimeout(() => {
    if (model.engine.value.kind === 'loading') {
      model.engine.value = { kind: 'loading', bytes: undefined, slow: true };
    }
  }, SLOW_MS);
  await openFirst(wiring, scenarios);
  await wiring.sync.settled();
  clearTimeout(slow);
  return model;
}

function wire(model: Model, engine: Engine, scenarios: URL): Wiring {
  const sync = new Sync(model, engine.api, WS);
  const wiring: Wiring = {
    model,
    player: new Player(model),
    sync,
    foresight: new Foresight(engine.api, SCRATCH_WS),
    openScenario: (id) => {
      dropped.close();
      openScenario(wiring, scenarios, id).catch((cause: unknown) => failed(model, cause));
    },
    openFile: (file) => {
      if (file === undefined) chooseFile(wiring);
      else dropped.open(file).catch((cause: unknown) => failed(model, cause));
    },
    fileAct: (act) => {
      if (act === 'run') dropped.run().catch((cause: unknown) => failed(model, cause));
      else dropped[act]();
    },
    share: () => {
      share(model).catch((cause: unknown) => failed(model, cause));
    },
    restart: (again) => {
      engine.restart();
      sync.recover(again);
    },
  };
  const dropped = new Dropped(wiring, engine.api);
  engine.onStop = (stopped) => sync.stopped(stopped);
  return wiring;
}

function failed(model: Model, cause: unknown): void {
  const message = cause instanceof Error ? cause.message : String(cause);
  model.engine.value = { kind: 'stopped', why: 'error', atEvent: undefined, message };
}

/** Files are dropped anywhere on the page. */
function keepDrops(wiring: Wiring): void {
  const { model } = wiring;
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  document.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    model.dropping.value = true;
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) model.dropping.value = false;
  });
  document.addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    model.dropping.value = false;
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) wiring.openFile(file);
  });
}

function chooseFile(wiring: Wiring): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.csv,.tsv,.txt,.json,.jsonl,.ndjson';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) wiring.openFile(file);
  });
  input.click();
}

async function openFirst(wiring: Wiring, scenarios: URL): Promise<void> {
  const { model } = wiring;
  const query = new URLSearchParams(location.search);
  readAppearance(model, query);
  const opened = await openLink(wiring, scenarios);
  if (!opened) await openScenario(wiring, scenarios, query.get('scenario') ?? FIRST);
  const p = Number(query.get('p') ?? Number.NaN);
  if (Number.isFinite(p)) {
    await wiring.sync.settled();
    wiring.player.seek(p);
  }
  const ids = await scenarioIds(scenarios);
  const heads = await Promise.all(ids.map((id) => loadScenario(scenarios, id)));
  model.scenarios.value = heads.map(({ head }) => head);
}

/** What the address says about looks: `theme`, `lang`, `tab`, `tlq`, `view`, `q`. */
function readAppearance(model: Model, query: URLSearchParams): void {
  const theme = query.get('theme');
  if (theme === 'light' || theme === 'dark') model.theme.value = theme;
  const language = query.get('lang');
  model.language.value = language === 'en' || language === 'zh' ? language : browserLanguage();
  const tab = query.get('tab');
  if (tab === 'why' || tab === 'state' || tab === 'plan' || tab === 'sinks') model.tab.value = tab;
  if (query.get('tlq') === 'B') model.lane.value = 1;
  if (query.get('q') === 'B') model.shownLane.value = 1;
  const views = { sql: 'sql', tl: 'timeline', flow: 'flow', res: 'result', side: 'side' } as const;
  for (const [short, view] of Object.entries(views)) {
    if (query.get('view') === short) model.phoneView.value = view;
  }
}

async function openLink(wiring: Wiring, scenarios: URL): Promise<boolean> {
  const { model } = wiring;
  const fragment = location.hash.slice(1);
  if (fragment === '') return false;
  try {
    const shared = await decodeLink(fragment);
    const { scenario } = await loadScenario(scenarios, shared.scenario);
    if (shared.language !== undefined) model.language.value = shared.language;
    model.tab.value = shared.tab ?? model.tab.value;
    model.lane.value = shared.lane ?? 0;
    adopt(wiring, scenario);
    if (shared.workspace !== undefined) {
      model.workspace.value = shared.workspace;
      model.edited.value = true;
      wiring.sync.changed();
    }
    await wiring.sync.settled();
    wiring.player.seek(shared.p ?? scenario.at);
    return true;
  } catch (cause) {
    if (!(cause instanceof LinkError)) throw cause;
    model.notice.value = 'bad-link';
    return false;
  }
}

async function openScenario(wiring: Wiring, scenarios: URL, id: string): Promise<void> {
  const { scenario } = await loadScenario(scenarios, id);
  wiring.player.pause();
  wiring.model.recording.value = new Recording(draftOpened(scenario.workspace));
  wiring.model.explained.value = undefined;
  wiring.model.p.value = scenario.at;
  adopt(wiring, scenario);
}

async function share(model: Model): Promise<void> {
  const fragment = await encodeLink({
    scenario: model.scenario.value?.id ?? '',
    ...(model.edited.value ? { workspace: model.workspace.value } : {}),
    p: Math.round(model.p.value * 100) / 100,
    tab: model.tab.value,
    lane: model.lane.value,
    language: model.language.value,
  });
  history.replaceState(null, '', `#${fragment}`);
  await navigator.clipboard.writeText(location.href).catch(() => undefined);
}

function keepAppearance(model: Model, page: SgPlayground): void {
  effect(() => {
    const theme = model.theme.value;
    const { documentElement } = document;
    if (theme === 'auto') delete documentElement.dataset['theme'];
    else documentElement.dataset['theme'] = theme;
    retheme(page);
  });
  effect(() => {
    document.documentElement.lang = messages(model.language.value).locale;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => retheme(page));
}

/** Pictures on canvas hold colours: they are told when the theme changes. */
function retheme(page: SgPlayground): void {
  const visit = (root: ParentNode) => {
    for (const each of root.querySelectorAll('*')) {
      if (each instanceof SgTimeline) each.retheme();
      if (each.shadowRoot !== null) visit(each.shadowRoot);
    }
  };
  if (page.shadowRoot !== null) visit(page.shadowRoot);
}

/** A new replay starts whole if it is short, else with a stretch that follows the playhead. */
function keepZoom(model: Model): void {
  effect(() => {
    const slots = model.recording.value?.slots ?? 0;
    const scenario = model.scenario.value?.id;
    if (scenario === undefined) return;
    const large = slots > WHOLE_SLOTS;
    const known = zoomed.get(model);
    if (known === `${scenario}:${large}`) return;
    zoomed.set(model, `${scenario}:${large}`);
    model.visibleSlots.value = large ? FOLLOWED_SLOTS : undefined;
  });
}

const zoomed = new WeakMap<Model, string>();

function loadEditorLater(engine: EngineApi, model: Model): void {
  SgSql.loadEditor = async () => {
    const { createSqlEditor } = await import('../editor/sql_editor.ts');
    return (setup) => createSqlEditor(sqlServices(engine, model), setup);
  };
}
