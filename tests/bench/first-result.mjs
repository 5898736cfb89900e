/** How long a cold engine takes to its first result, beside sql.js, in turns, each in a process of its own. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { percentile } from './clock.mjs';

const TURNS = 5;
const SCRIPT = fileURLToPath(new URL('cold.mjs', import.meta.url));
const CONTENDERS = ['engine', 'sql.js'];

/** Measures; fails if one of them gives no result. */
export function measureFirstResult() {
  const runs = new Map(CONTENDERS.map((who) => [who, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const who of CONTENDERS) {
      const run = JSON.parse(execFileSync(process.execPath, [SCRIPT, who], { encoding: 'utf8' }));
      if (!(run.size > 0)) throw new Error(`${who} gave no result`);
      runs.get(who).push(run);
    }
  }
  const median = (who, part) =>
    percentile(
      runs.get(who).map((run) => run[part]),
      0.5,
    );
  const lines = CONTENDERS.flatMap((who) => [
    { figure: 'first result in Node, clock', who, value: median(who, 'clockMs'), unit: 'ms' },
    { figure: 'first result in Node, CPU', who, value: median(who, 'cpuMs'), unit: 'ms' },
  ]);
  const ratio = median('engine', 'cpuMs') / median('sql.js', 'cpuMs');
  return [
    ...lines,
    { figure: 'first result in Node, CPU, to sql.js', who: 'engine', value: ratio, unit: 'x' },
  ];
}
