/**
 * `npm test`: everything. `npm test -- --only rust|web|e2e` runs a part of it.
 *
 * Every step runs, also after one that failed, unless it needs what that one makes. The last line says how
 * many checks passed and failed; a step without a count of its own is one check.
 */
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ensureChromium } from './browser.mjs';
import { weigh } from './sizes.mjs';
import { checkTools, commands, installPackages, ROOT, runAndRead, stop } from './workbench.mjs';

const PARTS = ['rust', 'web', 'e2e'];
const RESULTS = join(ROOT, 'test-results');
const VITEST_REPORT = join(RESULTS, 'units.json');
const E2E_REPORT = join(RESULTS, 'e2e.json');

const { cargo, tool, vite, xtask } = commands;
const tsc = (project) => tool('typescript/bin/tsc', '-p', join('web', project));

/** In this order; `makes` names what a step leaves for those that say `needs`. */
const STEPS = [
  { part: ['rust'], name: 'text of the repository', command: xtask('tidy') },
  { part: ['rust'], name: 'Rust format', command: cargo('fmt', '--all', '--check') },
  {
    part: ['rust'],
    name: 'Rust lints',
    command: cargo('clippy', '--workspace', '--all-targets', '--quiet', '--', '-D', 'warnings'),
  },
  {
    part: ['rust'],
    name: 'Rust units, laws and cases',
    command: cargo('test', '--workspace', '--no-fail-fast'),
    count: countOfCargo,
  },
  { part: ['rust'], name: 'types of the engine', command: xtask('types', '--check') },
  {
    part: ['web', 'e2e'],
    name: 'engine module',
    command: xtask('wasm', '--release'),
    makes: 'engine',
  },
  {
    part: ['web'],
    name: 'format and lints of the web',
    command: tool('@biomejs/biome/bin/biome', 'ci'),
  },
  { part: ['web'], name: 'types of the pages', command: tsc('tsconfig.json'), needs: 'engine' },
  {
    part: ['web'],
    name: 'types of the worker',
    command: tsc('tsconfig.worker.json'),
    needs: 'engine',
  },
  {
    part: ['web'],
    name: 'types of the tests',
    command: tsc('tsconfig.node.json'),
    needs: 'engine',
  },
  {
    part: ['web'],
    name: 'web units and the engine in Node',
    command: tool(
      'vitest/vitest.mjs',
      'run',
      '--config',
      join('web', 'vitest.config.ts'),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${VITEST_REPORT}`,
    ),
    needs: 'engine',
    count: countOfVitest,
  },
  { part: ['web', 'e2e'], name: 'site', command: vite('build'), needs: 'engine', makes: 'site' },
  { part: ['web'], name: 'size budgets', run: checkSizes, needs: 'site' },
  {
    part: ['e2e'],
    name: 'end to end in Chromium',
    prepare: ensureChromium,
    command: tool(
      '@playwright/test/cli.js',
      'test',
      '--config',
      join('tests', 'e2e', 'playwright.config.ts'),
    ),
    environment: async () => ({ SG_E2E_PORT: String(await freePort()) }),
    needs: 'site',
    count: countOfPlaywright,
  },
];

const parts = partsToRun(process.argv.slice(2));
checkTools();
installPackages();
rmSync(RESULTS, { recursive: true, force: true });

const made = new Set();
const outcomes = [];
for (const step of STEPS.filter((candidate) =>
  candidate.part.some((part) => parts.includes(part)),
)) {
  console.log(`\n── ${step.name} ──`);
  const started = performance.now();
  const outcome = await outcomeOf(step).catch((error) => {
    console.log(error.message);
    return { passed: 0, failed: 1, note: error.message };
  });
  if (outcome.failed === 0 && step.makes !== undefined) made.add(step.makes);
  outcomes.push({ name: step.name, seconds: (performance.now() - started) / 1000, ...outcome });
}
summarize();

function partsToRun(args) {
  if (args.length === 0) return PARTS;
  const [option, value] = args;
  if (option === '--only' && args.length === 2 && PARTS.includes(value)) return [value];
  return stop(`usage: npm test -- [--only ${PARTS.join('|')}]`);
}

/** Runs one step; resolves to `{ passed, failed, note? }`. */
async function outcomeOf(step) {
  if (step.needs !== undefined && !made.has(step.needs)) {
    const note = `not run: there is no ${step.needs}`;
    console.log(note);
    return { passed: 0, failed: 1, note };
  }
  if (step.run !== undefined) return step.run();
  if (step.prepare !== undefined && !(await step.prepare())) {
    return { passed: 0, failed: 1, note: 'not run: no Chromium, and none could be installed' };
  }
  const { succeeded, text } = await runAndRead(step.command, await step.environment?.());
  const counted = step.count?.(text) ?? { passed: succeeded ? 1 : 0, failed: 0 };
  // A step that ended badly is never all green, whatever was counted before it broke.
  return succeeded ? counted : { ...counted, failed: Math.max(1, counted.failed) };
}

/** Adds up the `test result:` lines of all harnesses. */
function countOfCargo(text) {
  const count = { passed: 0, failed: 0 };
  for (const [, passed, failed] of text.matchAll(
    /^test result: .*? (\d+) passed; (\d+) failed/gm,
  )) {
    count.passed += Number(passed);
    count.failed += Number(failed);
  }
  return count;
}

function countOfVitest() {
  const report = readReport(VITEST_REPORT);
  return report && { passed: report.numPassedTests, failed: report.numFailedTests };
}

function countOfPlaywright() {
  const report = readReport(E2E_REPORT);
  return report && { passed: report.stats.expected, failed: report.stats.unexpected };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function checkSizes() {
  const count = { passed: 0, failed: 0 };
  for (const { name, limit, bytes } of weigh()) {
    const fits = bytes <= limit;
    count[fits ? 'passed' : 'failed'] += 1;
    const kb = (value) => `${(value / 1000).toFixed(1)} kB`.padStart(10);
    console.log(
      `${fits ? 'ok      ' : 'TOO BIG '} ${name.padEnd(40)} ${kb(bytes)} of ${kb(limit)}`,
    );
  }
  return count;
}

/** Two checkouts tested at once must not meet on a port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function summarize() {
  console.log('\n── summary ──');
  for (const { name, seconds, passed, failed, note } of outcomes) {
    const mark = failed === 0 ? 'ok  ' : 'FAIL';
    const counts = `${passed} passed, ${failed} failed`;
    console.log(
      `${mark} ${name.padEnd(36)} ${counts.padEnd(26)} ${seconds.toFixed(1)} s${note ? `  ${note}` : ''}`,
    );
  }
  const total = (key) => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  process.exit(total('failed') === 0 ? 0 : 1);
}
