/** Every intent a person can have, carried out: the only place that changes the model. */
import { batch } from '@preact/signals-core';
import type { ScenarioEvent, WhyMove, Workspace } from '../engine/api.ts';
import type { InjectedEvent, Intent } from '../model/intent.ts';
import type { Model } from '../model/model.ts';
import { markerFrom, SPEEDS, START, stepBack, stepForward } from '../model/playhead.ts';
import type { Scenario } from '../model/scenario.ts';
import { MOMENTS } from '../model/view.ts';
import {
  timeText,
  withControl,
  withEventTime,
  withInjected,
  withoutBounds,
  withQuery,
  withScript,
  withSwapped,
} from '../model/workspace.ts';
import type { Foresight } from './foresight.ts';
import type { Player } from './player.ts';
import type { Sync } from './sync.ts';

/** What commands work with. */
export interface Wiring {
  readonly model: Model;
  readonly player: Player;
  readonly sync: Sync;
  readonly foresight: Foresight;
  /** Opens a scenario by its id. */
  readonly openScenario: (id: string) => void;
  readonly share: () => void;
  /** Opens a file; without one a person chooses it. */
  readonly openFile: (file?: File) => void;
  readonly fileAct: (act: 'stop' | 'run' | 'close') => void;
  /** Starts the engine anew, with the workspace as it is or with the last one that ran. */
  readonly restart: (again: boolean) => void;
}

/** Carries an intent out. */
export function command(wiring: Wiring, intent: Intent): void {
  const { model, player } = wiring;
  switch (intent.kind) {
    case 'play':
      player.play();
      return;
    case 'pause':
      player.pause();
      return;
    case 'toggle':
      if (model.playing.value) player.pause();
      else player.play();
      return;
    case 'step':
      settle(player.glide(stepForward(player.aim, player.lastStep)));
      return;
    case 'back':
      player.seek(stepBack(player.aim));
      return;
    case 'start':
      player.seek(START);
      return;
    case 'end':
      player.seek(player.lastStep + MOMENTS.rest);
      return;
    case 'seek':
      if (intent.glide === true) settle(player.glide(intent.p));
      else player.seek(intent.p);
      return;
    case 'marker':
      toMarker(wiring, intent.direction);
      return;
    case 'speed':
      model.speed.value = intent.speed;
      return;
    case 'faster':
    case 'slower':
      changeSpeed(model, intent.kind === 'faster' ? 1 : -1);
      return;
    case 'reset':
      reset(wiring);
      return;
    case 'scenario':
      wiring.openScenario(intent.id);
      return;
    case 'share':
      wiring.share();
      return;
    case 'choose-file':
      wiring.openFile();
      return;
    case 'open-file':
      wiring.openFile(intent.file);
      return;
    case 'file':
      wiring.fileAct(intent.act);
      return;
    case 'restart':
      wiring.restart(intent.again === true);
      return;
    case 'dismiss':
      model.notice.value = undefined;
      return;
    default:
      if (!showing(model, intent)) editing(wiring, intent);
  }
}

/** A glide that nobody waits for. */
function settle(glide: Promise<void>): void {
  glide.catch(() => undefined);
}

/** Intents that change what is looked at, not the replay. Says whether it was one. */
function showing(model: Model, intent: Intent): boolean {
  switch (intent.kind) {
    case 'tab':
      model.tab.value = intent.tab;
      return true;
    case 'phone-view':
      model.phoneView.value = intent.view;
      return true;
    case 'drawer':
      model.drawer.value = intent.open;
      return true;
    case 'lane':
      model.lane.value = intent.lane;
      return true;
    case 'encodings': {
      const others = model.encoded.value.filter((lane) => lane !== intent.lane);
      model.encoded.value = intent.on ? [...others, intent.lane] : others;
      return true;
    }
    case 'show-lane':
      model.shownLane.value = intent.lane;
      return true;
    case 'zoom':
      model.visibleSlots.value = intent.visible;
      return true;
    case 'language':
      model.language.value = intent.language;
      return true;
    case 'theme':
      model.theme.value = intent.theme;
      return true;
    case 'hot-partition':
      model.hotPartition.value = intent.partition;
      return true;
    case 'hot-operator':
      model.hotOperator.value = intent.at;
      return true;
    case 'touch':
      model.touchedStep.value = intent.step;
      return true;
    case 'help':
      model.help.value = intent.open;
      return true;
    case 'as-table':
      model.asTable.value = intent.on;
      return true;
    case 'speaking':
      model.speaking.value = intent.on;
      return true;
    case 'name':
      model.names.value = model.names.value.map((name, at) =>
        at === intent.query ? intent.name : name,
      );
      return true;
    default:
      return false;
  }
}

/** Intents that change the replay, or try to. */
function editing(wiring: Wiring, intent: Intent): void {
  const { model, player, foresight } = wiring;
  const workspace = model.workspace.value;
  switch (intent.kind) {
    case 'sql':
      model.sql.value = model.workspace.value.queries.map((_, at) => ({
        analysis: at === intent.query ? undefined : model.sql.value[at]?.analysis,
        planning: at === intent.query,
      }));
      edit(wiring, withQuery(workspace, intent.query, intent.sql), intent.now !== true);
      return;
    case 'script':
      edit(wiring, withScript(workspace, intent.script), true);
      return;
    case 'move-event':
      edit(wiring, moved(wiring, intent.step, intent.to));
      return;
    case 'preview-move':
      previewMove(wiring, intent);
      return;
    case 'end-preview':
      foresight.forget();
      model.preview.value = undefined;
      return;
    case 'shift-event-time':
      edit(wiring, retimed(wiring, intent.step, intent.ms));
      return;
    case 'bound': {
      const change = { outOfOrdernessMs: intent.ms };
      edit(wiring, withControl(workspace, intent, change));
      return;
    }
    case 'declared-bound':
      declareBound(wiring, intent.source, intent.ms);
      return;
    case 'hold':
    case 'idle': {
      const fromSlot = Math.max(0, model.step.value);
      const change = intent.kind === 'hold' ? { hold: intent.on } : { idle: intent.on };
      edit(wiring, withControl(workspace, intent, { ...change, fromSlot }));
      return;
    }
    case 'end-of-input':
      edit(wiring, { ...workspace, end: intent.end });
      return;
    case 'open-inject':
      player.pause();
      model.foreseen.value = [];
      model.injecting.value = intent.open;
      return;
    case 'foresee': {
      const changed = injected(wiring, intent.event);
      foresight.foresee(model, changed, Math.max(-1, model.step.value) + 1);
      return;
    }
    case 'inject':
      edit(wiring, injected(wiring, intent.event));
      stepAfter(wiring);
      return;
    case 'move':
      carryOut(wiring, intent.act);
      return;
    default:
      return;
  }
}

function edit(wiring: Wiring, workspace: Workspace, soon = false): void {
  const { model, sync } = wiring;
  if (workspace === model.workspace.value) return;
  batch(() => {
    model.workspace.value = workspace;
    model.edited.value = true;
  });
  sync.changed(soon);
}

function reset(wiring: Wiring): void {
  const scenario = wiring.model.scenario.value;
  if (scenario === undefined || !wiring.model.edited.value) return;
  adopt(wiring, scenario);
}

/** Puts a scenario in place of what is there. */
export function adopt(wiring: Pick<Wiring, 'model' | 'sync'>, scenario: Scenario): void {
  const { model } = wiring;
  batch(() => {
    model.scenario.value = scenario;
    model.workspace.value = scenario.workspace;
    model.names.value = scenario.names.map((name) => name[model.language.value]);
    model.edited.value = false;
    model.sql.value = [];
  });
  wiring.sync.changed();
}

function toMarker(wiring: Wiring, direction: 1 | -1): void {
  const { model, player } = wiring;
  const steps = [...new Set(model.markers.value.flat().map((marker) => marker.step))];
  const to = markerFrom(
    player.aim,
    steps.sort((a, b) => a - b),
    direction,
  );
  if (to !== undefined) settle(player.glide(to));
}

function changeSpeed(model: Model, by: 1 | -1): void {
  const at = SPEEDS.indexOf(model.speed.value);
  const next = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))];
  if (next !== undefined) model.speed.value = next;
}

function eventOf(wiring: Wiring, step: number): number | undefined {
  const event = wiring.model.recording.value?.marks[step]?.event;
  return event === undefined || event < 0 ? undefined : event;
}

/** The workspace in which the events of two steps have changed places. */
function moved(wiring: Wiring, step: number, to: number): Workspace {
  const workspace = wiring.model.workspace.value;
  const a = eventOf(wiring, step);
  const b = eventOf(wiring, to);
  return a === undefined || b === undefined ? workspace : withSwapped(workspace, a, b);
}

/** The workspace in which the event of a step has another event time. */
function retimed(wiring: Wiring, step: number, ms: number): Workspace {
  const workspace = wiring.model.workspace.value;
  const recording = wiring.model.recording.value;
  const mark = recording?.marks[step];
  const source = recording?.opened.sources.find((each) => each.source === mark?.source);
  const event = eventOf(wiring, step);
  const column = source?.rowtime;
  const written = source?.columns.some((each) => each.name === column) === true;
  if (event === undefined || column === null || column === undefined || !written) return workspace;
  return withEventTime(workspace, event, { column, ms });
}

function previewMove(wiring: Wiring, intent: Extract<Intent, { kind: 'preview-move' }>): void {
  const { model, foresight } = wiring;
  const changed =
    intent.ms === undefined
      ? moved(wiring, intent.step, intent.to)
      : retimed(wiring, intent.step, intent.ms);
  foresight.previewMove(model, changed, { step: intent.to, lane: model.lane.value });
}

function declareBound(wiring: Wiring, source: number, ms: number): void {
  const { model } = wiring;
  const table = model.recording.value?.opened.sources.find((each) => each.source === source)?.table;
  if (table === undefined) return;
  const cleared = withoutBounds(model.workspace.value, table);
  const rest = cleared.controls.filter(
    (control) => control.table !== table || control.partition !== undefined,
  );
  const controls = [...rest, { table, outOfOrdernessMs: ms }];
  edit(wiring, { ...cleared, controls });
}

function injected(wiring: Wiring, event: InjectedEvent): Workspace {
  const { model } = wiring;
  const { table, partition, kind, row } = event;
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  const made: Omit<ScenarioEvent, 'at'> = { table, partition, kind, row: given };
  const slots = model.recording.value?.marks ?? [];
  return withInjected(model.workspace.value, slots, { step: model.step.value, event: made });
}

/** Steps into the event that was just inserted, once it is there. */
function stepAfter(wiring: Wiring): void {
  const { model, player, sync } = wiring;
  const step = Math.max(-1, model.step.value);
  sync.settled().then(
    () => player.glide(step + 1 + MOMENTS.rest),
    () => undefined,
  );
}

function carryOut(wiring: Wiring, act: WhyMove['act']): void {
  const { model, player } = wiring;
  const workspace = model.workspace.value;
  switch (act.kind) {
    case 'seek':
      settle(player.glide(act.slot + MOMENTS.rest - 0.25));
      return;
    case 'wait': {
      const marks = model.recording.value?.marks ?? [];
      const now = marks[Math.max(0, model.step.value)]?.atMs ?? 0;
      const step = marks.findIndex((mark) => mark.atMs >= now + act.ms);
      settle(player.glide((step < 0 ? player.lastStep : step) + MOMENTS.rest - 0.25));
      return;
    }
    case 'idle':
      edit(wiring, withControl(workspace, act, { idle: true, fromSlot: act.fromSlot }));
      stepAfter(wiring);
      return;
    case 'out-of-orderness': {
      const source = model.recording.value?.opened.sources.find((each) => each.table === act.table);
      if (source !== undefined) declareBound(wiring, source.source, act.ms);
      return;
    }
    case 'inject':
      injectSample(wiring, act);
  }
}

/** Inserts an event like the partition's last one, at the event time that is needed. */
function injectSample(wiring: Wiring, act: Extract<WhyMove['act'], { kind: 'inject' }>): void {
  const { model } = wiring;
  const recording = model.recording.value;
  const source = recording?.opened.sources.find((each) => each.table === act.table);
  if (recording === undefined || source === undefined) return;
  const like = recording.marks.findLast(
    (mark, at) =>
      at <= model.step.value && mark.source === source.source && mark.partition === act.partition,
  );
  const sample = model.workspace.value.events[like?.event ?? -1]?.row ?? {};
  const row: Record<string, string | number | boolean | null> = {};
  for (const { name } of source.columns) {
    const value = sample[name];
    const plain =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    row[name] = plain ? value : null;
  }
  if (source.rowtime !== null) row[source.rowtime] = timeText(act.rowtimeMs);
  const { table, partition } = act;
  edit(wiring, injected(wiring, { table, partition, kind: '+I', row }));
  stepAfter(wiring);
}
