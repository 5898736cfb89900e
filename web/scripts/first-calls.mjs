/**
 * What a page asks the engine for first: `node first-calls.mjs PACKAGE PROFILING.wasm CALLED`. Writes the numbers of the
 * functions that were called, for `cargo xtask wasm`, which puts these into the module that a page starts with. The
 * engine does the same whenever it is asked the same: these calls never reach the rest.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageFolder, profiling, calledFile] = process.argv.slice(2);
const SCENARIO = new URL('../../static/scenarios/payments.json', import.meta.url);
const CALLED = 'called.';
/** Slots in one call, as the page's host has it. */
const CHUNK_SLOTS = 256;

const { initSync, Engine } = await import(pathToFileURL(join(packageFolder, 'sg.js')));
const module = new WebAssembly.Module(readFileSync(profiling));
const scenario = JSON.parse(readFileSync(SCENARIO, 'utf8'));
/** The scenario as a page holds it. */
const workspace = {
  script: scenario.script,
  queries: scenario.queries.map(({ sql }) => ({ sql: sql.trimEnd() })),
  sources: scenario.sources.map(({ table, partitions }) => ({ table, partitions })),
  events: scenario.events.map(({ idle, ...event }) =>
    idle ? { ...event, control: 'idle' } : { kind: '+I', ...event },
  ),
  start: scenario.start,
  end: scenario.end,
  settings: {},
  controls: [],
};
const zones = readFileSync(join(packageFolder, 'zones.bin'), 'utf8');
const texts = readFileSync(join(packageFolder, 'texts.bin'), 'utf8');

const called = new Set();
// the file as it is and without the files beside the module, as an embedding page may have it
for (const queries of [scenario.queries, scenario.queries.slice(1)]) {
  inFreshEngine((engine) => play(engine, { ...scenario, queries }));
}
// each query alone and both together, with what the panels ask beside the stage
const [one, two] = workspace.queries;
for (const queries of [[one], [two], [one, two]]) {
  inFreshEngine((engine) => {
    engine.install_zones(zones);
    engine.install_texts(texts);
    engine.version();
    play(engine, { ...workspace, queries });
    for (let query = 0; query < queries.length; query++) askOf(engine, query);
    engine.close(1);
  });
}
writeFileSync(calledFile, [...called].join(' '));

function inFreshEngine(work) {
  const wasm = initSync({ module });
  const engine = new Engine();
  work(engine);
  // Not left to the garbage collector, which would free it in a later instance.
  engine.free();
  for (const [name, global] of Object.entries(wasm)) {
    if (name.startsWith(CALLED) && global.value !== 0) called.add(name.slice(CALLED.length));
  }
}

function play(engine, played) {
  engine.open(1, JSON.stringify(played));
  while (!engine.advance(1, CHUNK_SLOTS).done);
}

function askOf(engine, query) {
  for (let slot = 0; slot < scenario.events.length; slot++) {
    engine.bill(1, query, slot);
    engine.why(1, query, slot);
    engine.downstream(1, query, slot);
    for (let operator = 0; operator < 6; operator++) {
      stateOf(engine, query, slot, operator);
    }
  }
}

function stateOf(engine, query, slot, operator) {
  try {
    engine.state(1, Uint32Array.of(query, slot, operator, 0), 0, 20);
  } catch (cause) {
    // an operator without state says so; anything else is a fault
    if (cause instanceof WebAssembly.RuntimeError) throw cause;
  }
}
