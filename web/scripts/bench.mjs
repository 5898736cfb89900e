/** `npm run bench`: builds the engine as it is published, then measures it beside others. */
import { join } from 'node:path';
import { checkTools, commands, installPackages, run, stop } from './workbench.mjs';

checkTools();
installPackages();
if (!(await run(commands.xtask('wasm', '--release')))) stop('The engine did not build.');
if (!(await run(commands.node(join('tests', 'bench', 'run.mjs'))))) process.exit(1);
