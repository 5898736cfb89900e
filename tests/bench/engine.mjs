/** The engine's package as `npm run build` leaves it, in Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = 'web/src/engine/pkg';
let opened = 0;

/** An engine in a module instance of its own, so that its memory is nobody else's: `{ engine, memory }`. */
export async function freshEngine(root) {
  const script = pathToFileURL(join(root, PACKAGE, 'sg.js'));
  script.search = `?instance=${opened++}`;
  const { default: init, Engine } = await import(script.href);
  const { memory } = await init({
    module_or_path: readFileSync(join(root, PACKAGE, 'sg_bg.wasm')),
  });
  return { engine: new Engine(), memory };
}

/** `release`, `debug`, or `undefined` where there is no package. */
export function kindOfPackage(root) {
  try {
    return readFileSync(join(root, PACKAGE, '.inputs'), 'utf8').split(' ')[0];
  } catch {
    return undefined;
  }
}
