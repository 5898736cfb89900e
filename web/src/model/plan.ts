/**
 * What a running query consists of, as the views need it: tasks with their operators, the exchanges
 * between them, and which operator carries windows and state.
 */
import type { ColumnView, OperatorView, QueryView, SourceView } from '../engine/api.ts';

/** A box of the dataflow: a chain of operators, or the result. */
export interface Task {
  readonly id: string;
  readonly operators: readonly OperatorView[];
  /** The operator whose state is shown, if one keeps any. */
  readonly stateful: OperatorView | undefined;
  /** Sources that it reads. */
  readonly sources: readonly SourceView[];
  readonly parallelism: number;
  readonly sink: boolean;
  /** Longest way from a source, in tasks. */
  readonly depth: number;
}

/** A way between two boxes. */
export interface Edge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly distribution: 'forward' | 'hash' | 'single' | 'rebalance' | 'broadcast';
  readonly columns: readonly string[];
  /** Operators at its ends. */
  readonly ends: readonly [number, number];
}

/** A query's graph and what hangs on it. */
export interface Plan {
  readonly query: QueryView;
  readonly tasks: readonly Task[];
  readonly edges: readonly Edge[];
  readonly operators: ReadonlyMap<number, OperatorView>;
  readonly taskOf: ReadonlyMap<number, string>;
  readonly sources: readonly SourceView[];
  /** Operator whose gate tells the watermark that the query goes by. */
  readonly gate: OperatorView | undefined;
  /** Operator whose windows are shown. */
  readonly windowed: OperatorView | undefined;
  readonly sink: OperatorView | undefined;
  readonly stages: number;
}

const EMPTY_QUERY: QueryView = {
  ok: false,
  diagnostics: [],
  plan: null,
  operators: [],
  outputColumns: [],
  mode: 'append-only',
};

/** The plan of a query that does not run. */
export const NO_PLAN: Plan = planOf(EMPTY_QUERY, []);

/** Builds the graph of a query. */
export function planOf(query: QueryView, sources: readonly SourceView[]): Plan {
  const operators = new Map(query.operators.map((operator) => [operator.id, operator]));
  const taskOf = new Map(query.operators.map((operator) => [operator.id, taskName(operator)]));
  const edges = edgesOf(query.operators, taskOf);
  const depths = depthsOf(new Set(taskOf.values()), edges);
  const tasks = [...new Set(taskOf.values())]
    .map((id) => taskFrom(id, query.operators, sources, depths.get(id) ?? 0))
    .sort((a, b) => a.depth - b.depth);
  const inFlow = tasks.flatMap((task) => task.operators);
  const windowed = inFlow.filter((operator) => operator.windowed).at(-1);
  const stateful = inFlow.filter((operator) => operator.role === 'stateful');
  return {
    query,
    tasks,
    edges,
    operators,
    taskOf,
    sources: tasks.flatMap((task) => task.sources),
    gate: windowed ?? stateful.at(-1) ?? inFlow.find((operator) => operator.role === 'sink'),
    windowed,
    sink: inFlow.find((operator) => operator.role === 'sink'),
    stages: Math.max(0, ...depths.values()),
  };
}

function taskName(operator: OperatorView): string {
  return operator.role === 'sink' ? `sink${operator.id}` : `task${operator.task}`;
}

function edgesOf(
  operators: readonly OperatorView[],
  taskOf: ReadonlyMap<number, string>,
): readonly Edge[] {
  return operators.flatMap((operator) =>
    operator.inputs.flatMap((input): Edge[] => {
      const from = taskOf.get(input.from);
      const to = taskOf.get(operator.id);
      if (from === undefined || to === undefined || from === to) return [];
      return [
        {
          id: `${input.from}-${operator.id}`,
          from,
          to,
          distribution: input.distribution,
          columns: input.columns,
          ends: [input.from, operator.id],
        },
      ];
    }),
  );
}

function depthsOf(tasks: ReadonlySet<string>, edges: readonly Edge[]): Map<string, number> {
  const depths = new Map([...tasks].map((id) => [id, 0]));
  for (let round = 0; round < tasks.size; round++) {
    for (const edge of edges) {
      const reached = (depths.get(edge.from) ?? 0) + 1;
      if (reached > (depths.get(edge.to) ?? 0) && reached < tasks.size)
        depths.set(edge.to, reached);
    }
  }
  return depths;
}

function taskFrom(
  id: string,
  all: readonly OperatorView[],
  sources: readonly SourceView[],
  depth: number,
): Task {
  const operators = inOrder(all.filter((operator) => taskName(operator) === id));
  const first = operators[0];
  return {
    id,
    operators,
    stateful: operators.filter((operator) => operator.role === 'stateful').at(-1),
    sources: operators.flatMap((operator) => sources.filter((s) => s.source === operator.source)),
    parallelism: first?.parallelism ?? 1,
    sink: first?.role === 'sink',
    depth,
  };
}

/** Operators of a task, inputs before those who take from them. */
function inOrder(operators: readonly OperatorView[]): OperatorView[] {
  const left = [...operators];
  const done: OperatorView[] = [];
  while (left.length > 0) {
    const ids = new Set(left.map((operator) => operator.id));
    const at = left.findIndex((operator) => !operator.inputs.some((input) => ids.has(input.from)));
    const [next] = left.splice(Math.max(0, at), 1);
    if (next !== undefined) done.push(next);
  }
  return done;
}

/** What the state of a query comes to: the worst of its operators. */
export function verdictOf(plan: Plan): 'bounded' | 'ttl' | 'unbounded' | 'stateless' {
  const cleanups = [...plan.operators.values()]
    .filter((operator) => operator.role === 'stateful')
    .map((operator) => operator.cleanup);
  if (cleanups.includes('never')) return 'unbounded';
  if (cleanups.includes('ttl')) return 'ttl';
  return cleanups.length === 0 ? 'stateless' : 'bounded';
}

/** Columns that mark an event: what stands in it, and what stands below. */
export interface MarkColumns {
  readonly amount: number;
  readonly key: number;
}

/**
 * Chooses the columns of a source that its marks show: a number that aggregates are made of, or the first
 * one that is no identifier; and the first text, or the first other column.
 */
export function markColumns(
  columns: readonly ColumnView[],
  aggregatedNames: ReadonlySet<string>,
): MarkColumns {
  const numbers = columns
    .map((column, at) => ({ column, at }))
    .filter(({ column }) => column.numeric);
  const measure =
    numbers.find(({ column }) => aggregatedNames.has(column.name)) ??
    numbers.find(({ column }) => !column.key && !/(^|_)id$/i.test(column.name)) ??
    numbers[0];
  const amount = measure?.at ?? -1;
  const text = columns.findIndex((column) => /CHAR|STRING/i.test(column.type));
  const other = columns.findIndex((column, at) => at !== amount && !column.rowtime);
  return { amount, key: text < 0 ? other : text };
}
