/**
 * The first result of a fresh process: `node cold.mjs engine|sql.js`. Prints how long it took from before
 * the first byte of the engine is read to the result, in milliseconds of clock and of CPU.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import { freshEngine } from './engine.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PAYMENTS = readFileSync(join(ROOT, 'static/scenarios/payments.json'), 'utf8');

/** The scenario's bare GROUP BY, from the first event to the last; gives the bytes of trace. */
async function firstOfEngine() {
  const { engine } = await freshEngine(ROOT, { firstPartOnly: true });
  const workspace = JSON.parse(PAYMENTS);
  engine.open(1, JSON.stringify({ ...workspace, queries: workspace.queries.slice(1) }));
  let bytes = 0;
  for (let done = false; !done; ) {
    const advanced = engine.advance(1, 256);
    bytes += advanced.frames.length;
    done = advanced.done;
  }
  return bytes;
}

/** The same rows in a table, and the scenario's bare GROUP BY; gives the number of groups. */
async function firstOfSqlJs() {
  const { default: initSqlJs } = await import('sql.js');
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run('CREATE TABLE payments (shop TEXT, amount INTEGER, ts TEXT)');
  for (const { row } of JSON.parse(PAYMENTS).events) {
    if (row === undefined) continue;
    database.run('INSERT INTO payments VALUES (?, ?, ?)', [row.shop, row.amount, row.ts]);
  }
  const [result] = database.exec(
    'SELECT shop, substr(ts, 1, 16) AS window_start, SUM(amount), COUNT(*) FROM payments GROUP BY 1, 2',
  );
  return result.values.length;
}

const first = process.argv[2] === 'engine' ? firstOfEngine : firstOfSqlJs;
const cpuBefore = cpuUsage();
const before = performance.now();
const size = await first();
const { user, system } = cpuUsage(cpuBefore);
console.log(
  JSON.stringify({
    clockMs: performance.now() - before,
    cpuMs: (user + system) / 1000,
    size,
  }),
);
