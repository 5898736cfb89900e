import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../static/scenarios/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

interface Event {
  readonly at: number;
  readonly table: string;
  readonly partition: number;
  readonly kind?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly watermark?: string;
  readonly idle?: boolean;
}

interface Scenario {
  readonly id: string;
  readonly title: Words;
  readonly lesson: Words;
  readonly script: string;
  readonly queries: readonly { readonly name: Words; readonly sql: string }[];
  readonly sources: readonly {
    readonly table: string;
    readonly partitions: number;
    readonly labels: string[];
  }[];
  readonly events?: readonly Event[];
  readonly generator?: { readonly table: string; readonly partitions: number };
  readonly end: string;
}

interface Words {
  readonly en: string;
  readonly zh: string;
}

const ids = read('index.json') as string[];

/** Names of the columns that a `CREATE TABLE` of the script declares. */
function columnsOf(scenario: Scenario, table: string): string[] {
  const body =
    new RegExp(`CREATE TABLE ${table} \\(([\\s\\S]*?)\\n\\)`).exec(scenario.script)?.[1] ?? '';
  const names = [...body.matchAll(/^ {2}(\w+)/gm)].map((match) => match[1] ?? '');
  return names.filter((name) => name !== 'WATERMARK');
}

test('the index lists every scenario file', () => {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.json') && name !== 'index.json',
  );
  expect(files.sort()).toEqual(ids.map((id) => `${id}.json`).sort());
});

describe.each(ids)('%s', (id) => {
  const scenario = read(`${id}.json`) as Scenario;
  const partitionsOf = new Map(scenario.sources.map((source) => [source.table, source.partitions]));

  test('has its words in both languages', () => {
    expect(scenario.id).toBe(id);
    const words = [scenario.title, scenario.lesson, ...scenario.queries.map((query) => query.name)];
    for (const { en, zh } of words) {
      expect(en).toMatch(/^[\x20-\x7e]+$/);
      expect(zh).toMatch(/\p{Script=Han}/u);
    }
  });

  test('declares as many partitions as it labels', () => {
    for (const source of scenario.sources) {
      expect(source.labels).toHaveLength(source.partitions);
      expect(scenario.script).toContain(`'partitions' = '${source.partitions}'`);
    }
  });

  test('has a stream and an end', () => {
    expect(scenario.events === undefined).not.toBe(scenario.generator === undefined);
    expect(['open', 'flush']).toContain(scenario.end);
    if (scenario.generator !== undefined) {
      expect(partitionsOf.get(scenario.generator.table)).toBe(scenario.generator.partitions);
    }
  });

  test('gives events in arrival order, in known partitions, with the declared columns', () => {
    let before = 0;
    for (const event of scenario.events ?? []) {
      expect(event.at).toBeGreaterThanOrEqual(before);
      before = event.at;
      expect(event.partition).toBeLessThan(partitionsOf.get(event.table) ?? 0);
      const contents = [event.row, event.watermark, event.idle].filter(
        (part) => part !== undefined,
      );
      expect(contents).toHaveLength(1);
      if (event.row !== undefined) {
        expect(['+I', '-U', '+U', '-D']).toContain(event.kind);
        expect(Object.keys(event.row)).toEqual(columnsOf(scenario, event.table));
      }
    }
  });
});

test('payments has the rows that its lesson counts on', () => {
  const { events = [] } = read('payments.json') as Scenario;
  const rows = events.filter((event) => event.row !== undefined);
  expect(rows).toHaveLength(28);
  expect(rows.reduce((total, event) => total + Number(event.row?.['amount']), 0)).toBe(589);
  expect(new Set(rows.map((event) => event.row?.['shop']))).toEqual(
    new Set(['tea', 'book', 'toy']),
  );
  expect(rows.filter((event) => event.partition === 2)).toHaveLength(7);
});
