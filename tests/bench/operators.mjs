/**
 * Rows per CPU second of the operators beside GROUP BY and TUMBLE, with 10,000 keys, the trace off and 256 rows
 * arriving together. A row of a query that reads the table twice counts once.
 */
import { fewestSeconds } from './clock.mjs';
import { freshEngine } from './engine.mjs';

const KEYS = 10_000;
const ROWS = 200_000;
const GOES = 3;
const QUERIES = [
  'hop',
  'cumulate',
  'session',
  'count-distinct',
  'over-rows',
  'over-range',
  'over-unbounded',
  'top-n',
  'top-n-of-counts',
  'keep-first',
  'keep-last',
  'join-rows',
  'join-keyed',
  'semi-join',
  'interval-join',
  'window-join',
  'temporal-join',
];

/** Measures; gives table lines. Each query has an engine of its own, as a page has. */
export async function measureOperators(root, say) {
  const lines = [];
  for (const query of QUERIES) {
    const figure = `${query}, trace off`;
    say(figure);
    const { engine } = await freshEngine(root);
    const open = () => engine.bulkOpen(query, ROWS, KEYS, false);
    const value = ROWS / fewestSeconds(GOES, open, () => engine.bulkRun());
    lines.push({ figure, who: 'engine', value, unit: 'rows/s' });
  }
  return lines;
}
