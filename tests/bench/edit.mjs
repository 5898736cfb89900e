/**
 * What an editor asks for between two keys, of a script of 300 lines, in CPU milliseconds: what parsing and binding say
 * of it (colours and diagnostics), completions, and its whole analysis, for which each query is planned.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { percentile } from './clock.mjs';
import { freshEngine } from './engine.mjs';

const TIMES = 100;
const WARM_UP = 50;
/** A place where a word begins: everything is offered. */
const CURSOR = 'WHERE known';

/** Measures; fails where the script has errors, which would be less work. */
export async function measureEdits(root) {
  const { engine } = await freshEngine(root);
  engine.install_texts(readFileSync(join(root, 'web/src/engine/pkg/texts.bin'), 'utf8'));
  const script = readFileSync(new URL('shop.sql', import.meta.url), 'utf8');
  const [said] = engine.analyze(script).diagnostics;
  if (said !== undefined) throw new Error(`shop.sql: ${said.message.en}`);
  const lines = script.trimEnd().split('\n').length;
  const cursor = script.indexOf(CURSOR);
  const line = (figure, work) => ({
    figure: `${figure} in a script of ${lines} lines, median`,
    who: 'engine',
    value: medianMs(work),
    unit: 'ms',
  });
  return [
    line('parsing and binding', () => engine.check(script)),
    line('completions', () => engine.complete(script, cursor)),
    line('whole analysis', () => engine.analyze(script)),
  ];
}

function medianMs(work) {
  const times = [];
  for (let time = 0; time < WARM_UP + TIMES; time++) {
    const before = cpuUsage();
    work();
    const { user, system } = cpuUsage(before);
    if (time >= WARM_UP) times.push((user + system) / 1000);
  }
  return percentile(times, 0.5);
}
