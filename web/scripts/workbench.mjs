/** What `npm start`, `npm test` and `npm run build` have in common. Node only, so that a fresh clone can run it. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** Folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const NODE_NEEDED = [20, 19];
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const VITE_CONFIG = ['--config', join('web', 'vite.config.ts')];

/** Leaves with one line that says what to do. */
export function stop(message) {
  console.error(message);
  process.exit(1);
}

/** Stops unless Node and cargo are there. */
export function checkTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
    stop(
      `Node ${neededMajor}.${neededMinor} or later is needed, this is ${process.versions.node}.`,
    );
  }
  const cargo = spawnSync('cargo', ['--version'], { stdio: 'ignore' });
  if (cargo.status !== 0) {
    stop('Rust is needed to build the engine: install it from https://rustup.rs and start again.');
  }
}

/** Runs `npm ci` if what is installed was not made from the lock file of this checkout. */
export function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const stamp = join(ROOT, 'node_modules', '.lock-hash');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing the npm packages of package-lock.json.');
  // npm tells its scripts where it is; without that (plain `node web/scripts/…`) the one on the path is used.
  const npm = process.env['npm_execpath'];
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, 'ci'], { cwd: ROOT, stdio: 'inherit' })
    : spawnSync('npm', ['ci'], {
        cwd: ROOT,
        stdio: 'inherit',
        shell: process.platform === 'win32',
      });
  if (done.status !== 0) stop('`npm ci` failed; its message stands above.');
  writeFileSync(stamp, lock);
}

/** A command line as `[program, ...arguments]`. */
export const commands = {
  cargo: (...args) => ['cargo', ...args],
  xtask: (...args) => ['cargo', 'xtask', ...args],
  node: (...args) => [process.execPath, ...args],
  vite: (...args) => [process.execPath, VITE, ...args, ...VITE_CONFIG],
  /** A JavaScript program that an npm package brings. */
  tool: (path, ...args) => [process.execPath, join(ROOT, 'node_modules', path), ...args],
};

/** Runs with the terminal attached; resolves to whether it succeeded. */
export function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit' });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

/** Runs, shows what is printed and keeps it; resolves to `{ succeeded, text }` without colour codes. */
export function runAndRead([program, ...args], environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const take = (to) => (chunk) => {
      text += chunk;
      to.write(chunk);
    };
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', (error) => resolve({ succeeded: false, text: error.message }));
    child.on('close', (status) => {
      resolve({ succeeded: status === 0, text: stripVTControlCharacters(text) });
    });
  });
}
