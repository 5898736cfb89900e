/** Weighs what `dist/` ships against the budgets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ROOT } from './workbench.mjs';

const DIST = join(ROOT, 'dist');
const EDITOR = 'src/editor/';

/** The limits, in bytes after compression. */
export const BUDGETS = [
  {
    name: 'engine wasm, brotli',
    limit: 900_000,
    measure: () => sum(engine(), brotli),
  },
  {
    name: 'texts and time zones beside it, brotli',
    limit: 70_000,
    measure: () => sum(beside(), brotli),
  },
  {
    name: 'playground without editor, gzip',
    limit: 150_000,
    measure: () => sum(playground(), gzip),
  },
  {
    name: 'embed script before the engine, gzip',
    limit: 60_000,
    measure: () => sum(embed('.js'), gzip),
  },
  {
    name: 'embed before the engine in all, gzip',
    limit: 100_000,
    measure: () => sum(embed(''), gzip),
  },
  {
    name: 'whole playground page, brotli',
    limit: 1_300_000,
    measure: () => sum(everything(), brotli),
  },
  {
    // Only a page whose script creates a function loads it.
    name: 'interpreter of functions, brotli',
    limit: 230_000,
    measure: () => sum(interpreter(), brotli),
  },
];

/** One `{ name, limit, bytes }` per budget. */
export function weigh() {
  return BUDGETS.map(({ name, limit, measure }) => ({
    name,
    limit,
    bytes: measure(),
  }));
}

const read = (file) => readFileSync(join(DIST, file));
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
    .length;
const sum = (files, pack) => [...files].reduce((total, file) => total + pack(read(file)), 0);

function manifest() {
  return JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'));
}

const assets = () =>
  existsSync(join(DIST, 'assets'))
    ? readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`)
    : [];

/** Files that load when a script creates a function. */
const isOfInterpreter = (file) => /\/(?:scripts|emscripten-module|ffi|module)\b[^/]*$/.test(file);

/** The module and what is loaded beside it, which are weighed by themselves. */
const isOfEngine = (file) =>
  (file.endsWith('.wasm') || file.endsWith('.bin')) && !isOfInterpreter(file);

function engine() {
  const modules = assets().filter((file) => file.endsWith('.wasm') && isOfEngine(file));
  if (modules.length !== 1)
    throw new Error(`dist/assets holds ${modules.length} wasm modules, not one`);
  return modules;
}

const beside = () => assets().filter((file) => file.endsWith('.bin'));

/** Files that an entry loads, with what it imports at once and, if `lazy`, later on. */
function filesOf(entry, { lazy, without = () => false }) {
  const chunks = manifest();
  const found = new Set();
  const seen = new Set();
  const visit = (key) => {
    const chunk = chunks[key];
    if (chunk === undefined) throw new Error(`the build has no ${key}`);
    if (seen.has(key) || isOfInterpreter(chunk.file) || without(chunk)) return;
    seen.add(key);
    found.add(chunk.file);
    for (const file of chunk.css ?? []) found.add(file);
    // Worker scripts are listed as assets of the chunk that starts them.
    const made = lazy ? (chunk.assets ?? []) : [];
    for (const file of made) {
      if (!isOfEngine(file) && !isOfInterpreter(file)) found.add(file);
    }
    for (const next of chunk.imports ?? []) visit(next);
    for (const next of lazy ? (chunk.dynamicImports ?? []) : []) visit(next);
  };
  visit(entry);
  return found;
}

function playground() {
  const isEditor = (chunk) => chunk.src?.startsWith(EDITOR) ?? false;
  return filesOf('index.html', { lazy: true, without: isEditor }).add('index.html');
}

function embed(extension) {
  return [...filesOf('src/app/embed.ts', { lazy: false })].filter((file) =>
    file.endsWith(extension),
  );
}

/** What a page loads of the interpreter; the worker and the page without one have a copy each of its scripts. */
function interpreter() {
  const byName = new Map();
  for (const file of assets().filter(isOfInterpreter)) {
    const name = file.replace(/-[\w-]{8}(\.\w+)$/, '$1');
    if (!byName.has(name)) byName.set(name, file);
  }
  return byName.values();
}

function everything() {
  const ofEngine = assets().filter(isOfEngine);
  return new Set([...filesOf('index.html', { lazy: true }), ...ofEngine, 'index.html']);
}
