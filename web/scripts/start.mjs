/**
 * `npm start`: installs, builds the engine for development and serves the playground with reload.
 * Further arguments go to the server: `npm start -- --port 8000 --host`.
 */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { checkTools, commands, installPackages, ROOT, run, stop } from './workbench.mjs';

const SETTLE_MS = 300;

checkTools();
installPackages();
if (!(await run(commands.xtask('wasm'))))
  stop('The engine did not build; the reason stands above.');

rebuildOnChange();
const served = await run(commands.vite(...process.argv.slice(2)));
process.exit(served ? 0 : 1);

/** Builds the engine again when a Rust file changes; the server then reloads the page. */
function rebuildOnChange() {
  let timer;
  let building = Promise.resolve();
  watch(join(ROOT, 'crate'), { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.rs')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(() => run(commands.xtask('wasm')));
    }, SETTLE_MS);
  });
}
