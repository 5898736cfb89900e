import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Engine, initSync } from '../../web/src/engine/pkg/sg.js';

const root = new URL('../../', import.meta.url);

beforeAll(() => {
  const bytes = readFileSync(new URL('web/src/engine/pkg/sg_bg.wasm', root));
  const module = new WebAssembly.Module(bytes);
  const wasm = initSync({ module });
  const [rest] = WebAssembly.Module.customSections(module, 'rest');
  const imports = { f: wasm as unknown as WebAssembly.ModuleImports };
  if (rest !== undefined) new WebAssembly.Instance(new WebAssembly.Module(rest), imports);
});

test('the engine says the version of the package', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(manifest).toMatchObject({ version: new Engine().version() });
});

test('time zones come from their own file', () => {
  const engine = new Engine();
  const script = "SET 'table.local-time-zone' = 'Asia/Tokyo'; SELECT 1;";
  expect(engine.analyze(script).diagnostics).not.toEqual([]);
  engine.install_zones(readFileSync(new URL('web/src/engine/pkg/zones.bin', root), 'utf8'));
  expect(engine.analyze(script).diagnostics).toEqual([]);
});

test('texts of messages come from their own file', () => {
  const engine = new Engine();
  const said = () => engine.analyze('SELECT a FRM t;').diagnostics[0];
  expect(said()).toMatchObject({ code: 'misspelt-clause', message: { en: 'misspelt-clause' } });
  engine.install_texts(readFileSync(new URL('web/src/engine/pkg/texts.bin', root), 'utf8'));
  expect(said()?.message.en).toContain('`FRM`');
  expect(said()?.message.zh).not.toBe(said()?.message.en);
});

test('a script of 300 lines is analysed as it is natively', () => {
  const script = readFileSync(new URL('tests/bench/shop.sql', root), 'utf8');
  const engine = new Engine();
  expect(engine.check(script).diagnostics).toEqual([]);
  expect(engine.analyze(script).diagnostics).toEqual([]);
});
