/** Finds a Chromium for the end-to-end tests, or gets one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { commands, run } from './workbench.mjs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Debian's packages that the tests and their pictures use. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-inter', 'fonts-jetbrains-mono', 'fonts-noto-cjk'];

/** Resolves to whether there is a browser now. */
export async function ensureChromium() {
  const own = process.env['SG_CHROMIUM'];
  if (own !== undefined) return existsSync(own);
  if (INSTALLED.some((path) => existsSync(path))) return true;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...DEBIAN_PACKAGES];
    console.log(`Installing Debian's ${DEBIAN_PACKAGES.join(', ')}.`);
    if (apt(install) || (apt(['apt-get', 'update']) && apt(install))) return true;
  }
  return run(commands.tool('@playwright/test/cli.js', 'install', 'chromium'));
}

function apt([program, ...args]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(program, args, { env, stdio: 'inherit' }).status === 0;
}
