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

/** The module and what is loaded beside it, which are weighed by themselves. */
const isOfEngine = (file) => file.endsWith('.wasm') || file.endsWith('.bin');

function engine() {
  const modules = assets().filter((file) => file.endsWith('.wasm'));
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
    if (seen.has(key) || without(chunk)) return;
    seen.add(key);
    found.add(chunk.file);
    for (const file of chunk.css ?? []) found.add(file);
    // Worker scripts are listed as assets of the chunk that starts them.
    for (const file of lazy ? (chunk.assets ?? []) : []) if (!isOfEngine(file)) found.add(file);
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

function everything() {
  const ofEngine = assets().filter(isOfEngine);
  return new Set([...filesOf('index.html', { lazy: true }), ...ofEngine, 'index.html']);
}
