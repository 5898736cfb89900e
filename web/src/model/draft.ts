/**
 * What can be shown of a workspace before the engine has read it: events in their places, by the points in
 * time that their rows carry. Nothing here is a result; the engine's recording takes its place.
 */
import type { ColumnView, Opened, SlotInfo, SourceView, Workspace } from '../engine/api.ts';
import { isNumber, stampMs } from './cells.ts';

/** A stand-in for what the engine opens. */
export function draftOpened(workspace: Workspace): Opened {
  const sources = sourcesOf(workspace);
  const start = stampMs(workspace.start) ?? 0;
  const order = workspace.events
    .map((event, at) => ({ event, at }))
    .sort((a, b) => a.event.at - b.event.at || a.at - b.at);
  const slotInfo = order.map(({ event, at }): SlotInfo => {
    const source = sources.find((each) => each.table === event.table);
    const cells = (source?.columns ?? []).map((column) => textOf(event.row?.[column.name]));
    const rowtime = source?.columns.findIndex((column) => column.rowtime) ?? -1;
    return {
      atMs: start + event.at,
      source: source?.source ?? 0,
      partition: event.partition ?? 0,
      kind: event.control ?? event.kind ?? '+I',
      rowtimeMs: stampMs(cells[rowtime] ?? null) ?? null,
      cells,
      event: at,
    };
  });
  const none = {
    ok: false,
    diagnostics: [],
    plan: null,
    operators: [],
    outputColumns: [],
    mode: 'append-only' as const,
  };
  return {
    generation: 0,
    scriptDiagnostics: [],
    queries: workspace.queries.map(() => none),
    sources,
    slots: slotInfo.length,
    slotInfo,
  };
}

function sourcesOf(workspace: Workspace): SourceView[] {
  return workspace.sources.map(({ table, partitions }, source) => {
    const sample = workspace.events.find((event) => event.table === table)?.row ?? {};
    const names = Object.keys(sample);
    const times = names.filter((name) => stampMs(textOf(sample[name])) !== undefined);
    const columns = names.map((name): ColumnView => {
      const text = textOf(sample[name]);
      const rowtime = name === times[0];
      const numeric = isNumber(text);
      return {
        name,
        type: numeric ? 'INT' : rowtime ? 'TIMESTAMP(3)' : 'STRING',
        key: false,
        rowtime,
        numeric,
      };
    });
    return {
      source,
      table,
      partitions,
      columns,
      rowtime: times[0] ?? null,
      watermark: null,
      outOfOrdernessMs: null,
      idleTimeoutMs: null,
      literal: null,
    };
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;
}
