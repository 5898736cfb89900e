/** Loads scenarios from `static/scenarios` and reads their format. */
import type { Bilingual, Generator, ScenarioEvent, Workspace } from '../engine/api.ts';
import { type Scenario, type ScenarioHead, scenarioFrom } from '../model/scenario.ts';

interface FileQuery {
  readonly name: Bilingual;
  readonly sql: string;
}

interface FileEvent {
  readonly at: number;
  readonly table: string;
  readonly partition?: number;
  readonly kind?: '+I' | '-U' | '+U' | '-D';
  readonly row?: { readonly [column: string]: unknown };
  readonly watermark?: string;
  readonly idle?: boolean;
}

interface FileGenerator {
  readonly table: string;
  readonly seed: number;
  readonly rows: number;
  readonly keys: number;
  readonly partitions: number;
  readonly interval_ms: number;
  readonly out_of_orderness_ms: number;
}

interface ScenarioFile {
  readonly id: string;
  readonly title: Bilingual;
  readonly lesson: Bilingual;
  readonly concepts: readonly string[];
  readonly script: string;
  readonly queries: readonly FileQuery[];
  readonly presets?: readonly FileQuery[];
  readonly start: string;
  readonly sources: readonly { readonly table: string; readonly partitions: number }[];
  readonly events?: readonly FileEvent[];
  readonly generator?: FileGenerator;
  readonly end: Workspace['end'];
  readonly at?: number;
}

/** Ids of the built-in scenarios, in the order of the picker. */
export async function scenarioIds(base: URL): Promise<readonly string[]> {
  return fetched<readonly string[]>(new URL('index.json', base));
}

/** A scenario by its id, or from a URL of one. */
export async function loadScenario(
  base: URL,
  id: string,
): Promise<{ scenario: Scenario; head: ScenarioHead }> {
  const [name = ''] = id.split('/');
  const url = /^https?:|^\.{0,2}\/|\.json$/.test(id)
    ? new URL(id, base)
    : new URL(`${name}.json`, base);
  const file = await fetched<ScenarioFile>(url);
  return { scenario: scenarioOf(file), head: headOf(file) };
}

async function fetched<T>(url: URL): Promise<T> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  return answer.json();
}

function headOf(file: ScenarioFile): ScenarioHead {
  return {
    id: file.id,
    file: `${file.id}.json`,
    title: file.title,
    lesson: file.lesson,
    events: file.generator?.rows ?? file.events?.length ?? 0,
    tags: file.concepts,
  };
}

/** A scenario file as a workspace with names and presets. */
export function scenarioOf(file: ScenarioFile): Scenario {
  const queries = file.queries.map((query) => ({ sql: query.sql.trimEnd() }));
  const workspace: Workspace = {
    script: file.script,
    queries,
    sources: file.sources.map(({ table, partitions }) => ({ table, partitions })),
    events: (file.events ?? []).map(eventOf),
    start: file.start,
    end: file.end,
    settings: {},
    controls: [],
    ...(file.generator === undefined ? {} : { generator: generatorOf(file.generator) }),
  };
  return scenarioFrom({
    id: file.id,
    title: file.title,
    lesson: file.lesson,
    workspace,
    names: file.queries.map((query) => query.name),
    presets: [...file.queries, ...(file.presets ?? [])].map((query) => ({
      name: query.name,
      sql: query.sql.trimEnd(),
    })),
    ...(file.at === undefined ? {} : { at: file.at }),
  });
}

function eventOf(event: FileEvent): ScenarioEvent {
  const { idle, ...rest } = event;
  return idle === undefined ? rest : { ...rest, control: idle ? 'idle' : 'active' };
}

function generatorOf(file: FileGenerator): Generator {
  const { table, seed, rows, keys, partitions } = file;
  return {
    table,
    seed,
    rows,
    keys,
    partitions,
    intervalMs: file.interval_ms,
    outOfOrdernessMs: file.out_of_orderness_ms,
  };
}
