/**
 * Playing a stream of 10,000 events in a real browser: CPU time of the page's scripts in each frame, taken from the
 * browser's own trace, so that it does not matter what else the machine does; and frames in which the playhead
 * stood still because the engine had not come that far.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { percentile } from './clock.mjs';

const INSTALLED = [process.env['SG_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const PLAYED_MS = 6000;
const SPEEDS = [1, 16];
const CONTENT_TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
/** What a browser's trace calls scripts at work. */
const SCRIPTS = new Set([
  'FireAnimationFrame',
  'FunctionCall',
  'RunMicrotasks',
  'TimerFire',
  'EventDispatch',
  'EvaluateScript',
  'HandlePostMessage',
]);

/** Measures; without a Chromium there are no lines. */
export async function measureFrames(root) {
  const executablePath = INSTALLED.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) return [];
  const site = mkdtempSync(join(tmpdir(), 'streamglass-'));
  const server = serve(site);
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    await build({
      configFile: join(root, 'web/vite.config.ts'),
      logLevel: 'error',
      build: { outDir: site, emptyOutDir: true },
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://127.0.0.1:${server.address().port}/index.html?scenario=generated`);
    await page.waitForFunction(
      () => globalThis.document.querySelector('sg-playground')?.model?.recording.value?.complete,
    );
    const lines = [];
    for (const speed of SPEEDS) lines.push(...(await played(browser, page, speed)));
    return lines;
  } finally {
    await browser.close();
    server.close();
    rmSync(site, { recursive: true, force: true });
  }
}

async function played(browser, page, speed) {
  await page.evaluate((wanted) => {
    const { model } = globalThis.document.querySelector('sg-playground');
    model.speed.value = wanted;
  }, speed);
  await page.keyboard.press('Home');
  await browser.startTracing(page, { categories: ['devtools.timeline', '__metadata'] });
  await page.keyboard.press('Space');
  const seen = await page.evaluate(
    (length) =>
      new Promise((resolve) => {
        const { model } = globalThis.document.querySelector('sg-playground');
        const until = performance.now() + length;
        let [frames, paused, last] = [0, 0, model.p.value];
        const look = () => {
          const now = model.p.value;
          frames++;
          if (model.playing.value && now === last && frames > 2) paused++;
          last = now;
          if (performance.now() < until) requestAnimationFrame(look);
          else resolve({ frames, paused });
        };
        requestAnimationFrame(look);
      }),
    PLAYED_MS,
  );
  await page.keyboard.press('Space');
  const trace = JSON.parse((await browser.stopTracing()).toString());
  const times = scriptTimes(trace.traceEvents);
  const at = `playing 10,000 events at ${speed}×`;
  const line = (figure, value, unit) => ({ figure: `${at}, ${figure}`, who: 'page', value, unit });
  return [
    line('script a frame, median', percentile(times, 0.5), 'ms'),
    line('script a frame, 95th', percentile(times, 0.95), 'ms'),
    line('frames', seen.frames, ''),
    line('frames paused', seen.paused, ''),
  ];
}

/** CPU milliseconds of scripts from one animation frame to the next, on the page's main thread. */
function scriptTimes(events) {
  const threads = new Map();
  for (const { name, pid, tid } of events) {
    if (name === 'FireAnimationFrame') {
      const key = `${pid}:${tid}`;
      threads.set(key, (threads.get(key) ?? 0) + 1);
    }
  }
  const [main] = [...threads].sort((a, b) => b[1] - a[1])[0] ?? [];
  const scripts = events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && SCRIPTS.has(name) && `${pid}:${tid}` === main)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const frames = [];
  let end = 0;
  for (const { name, ts, dur, tdur } of scripts) {
    if (ts < end) continue;
    end = ts + dur;
    // Several callbacks run in one frame of the browser: they follow each other at once.
    const last = frames.at(-1);
    const starts = name === 'FireAnimationFrame' && (last === undefined || ts - last.ts > 4000);
    if (starts) frames.push({ ts, cpu: 0 });
    const frame = frames.at(-1);
    if (frame !== undefined) frame.cpu += (tdur ?? dur) / 1000;
  }
  return frames.slice(1, -1).map(({ cpu }) => cpu);
}

function serve(site) {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      const body = readFileSync(join(site, pathname));
      response.writeHead(200, { 'content-type': CONTENT_TYPES[extname(pathname)] ?? '' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}
