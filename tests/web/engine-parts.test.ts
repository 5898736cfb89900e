/** The engine's two parts: what the first suffices for, and what happens where it does not. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scenarioOf } from '../../web/src/app/scenario_files.ts';
import { EngineParts } from '../../web/src/engine/parts.ts';

const PACKAGE = new URL('../../web/src/engine/pkg/', import.meta.url);
const URLS = { module: 'sg_bg.wasm', zones: 'zones.bin', texts: 'texts.bin' };
const FILE = new URL('../../static/scenarios/payments.json', import.meta.url);
/** The scenario as a page holds it. */
const PAYMENTS = scenarioOf(JSON.parse(readFileSync(FILE, 'utf8'))).workspace;
/** Functions that no scenario has: the first part lacks them. */
const RARE =
  "SELECT TO_BASE64(shop) AS code, REGEXP_EXTRACT(shop, '(t)(.)', 2) AS letter FROM payments";
const CODE_OF_TEA = 'dGVh';
const IS_RELEASE = readFileSync(new URL('.inputs', PACKAGE), 'utf8').startsWith('release');

/** Bytes of a piece of a download. */
const PIECE = 40_000;

/** What happens to a module's bytes behind the first part. */
type Behind = 'arrives' | 'never arrives' | 'breaks off';

let behind: Behind;

beforeEach(() => {
  behind = 'arrives';
  vi.stubGlobal('fetch', async (url: string) => {
    const bytes = new Uint8Array(readFileSync(new URL(url, PACKAGE)));
    return new Response(url === URLS.module ? arriving(bytes) : bytes);
  });
});

/** The bytes in pieces, as a download gives them. */
function arriving(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  const first = IS_RELEASE
    ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(20, true)
    : bytes.length;
  const fate = behind;
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      if (at >= first && fate === 'never arrives') await new Promise(() => undefined);
      if (at >= first && fate === 'breaks off') return controller.error(new Error('cut off'));
      controller.enqueue(bytes.slice(at, at + PIECE));
      at += PIECE;
    },
  });
}

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
  behind = 'never arrives';
  const parts = new EngineParts(URLS);
  expect(await played(parts, workspace())).not.toHaveLength(0);
  await parts.look((engine) => engine.bill(1, 0, 10));
});

test('a call that needs the rest waits for it and is answered as if it had been there', async () => {
  const whole = new EngineParts(URLS);
  await whole.whole();
  const wanted = await played(whole, workspace(RARE));
  expect(new TextDecoder('latin1').decode(wanted)).toContain(CODE_OF_TEA);

  const parts = new EngineParts(URLS);
  expect(await played(parts, workspace(RARE))).toEqual(wanted);
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

test('a query that needs the rest has no answer before it', async () => {
  behind = 'never arrives';
  const parts = new EngineParts(URLS);
  const answer = played(parts, workspace(RARE)).then(() => 'answered');
  const soon = new Promise((resolve) => setTimeout(() => resolve('waits'), 500));
  // A debug build is one part.
  expect(await Promise.race([answer, soon])).toBe(IS_RELEASE ? 'waits' : 'answered');
});

test('a rest that breaks off is fetched again', async () => {
  behind = 'breaks off';
  const parts = new EngineParts(URLS);
  await parts.early((engine) => engine.open(1, workspace()));
  behind = 'arrives';
  expect((await parts.whole()).version()).toMatch(/^\d/);
  expect(await played(parts, workspace(RARE))).not.toHaveLength(0);
});
