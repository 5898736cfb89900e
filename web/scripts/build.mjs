/** `npm run build`: the site, as it is published, in `dist/`. */
import { checkTools, commands, installPackages, run, stop } from './workbench.mjs';

checkTools();
installPackages();
if (!(await run(commands.xtask('wasm', '--release')))) stop('The engine did not build.');
if (!(await run(commands.vite('build')))) stop('The site did not build.');
