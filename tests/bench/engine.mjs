/** The engine's package as `npm run build` leaves it, in Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = 'web/src/engine/pkg';
let opened = 0;

/**
 * An engine in a module instance of its own, so that its memory is nobody else's: `{ engine, memory }`; with its first
 * part only if asked for.
 */
export async function freshEngine(root, { firstPartOnly = false } = {}) {
  const script = pathToFileURL(join(root, PACKAGE, 'sg.js'));
  script.search = `?instance=${opened++}`;
  const { initSync, Engine } = await import(script.href);
  const module = new WebAssembly.Module(readFileSync(join(root, PACKAGE, 'sg_bg.wasm')));
  const wasm = initSync({ module });
  const [rest] = WebAssembly.Module.customSections(module, 'rest');
  if (rest !== undefined && !firstPartOnly) {
    new WebAssembly.Instance(new WebAssembly.Module(rest), { f: wasm });
  }
  const engine = new Engine();
  const open = engine.bulkOpen.bind(engine);
  engine.bulkOpen = (name, ...how) => open(queryNamed(root, name), ...how);
  return { engine, memory: wasm.memory };
}

/** The SQL of a query that is measured: the lines behind its name in `bulk.sql`. */
function queryNamed(root, name) {
  const all = readFileSync(join(root, 'crate/engine/src/bulk.sql'), 'utf8').split('\n-- ');
  const found = all.find((part) => part.startsWith(`${name}\n`));
  if (found === undefined) {
    throw new Error(`there is no query ${name}`);
  }
  return found.slice(name.length + 1);
}

/** `release`, `debug`, or `undefined` where there is no package. */
export function kindOfPackage(root) {
  try {
    return readFileSync(join(root, PACKAGE, '.inputs'), 'utf8').split(' ')[0];
  } catch {
    return undefined;
  }
}
