/** Pure updates of a workspace: everything a person can change about a replay. */
import type {
  ScenarioEvent,
  SlotInfo,
  SourceControl,
  SourceView,
  Workspace,
} from '../engine/api.ts';

/** Another text of a query. */
export function withQuery(workspace: Workspace, index: number, sql: string): Workspace {
  const queries = workspace.queries.map((query, at) => (at === index ? { ...query, sql } : query));
  return { ...workspace, queries };
}

/** Another script. */
export function withScript(workspace: Workspace, script: string): Workspace {
  return { ...workspace, script };
}

/** Lets two events change places: each takes the other's arrival. */
export function withSwapped(workspace: Workspace, a: number, b: number): Workspace {
  const first = workspace.events[a];
  const second = workspace.events[b];
  if (first === undefined || second === undefined || a === b) return workspace;
  const events = workspace.events.map((event, at) => {
    if (at === a) return { ...second, at: first.at };
    return at === b ? { ...first, at: second.at } : event;
  });
  return { ...workspace, events };
}

/** Gives an event another event time, where its time is a column that can be written. */
export function withEventTime(
  workspace: Workspace,
  event: number,
  to: { column: string; ms: number },
): Workspace {
  const events = workspace.events.map((each, at) =>
    at === event && each.row !== undefined
      ? { ...each, row: { ...each.row, [to.column]: timeLike(each.row[to.column], to.ms) } }
      : each,
  );
  return { ...workspace, events };
}

/** A point in time in the notation of the value it replaces. */
function timeLike(before: unknown, ms: number): string | number {
  if (typeof before === 'number') return ms;
  const text = new Date(ms).toISOString();
  const fraction = ms % 1000 === 0 ? '' : text.slice(19, 23);
  const whole = `${text.slice(0, 10)} ${text.slice(11, 19)}${fraction}`;
  const marked = typeof before === 'string' ? before : '';
  return `${marked.includes('T') ? whole.replace(' ', 'T') : whole}${marked.endsWith('Z') ? 'Z' : ''}`;
}

/** Text of a point in time as events carry it. */
export function timeText(ms: number): string {
  return String(timeLike(undefined, ms));
}

/** Inserts an event behind a slot; it arrives between its neighbours. */
export function withInjected(
  workspace: Workspace,
  slots: readonly SlotInfo[],
  at: { step: number; event: Omit<ScenarioEvent, 'at'> },
): Workspace {
  const before = slots[at.step];
  const after = slots[at.step + 1];
  const position = before === undefined ? 0 : before.event + 1;
  const from = workspace.events[before?.event ?? -1]?.at ?? 0;
  const to = workspace.events[after?.event ?? -1]?.at ?? from + 1000;
  const arrival = before === undefined ? from : Math.floor((from + Math.max(from, to)) / 2);
  const event: ScenarioEvent = { ...at.event, at: arrival };
  const events = [...workspace.events];
  events.splice(position, 0, event);
  return { ...workspace, events };
}

/** Sets something on a partition's card, or on all of a table's. */
export function withControl(
  workspace: Workspace,
  of: { table: string; partition: number },
  change: Partial<Pick<SourceControl, 'outOfOrdernessMs' | 'hold' | 'idle' | 'fromSlot'>>,
): Workspace {
  const same = (control: SourceControl) =>
    control.table === of.table && control.partition === of.partition;
  const known = workspace.controls.find(same);
  const next: SourceControl = { ...(known ?? of), ...change };
  const controls =
    known === undefined
      ? [...workspace.controls, next]
      : workspace.controls.map((each) => (same(each) ? next : each));
  return { ...workspace, controls };
}

/** Forgets the bounds that were set by hand on a table. */
export function withoutBounds(workspace: Workspace, table: string): Workspace {
  const controls = workspace.controls.map((control) => {
    if (control.table !== table) return control;
    const { outOfOrdernessMs: _, ...rest } = control;
    return rest;
  });
  return { ...workspace, controls };
}

/** What is set on a partition. */
export function controlOf(
  workspace: Workspace,
  of: { table: string; partition: number },
): SourceControl | undefined {
  return (
    workspace.controls.find((c) => c.table === of.table && c.partition === of.partition) ??
    workspace.controls.find((c) => c.table === of.table && c.partition === undefined)
  );
}

/** Bound of out-of-orderness that a partition goes by. */
export function boundOf(
  workspace: Workspace,
  source: SourceView,
  partition: number,
): number | undefined {
  const set = controlOf(workspace, { table: source.table, partition })?.outOfOrdernessMs;
  return set ?? source.outOfOrdernessMs ?? undefined;
}

/** Text with a stretch replaced. */
export function replaced(text: string, span: { from: number; to: number }, by: string): string {
  return text.slice(0, span.from) + by + text.slice(span.to);
}
