/**
 * The first result of a cold page from localhost, beside sql.js, in turns, each in a browser of its own:
 * milliseconds of clock from the start of navigation, the engine and the events fetched on the way. Both run the
 * scenario's bare GROUP BY. As in the playground the engine starts with the first part of its module.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { transformWithOxc } from 'vite';
import { percentile } from './clock.mjs';

const TURNS = 5;
const INSTALLED = [process.env['SG_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const CONTENT_TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** All that a page needs is asked for at once, its script first: on both pages. */
const ENGINE_PAGE = `<!doctype html><link rel="modulepreload" href="/sg.js">
<link rel="preload" href="/payments.json" as="fetch" crossorigin>
<link rel="preload" href="/sg_bg.wasm" as="fetch" crossorigin>
<script type="module">
  CUT
  const payments = fetch('/payments.json').then((answer) => answer.json());
  const compiled = fetch('/sg_bg.wasm').then((answer) => cut(answer).first);
  const { initSync, Engine } = await import('/sg.js');
  initSync({ module: await compiled });
  const engine = new Engine();
  const workspace = await payments;
  engine.open(1, JSON.stringify({ ...workspace, queries: workspace.queries.slice(1) }));
  let size = 0;
  for (let done = false; !done; ) {
    const advanced = engine.advance(1, 256);
    size += advanced.frames.length;
    done = advanced.done;
  }
  window.first = { clockMs: performance.now(), size };
</script>`;

const SQL_PAGE = `<!doctype html><link rel="preload" href="/sql-wasm-browser.js" as="script">
<link rel="preload" href="/payments.json" as="fetch" crossorigin>
<link rel="preload" href="/sql-wasm-browser.wasm" as="fetch" crossorigin>
<script src="/sql-wasm-browser.js"></script>
<script type="module">
  const payments = fetch('/payments.json').then((answer) => answer.json());
  const { Database } = await initSqlJs({ locateFile: (name) => '/' + name });
  const database = new Database();
  database.run('CREATE TABLE payments (shop TEXT, amount INTEGER, ts TEXT)');
  for (const { row } of (await payments).events) {
    if (row === undefined) continue;
    database.run('INSERT INTO payments VALUES (?, ?, ?)', [row.shop, row.amount, row.ts]);
  }
  const [{ values }] = database.exec(
    'SELECT shop, substr(ts, 1, 16), SUM(amount), COUNT(*) FROM payments GROUP BY 1, 2',
  );
  window.first = { clockMs: performance.now(), size: values.length };
</script>`;

const PAGES = { engine: ENGINE_PAGE, 'sql.js': SQL_PAGE };

/** Measures; without a Chromium there are no lines. */
export async function measureFirstPage(root) {
  const executablePath = INSTALLED.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) return [];
  const server = serve(await filesOf(root));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const clocks = new Map(Object.keys(PAGES).map((who) => [who, []]));
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [who, times] of clocks) {
        times.push(await timeOf(executablePath, `${origin}/${who}.html`));
      }
    }
  } finally {
    server.close();
  }
  const median = (who) => percentile(clocks.get(who), 0.5);
  const figure = 'first result of a cold page';
  return [
    ...[...clocks.keys()].map((who) => ({ figure, who, value: median(who), unit: 'ms' })),
    {
      figure: `${figure}, to sql.js`,
      who: 'engine',
      value: median('engine') / median('sql.js'),
      unit: 'x',
    },
  ];
}

/** A new browser each time: a browser that has compiled a module before does not do so again. */
async function timeOf(executablePath, url) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    const first = await page.waitForFunction(() => globalThis.first);
    const { clockMs, size } = await first.jsonValue();
    if (!(size > 0)) throw new Error(`${url} gave no result`);
    return clockMs;
  } finally {
    await browser.close();
  }
}

async function filesOf(root) {
  const engine = join(root, 'web/src/engine/pkg');
  const sql = join(root, 'node_modules/sql.js/dist');
  const cut = readFileSync(join(root, 'web/src/engine/cut.ts'), 'utf8');
  const { code } = await transformWithOxc(cut, 'cut.ts');
  // In the playground it is part of the script, too.
  const own = (page) => page.replace('CUT', () => code.replace('export ', ''));
  const files = new Map(Object.entries(PAGES).map(([who, page]) => [`/${who}.html`, own(page)]));
  for (const [folder, name] of [
    [engine, 'sg.js'],
    [engine, 'sg_bg.wasm'],
    [sql, 'sql-wasm-browser.js'],
    [sql, 'sql-wasm-browser.wasm'],
    [join(root, 'static/scenarios'), 'payments.json'],
  ]) {
    files.set(`/${name}`, readFileSync(join(folder, name)));
  }
  return files;
}

function serve(files) {
  return createServer((request, response) => {
    const body = files.get(request.url);
    if (body === undefined) {
      response.writeHead(404).end();
      return;
    }
    const headers = {
      'content-type': CONTENT_TYPES[extname(request.url)],
      'content-length': Buffer.byteLength(body),
    };
    response.writeHead(200, headers).end(body);
  });
}
