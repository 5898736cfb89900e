/**
 * Rows per CPU second with 10,000 keys: the engine with the trace off (256 rows arrive together) and on (one event a
 * push), and on the same rows, one event a push, `@tanstack/db-ivm` and a `Map` written by hand. All of them have to
 * end with the same table.
 */
import { D2, groupBy, groupByOperators, MultiSet, output } from '@tanstack/db-ivm';
import { cpuSeconds, fewestSeconds } from './clock.mjs';
import { freshEngine } from './engine.mjs';

const { count, sum } = groupByOperators;
const KEYS = 10_000;
const ROWS = 300_000;
/** db-ivm adds up all rows of a key again at each event: at few rows a key, as here, it is at its best. */
const FEW_ROWS = 50_000;
const GOES = 3;
const WINDOW_MS = 60_000;
const QUERIES = ['group-by', 'tumble', 'filter-project'];

/** Measures; gives table lines and whether all results are equal. */
export async function measureThroughput(root, say) {
  const { engine } = await freshEngine(root);
  const lines = [];
  for (const query of QUERIES) {
    for (const traced of [false, true]) {
      const figure = `${query}, ${traced ? 'full trace' : 'trace off'}`;
      say(figure);
      lines.push({
        figure,
        who: 'engine',
        unit: 'rows/s',
        ...measureEngine(engine, query, traced),
      });
    }
  }
  const rate = new Map(lines.map((line) => [line.figure, line.value]));
  const few = inputOf(engine, FEW_ROWS);
  const many = inputOf(engine, ROWS);

  say('db-ivm');
  const byDbIvm = measureDbIvm(many);
  const byDbIvmOfFew = measureDbIvm(few);
  say('Map');
  const map = ROWS / fewestSeconds(GOES, () => many, groupByMap);
  lines.push({
    figure: 'count and sum by key',
    who: '@tanstack/db-ivm',
    value: byDbIvm,
    unit: 'rows/s',
  });
  lines.push({
    figure: `the same, ${FEW_ROWS.toLocaleString('en')} rows`,
    who: '@tanstack/db-ivm',
    value: byDbIvmOfFew,
    unit: 'rows/s',
  });
  lines.push({ figure: 'count and sum by key', who: 'Map by hand', value: map, unit: 'rows/s' });
  const tumble = ROWS / fewestSeconds(GOES, () => many, tumbleMap);
  lines.push({
    figure: 'count and sum by key and window',
    who: 'Map by hand',
    value: tumble,
    unit: 'rows/s',
  });
  for (const level of ['trace off', 'full trace']) {
    const engineRate = rate.get(`group-by, ${level}`);
    const ratio = (other) => ({ value: engineRate / other, unit: 'x', who: 'engine' });
    lines.push({ figure: `group-by, ${level}, to db-ivm`, ...ratio(byDbIvm) });
    lines.push({ figure: `group-by, ${level}, to db-ivm at its best`, ...ratio(byDbIvmOfFew) });
    lines.push({ figure: `group-by, ${level}, to Map`, ...ratio(map) });
  }

  say('proofs');
  return { lines, proofs: prove(engine, few) };
}

function measureEngine(engine, query, traced) {
  const open = () => engine.bulkOpen(query, ROWS, KEYS, traced);
  const value = ROWS / fewestSeconds(GOES, open, () => engine.bulkRun());
  return traced ? { value, bytesAnEvent: engine.bulkFrameBytes() / ROWS } : { value };
}

/** `[k, v, ts]` of all rows in a row. */
function inputOf(engine, rows) {
  engine.bulkOpen('group-by', rows, KEYS, false);
  return engine.bulkInput();
}

function measureDbIvm(input) {
  const rows = [];
  for (let at = 0; at < input.length; at += 3) rows.push({ k: input[at], v: input[at + 1] });
  let fewest = Number.POSITIVE_INFINITY;
  for (let go = 0; go < GOES; go++) {
    const { push } = dbIvm(() => {});
    fewest = Math.min(fewest, cpuSeconds(() => rows.forEach(push)).seconds);
  }
  return rows.length / fewest;
}

function dbIvm(take) {
  const graph = new D2();
  const stream = graph.newInput();
  stream.pipe(
    groupBy(({ k }) => ({ k }), { n: count(({ v }) => v), total: sum(({ v }) => v) }),
    output(take),
  );
  graph.finalize();
  const push = (row) => {
    stream.sendData(new MultiSet([[row, 1]]));
    graph.run();
  };
  return { push };
}

function groupByMap(input) {
  const table = new Map();
  for (let at = 0; at < input.length; at += 3) addTo(table, input[at], input[at], 0, input[at + 1]);
  return table;
}

/** All windows are kept: the least that any engine could do. */
function tumbleMap(input) {
  const table = new Map();
  for (let at = 0; at < input.length; at += 3) {
    const start = input[at + 2] - (input[at + 2] % WINDOW_MS);
    addTo(table, (start / WINDOW_MS) * KEYS + input[at], input[at], start, input[at + 1]);
  }
  return table;
}

function addTo(table, identity, key, start, value) {
  const entry = table.get(identity);
  if (entry === undefined) {
    table.set(identity, { key, start, count: 1, total: value });
    return;
  }
  entry.count += 1;
  entry.total += value;
}

/** Whether everybody ends with the same table, by query. */
function prove(engine, input) {
  const rows = input.length / 3;
  const ofEngine = (query, traced, width) => {
    engine.bulkOpen(query, rows, KEYS, traced);
    return asText(chunks(engine.bulkTable(), width));
  };
  const grouped = asText([...groupByMap(input).values()].map((e) => [e.key, e.count, e.total]));
  const tumbled = asText(
    [...tumbleMap(input).values()].map((e) => [
      e.key,
      e.start,
      e.start + WINDOW_MS,
      e.count,
      e.total,
    ]),
  );
  const kept = chunks(input, 3).filter(([, v]) => v > 10);
  const projected = asText(kept.map(([k, v, ts]) => [k, v * 2, ts]));
  return [
    { name: 'db-ivm = Map', equal: tableOfDbIvm(input) === grouped },
    { name: 'group-by = Map', equal: ofEngine('group-by', false, 3) === grouped },
    { name: 'group-by traced = Map', equal: ofEngine('group-by', true, 3) === grouped },
    { name: 'tumble = Map', equal: ofEngine('tumble', false, 5) === tumbled },
    { name: 'tumble traced = Map', equal: ofEngine('tumble', true, 5) === tumbled },
    { name: 'filter-project = filter', equal: ofEngine('filter-project', false, 3) === projected },
  ];
}

function tableOfDbIvm(input) {
  const table = new Map();
  const { push } = dbIvm((changes) => {
    for (const [[key, row], multiplicity] of changes.getInner()) {
      if (multiplicity > 0) table.set(key, row);
    }
  });
  for (const [k, v] of chunks(input, 3)) push({ k, v });
  return asText([...table.values()].map(({ k, n, total }) => [k, n, total]));
}

function chunks(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, row) =>
    Array.from(numbers.subarray(row * width, (row + 1) * width)),
  );
}

const asText = (rows) =>
  rows
    .map((row) => row.join(' '))
    .sort()
    .join('\n');
