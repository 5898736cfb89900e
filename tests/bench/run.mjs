/**
 * `npm run bench`: all figures in one run, as a table and in `test-results/bench.json`. Fails where results
 * differ, and where a figure misses its goal in `thresholds.json` by more than the margin that stands there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureEdits } from './edit.mjs';
import { kindOfPackage } from './engine.mjs';
import { measureFirstPage } from './first-page.mjs';
import { measureFirstResult } from './first-result.mjs';
import { measureFrames } from './frames.mjs';
import { measureJoin } from './join.mjs';
import { measureJumps } from './jump.mjs';
import { measureMemory } from './memory.mjs';
import { measureOperators } from './operators.mjs';
import { measureThroughput } from './throughput.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const REPORT = join(ROOT, 'test-results', 'bench.json');
const { margin, goals } = JSON.parse(
  readFileSync(new URL('thresholds.json', import.meta.url), 'utf8'),
);

const say = (what) => console.error(`… ${what}`);
const loadBefore = loadavg()[0];
say('first result');
const first = [...measureFirstResult(), ...(await measureFirstPage(ROOT))];
say('edits');
const edits = await measureEdits(ROOT);
say('memory');
const memory = await measureMemory(ROOT);
say('jumps');
const jumps = await measureJumps(ROOT);
say('frames');
const frames = await measureFrames(ROOT);
const { lines: throughput, proofs } = await measureThroughput(ROOT, say);
const joins = await measureJoin(ROOT, say);
proofs.push(...joins.proofs);
const operators = await measureOperators(ROOT, say);
const lines = [
  ...throughput,
  ...joins.lines,
  ...operators,
  ...memory,
  ...first,
  ...edits,
  ...jumps,
  ...frames,
].map((line) => ({
  ...line,
  ...judged(line),
}));
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.versions.node,
  engine: kindOfPackage(ROOT),
  load: [loadBefore, loadavg()[0]],
};
print();
mkdirSync(dirname(REPORT), { recursive: true });
writeFileSync(REPORT, `${JSON.stringify({ machine, margin, lines, proofs }, undefined, 2)}\n`);
console.log(`\n${REPORT}`);
const failed = lines.some(({ verdict }) => verdict === 'FAIL') || proofs.some((p) => !p.equal);
process.exitCode = failed ? 1 : 0;

/** The goal of a figure and how it is met: `ok`, `short` within the margin, `FAIL` beyond it. */
function judged({ figure, value }) {
  const goal = goals.find((candidate) => candidate.figure === figure);
  if (goal === undefined) return {};
  const { atLeast, atMost } = goal;
  const share = atLeast === undefined ? atMost / value : value / atLeast;
  const verdict = share >= 1 ? 'ok' : share >= 1 - margin ? 'short' : 'FAIL';
  return { goal: atLeast ?? atMost, verdict };
}

function print() {
  const { cpu, cores, node, engine, load } = machine;
  const loads = load.map((value) => value.toFixed(1)).join(' → ');
  console.log(`${cpu}, ${cores} cores, Node ${node}, ${engine} engine, load ${loads}`);
  console.log(
    'rows/s are per CPU second, 10,000 keys; one event a push, with the trace off 256 together\n',
  );
  console.log(row('figure', 'who', 'value', 'goal', '', 'trace'));
  for (const { figure, who, value, unit, goal, verdict, bytesAnEvent } of lines) {
    const bytes = bytesAnEvent === undefined ? '' : `${bytesAnEvent.toFixed(1)} B/event`;
    const wanted = goal === undefined ? '' : amount(goal, unit);
    console.log(row(figure, who, amount(value, unit), wanted, verdict ?? '', bytes));
  }
  console.log('');
  for (const { name, equal } of proofs) console.log(`${equal ? 'equal    ' : 'DIFFERENT'} ${name}`);
}

function row(figure, who, value, goal, verdict, trace) {
  return [
    figure.padEnd(52),
    who.padEnd(17),
    value.padStart(18),
    goal.padStart(18),
    ` ${verdict.padEnd(6)}`,
    trace,
  ]
    .join(' ')
    .trimEnd();
}

function amount(value, unit) {
  const digits = value >= 1000 ? 0 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}
