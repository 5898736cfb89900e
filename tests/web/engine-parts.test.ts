/** The engine's two parts: what the first suffices for, and what happens where it does not. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scenarioOf } from '../../web/src/app/scenario_files.ts';
import { EngineParts } from '../../web/src/engine/parts.ts';

const PACKAGE = new URL('../../web/src/engine/pkg/', import.meta.url);
const URLS = { first: 'sg_bg.wasm', rest: 'sg_rest.wasm', zones: 'zones.bin', texts: 'texts.bin' };
const FILE = new URL('../../static/scenarios/payments.json', import.meta.url);
/** The scenario as a page holds it. */
const PAYMENTS = scenarioOf(JSON.parse(readFileSync(FILE, 'utf8'))).workspace;
/** Functions that no scenario has: the first part lacks them. */
const RARE =
  "SELECT TO_BASE64(shop) AS code, REGEXP_EXTRACT(shop, '(t)(.)', 2) AS letter FROM payments";
const CODE_OF_TEA = 'dGVh';
const IS_RELEASE = readFileSync(new URL('.inputs', PACKAGE), 'utf8').startsWith('release');

let asked: string[];
let failing: Set<string>;

beforeEach(() => {
  asked = [];
  failing = new Set();
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (failing.has(url)) return new Response(null, { status: 503 });
    const type = url.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(readFileSync(new URL(url, PACKAGE)), { headers: { 'content-type': type } });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function workspace(sql?: string): string {
  const queries = sql === undefined ? PAYMENTS.queries : [{ sql }];
  return JSON.stringify({ ...PAYMENTS, queries });
}

async function played(parts: EngineParts, text: string): Promise<Uint8Array> {
  await parts.early((engine) => engine.open(1, text));
  const { frames } = await parts.early((engine) => engine.advance(1, 256));
  return frames;
}

test('the first part alone plays the scenario that a page opens with', async () => {
  const parts = new EngineParts(URLS);
  expect(await played(parts, workspace())).not.toHaveLength(0);
  await parts.look((engine) => engine.bill(1, 0, 10));
  expect(asked).not.toContain(URLS.rest);
});

test('a call that needs the rest waits for it and is answered as if it had been there', async () => {
  const whole = new EngineParts(URLS);
  await whole.whole();
  const wanted = await played(whole, workspace(RARE));
  expect(new TextDecoder('latin1').decode(wanted)).toContain(CODE_OF_TEA);

  asked = [];
  const parts = new EngineParts(URLS);
  expect(await played(parts, workspace(RARE))).toEqual(wanted);
  // A debug build is one part.
  expect(asked.includes(URLS.rest)).toBe(IS_RELEASE);
});

test('what was asked before the rest came is known after it', async () => {
  const parts = new EngineParts(URLS);
  await parts.early((engine) => engine.open(1, workspace()));
  await parts.early((engine) => engine.advance(1, 10));
  // Needs the rest, which spoils the first instance in a release.
  await parts.early((engine) => engine.open(2, workspace(RARE)));
  const { frames } = await parts.early((engine) => engine.advance(1, 256));

  const whole = await new EngineParts(URLS).whole();
  whole.open(1, workspace());
  whole.advance(1, 10);
  expect(frames).toEqual(whole.advance(1, 256).frames);
});

test('a rest that does not arrive is an error of the call that needs it, and is asked for again', async () => {
  const parts = new EngineParts(URLS);
  failing.add(URLS.rest);
  await expect(parts.whole()).rejects.toThrow('sg_rest.wasm: 503');
  failing.clear();
  expect(await played(parts, workspace())).not.toHaveLength(0);
  expect((await parts.whole()).version()).toMatch(/^\d/);
});
