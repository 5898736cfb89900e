/** Scenarios: prepared replays with their queries, as they lie in `static/scenarios`. */
import type { Bilingual, Workspace } from '../engine/api.ts';

/** What the picker knows. */
export interface ScenarioHead {
  readonly id: string;
  /** File beside the index. */
  readonly file: string;
  readonly title: Bilingual;
  readonly lesson: Bilingual;
  readonly events: number;
  readonly tags: readonly string[];
}

/** A query as offered by a scenario. */
export interface Preset {
  readonly name: Bilingual;
  readonly sql: string;
}

/** A scenario in full. */
export interface Scenario {
  readonly id: string;
  readonly title: Bilingual;
  readonly lesson: Bilingual;
  readonly workspace: Workspace;
  readonly names: readonly Bilingual[];
  readonly presets: readonly Preset[];
  /** Position at which it opens. */
  readonly at: number;
}

const EMPTY: Bilingual = { en: '', zh: '' };

/** A workspace with nothing in it. */
export const EMPTY_WORKSPACE: Workspace = {
  script: '',
  queries: [],
  sources: [],
  events: [],
  start: '',
  end: 'open',
  settings: {},
  controls: [],
};

/** Scenario files are ours, but may be a reader's own: what is missing gets its default. */
export function scenarioFrom(given: Partial<Scenario> & { readonly id: string }): Scenario {
  return {
    id: given.id,
    title: given.title ?? EMPTY,
    lesson: given.lesson ?? EMPTY,
    workspace: { ...EMPTY_WORKSPACE, ...given.workspace },
    names: given.names ?? [],
    presets: given.presets ?? [],
    at: given.at ?? -0.5,
  };
}
