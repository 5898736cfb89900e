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
  return { engine: new Engine(), memory: wasm.memory };
}

/** `release`, `debug`, or `undefined` where there is no package. */
export function kindOfPackage(root) {
  try {
    return readFileSync(join(root, PACKAGE, '.inputs'), 'utf8').split(' ')[0];
  } catch {
    return undefined;
  }
}
