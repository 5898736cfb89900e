/** Which columns of a result tell its rows apart, and which are measures. */
import type { Plan } from './plan.ts';

/** What a result column is for. */
export interface ColumnRoles {
  /** Columns that tell rows apart, as numbers. */
  readonly keys: readonly number[];
  /** Numbers that are none of these. */
  readonly measures: readonly number[];
}

const known = new WeakMap<Plan, ColumnRoles>();

/** Roles of the result columns of a plan: its key if it has one, else what the grouping goes by. */
export function rolesOf(plan: Plan): ColumnRoles {
  let roles = known.get(plan);
  if (roles === undefined) {
    roles = rolesFrom(plan);
    known.set(plan, roles);
  }
  return roles;
}

function rolesFrom(plan: Plan): ColumnRoles {
  const columns = plan.query.outputColumns;
  const flagged = columns.flatMap((column, at) => (column.key ? [at] : []));
  const grouped = new Set(
    plan.tasks.flatMap((task) => task.stateful?.keyColumns ?? []).map((column) => column.name),
  );
  const windows = new Set(['window_start', 'window_end', 'window_time']);
  const named = columns.flatMap((column, at) =>
    grouped.has(column.name) || windows.has(column.name) ? [at] : [],
  );
  const texts = columns.flatMap((column, at) => (column.numeric ? [] : [at]));
  const keys = flagged.length > 0 ? flagged : named.length > 0 ? named : texts;
  const measures = columns.flatMap((column, at) =>
    column.numeric && !keys.includes(at) ? [at] : [],
  );
  return { keys, measures };
}

/** Columns of the source that aggregates are made of, as they are named in the plan. */
export function aggregated(plan: Plan): ReadonlySet<string> {
  const names = new Set<string>();
  for (const operator of plan.operators.values()) {
    if (operator.role !== 'stateful') continue;
    for (const arg of operator.args) {
      for (const [, name] of arg.matchAll(/\b[A-Z_]+\((?:DISTINCT )?(\w+)\)/g)) {
        if (name !== undefined) names.add(name);
      }
    }
  }
  return names;
}
