/** Records on their way through the graph within a slot: which edge, which kind, between which moments. */
import type { Frame, RowKind } from '../engine/frames.ts';
import type { Edge, Plan } from './plan.ts';
import { MOMENTS } from './view.ts';

/** A record on an edge. */
export interface Flight {
  readonly edge: Edge;
  readonly change: number;
  /** Kind of the row, or `undefined` for a record that is as it came from its source. */
  readonly kind: RowKind | undefined;
  readonly fromPartition: number;
  readonly toSubtask: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Flight that is the other half of an update. */
  readonly pairWith: number | undefined;
}

/** Share of the slot by which the last of several rows leaves later than the first. */
const SPREAD = 0.22;
const FLIGHTS_MOST = 24;

/** All flights of a frame. */
export function flightsOf(frame: Frame, plan: Plan): Flight[] {
  const crossing = crossings(frame, plan);
  const routes = new Map<string, number>();
  for (const event of frame.events) {
    if (event.kind === 'route') routes.set(`${event.operator}:${event.change}`, event.to);
  }
  return plan.edges.flatMap((edge) => {
    const depth = plan.tasks.find((task) => task.id === edge.from)?.depth ?? 0;
    const changes = (crossing.get(edge.ends[0]) ?? []).slice(0, FLIGHTS_MOST);
    const times = stageTimes(depth, plan.stages, changes.length);
    return changes.flatMap((change, at): Flight[] => {
      const to = routes.get(`${edge.ends[1]}:${change.id}`);
      if (edge.distribution !== 'forward' && to === undefined && routes.size > 0) return [];
      const before = changes[at - 1];
      const paired = change.kind === '+U' && before?.kind === '-U';
      return [
        {
          edge,
          change: change.id,
          kind: change.kind,
          fromPartition: change.partition,
          toSubtask: to ?? 0,
          startsAt: times.start + at * times.apart,
          endsAt: times.start + at * times.apart + times.length,
          pairWith: paired ? before.id : undefined,
        },
      ];
    });
  });
}

interface Crossing {
  readonly id: number;
  readonly kind: RowKind | undefined;
  readonly partition: number;
}

/** Changes by the operator that they leave. A record that only passed through keeps its looks. */
function crossings(frame: Frame, plan: Plan): Map<number, Crossing[]> {
  const by = new Map<number, Crossing[]>();
  const add = (operator: number, crossing: Crossing) => {
    const list = by.get(operator);
    if (list === undefined) by.set(operator, [crossing]);
    else if (!list.some((known) => known.id === crossing.id)) list.push(crossing);
  };
  let partition = 0;
  const untouched = new Set<number>();
  for (const event of frame.events) {
    if (event.kind === 'arrival') {
      partition = event.partition;
      untouched.add(event.change);
      for (const operator of plan.operators.values()) {
        const scans = operator.source === event.source && operator.role === 'source';
        if (scans) add(operator.id, { id: event.change, kind: undefined, partition });
      }
    }
    if (event.kind !== 'emit') continue;
    const stateless = plan.operators.get(event.operator)?.role !== 'stateful';
    const asCame = stateless && event.cause === 'change' && untouched.has(event.causeId);
    if (asCame) untouched.add(event.change);
    add(event.operator, { id: event.change, kind: asCame ? undefined : event.row, partition });
  }
  return by;
}

function stageTimes(
  depth: number,
  stages: number,
  records: number,
): { start: number; length: number; apart: number } {
  const apart = records > 1 ? Math.min(0.13, SPREAD / (records - 1)) : 0;
  if (stages <= 2) {
    if (depth === 0 && stages > 1) return { start: 0, length: MOMENTS.arrived, apart: 0 };
    return { start: MOMENTS.leaves, length: 0.3, apart };
  }
  const share = MOMENTS.shown / stages;
  const start = depth * share;
  const last = depth === stages - 1;
  return {
    start: start + share * 0.08,
    length: share * (last ? 0.6 : 0.84),
    apart: last ? apart : 0,
  };
}
