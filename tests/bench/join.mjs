/**
 * The regular inner join beside `@tanstack/db-ivm` in the same run: rows per CPU second with 10,000 keys, all rows on the
 * left, those with a small value on the right as well. db-ivm takes one event a push, as where groups are compared, and at
 * its best as many rows together as the engine does with the trace off. All have to end with the same table.
 */
import { D2, filter, join, MultiSet, map, output } from '@tanstack/db-ivm';
import { cpuSeconds, fewestSeconds } from './clock.mjs';
import { freshEngine } from './engine.mjs';

const QUERY = 'inner-join';
const KEYS = 10_000;
const ROWS = 200_000;
/** Rows of the proof. */
const FEW_ROWS = 20_000;
const GOES = 3;
/** Rows that arrive together, as in the engine with the trace off. */
const TOGETHER = 256;
/** Rows below this value are on the right, as in the query. */
const SMALL = 50;

/** Measures; gives table lines and whether the results are equal. */
export async function measureJoin(root, say) {
  const { engine } = await freshEngine(root);
  const rows = inputOf(engine, ROWS);
  const lines = [];
  const own = ['trace off', 'full trace'].map((level) => {
    const figure = `${QUERY}, ${level}`;
    say(figure);
    const open = () => engine.bulkOpen(QUERY, ROWS, KEYS, level === 'full trace');
    const value = ROWS / fewestSeconds(GOES, open, () => engine.bulkRun());
    lines.push({ figure, who: 'engine', value, unit: 'rows/s' });
    return { figure, value };
  });
  say(`${QUERY}, db-ivm`);
  const theirs = [
    ['one event a push', 'to db-ivm', 1],
    [`${TOGETHER} together`, 'to db-ivm at its best', TOGETHER],
  ].map(([how, to, together]) => {
    const value = measureDbIvm(rows, together);
    lines.push({ figure: `${QUERY}, ${how}`, who: '@tanstack/db-ivm', value, unit: 'rows/s' });
    return { to, value };
  });
  for (const { figure, value } of own) {
    for (const other of theirs) {
      const ratio = value / other.value;
      lines.push({ figure: `${figure}, ${other.to}`, who: 'engine', value: ratio, unit: 'x' });
    }
  }
  say('proofs');
  const few = inputOf(engine, FEW_ROWS);
  const expected = byHand(few);
  const proofs = [
    { name: `${QUERY}: db-ivm = by hand`, equal: tableOfDbIvm(few) === expected },
    { name: `${QUERY} = by hand`, equal: tableOfEngine(engine, false) === expected },
    { name: `${QUERY} traced = by hand`, equal: tableOfEngine(engine, true) === expected },
  ];
  return { lines, proofs };
}

/** `{ k, v }` of all rows. */
function inputOf(engine, rows) {
  engine.bulkOpen(QUERY, rows, KEYS, false);
  return chunks(engine.bulkInput()).map(([k, v]) => ({ k, v }));
}

function measureDbIvm(rows, together) {
  let fewest = Number.POSITIVE_INFINITY;
  for (let go = 0; go < GOES; go++) {
    const push = dbIvm(() => {});
    const work = () => {
      for (let at = 0; at < rows.length; at += together) push(rows.slice(at, at + together));
    };
    fewest = Math.min(fewest, cpuSeconds(work).seconds);
  }
  return rows.length / fewest;
}

function dbIvm(take) {
  const graph = new D2();
  const stream = graph.newInput();
  const byKey = map((row) => [row.k, row]);
  stream.pipe(
    byKey,
    join(
      stream.pipe(
        filter(({ v }) => v < SMALL),
        byKey,
      ),
    ),
    map(([k, [left, right]]) => [k, left.v, right.v]),
    output(take),
  );
  graph.finalize();
  return (rows) => {
    stream.sendData(new MultiSet(rows.map((row) => [row, 1])));
    graph.run();
  };
}

function tableOfDbIvm(rows) {
  const counts = new Map();
  const push = dbIvm((changes) => {
    for (const [row, times] of changes.getInner()) {
      const text = row.join(' ');
      counts.set(text, (counts.get(text) ?? 0) + times);
    }
  });
  for (const row of rows) push([row]);
  return asText([...counts].flatMap(([row, times]) => Array.from({ length: times }, () => row)));
}

function tableOfEngine(engine, traced) {
  engine.bulkOpen(QUERY, FEW_ROWS, KEYS, traced);
  return asText(chunks(engine.bulkTable()).map((row) => row.join(' ')));
}

/** Each row with each row of its key on the right. */
function byHand(rows) {
  const right = new Map();
  for (const row of rows.filter(({ v }) => v < SMALL)) {
    right.set(row.k, [...(right.get(row.k) ?? []), row]);
  }
  return asText(rows.flatMap(({ k, v }) => (right.get(k) ?? []).map((r) => `${k} ${v} ${r.v}`)));
}

/** Three numbers a row. */
function chunks(numbers) {
  return Array.from({ length: numbers.length / 3 }, (_, row) =>
    Array.from(numbers.subarray(row * 3, row * 3 + 3)),
  );
}

const asText = (rows) => rows.sort().join('\n');
