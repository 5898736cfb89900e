import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLink, encodeLink, LinkError, type Shared } from '../../web/src/model/permalink.ts';

const json = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const workspace = fc.record({
  script: fc.string(),
  queries: fc.array(fc.record({ sql: fc.string() }), { maxLength: 2 }),
  sources: fc.array(fc.record({ table: fc.string(), partitions: fc.nat(9) }), { maxLength: 2 }),
  events: fc.array(
    fc.record({
      at: fc.nat(),
      table: fc.string(),
      partition: fc.nat(5),
      row: fc.dictionary(fc.string(), json),
    }),
    { maxLength: 20 },
  ),
  start: fc.string(),
  end: fc.constantFrom('open' as const, 'flush' as const),
  settings: fc.dictionary(fc.string(), fc.string()),
  controls: fc.array(fc.record({ table: fc.string(), outOfOrdernessMs: fc.nat() }), {
    maxLength: 2,
  }),
});

test('a link gives back what it was made of', async () => {
  await fc.assert(
    fc.asyncProperty(workspace, fc.float({ noNaN: true, min: 0, max: 100 }), async (w, p) => {
      const shared: Shared = { scenario: 'payments', workspace: w, p, tab: 'plan', lane: 1 };
      const back = await decodeLink(await encodeLink(shared));
      expect(back).toEqual(JSON.parse(JSON.stringify(shared)));
    }),
    { numRuns: 40 },
  );
});

test('a link of version 1 stays readable', async () => {
  const shared = await decodeLink(
    'AatWKk5OzUssysxXslIqSKzMTc0rKVbSUSpQsjI00bM01VEqSUwCSeUk5inpKOUk5qUqWRmCGemliempSlZKVRlKtQA',
  );
  expect(shared).toEqual({ scenario: 'payments', p: 14.95, tab: 'plan', lane: 1, language: 'zh' });
});

test('no damaged link is opened', async () => {
  const good = await encodeLink({ scenario: 'payments' });
  const damaged = [
    '',
    'A',
    'AA',
    '!!',
    `Ag${good.slice(2)}`,
    good.slice(0, -4),
    `${good.slice(0, 8)}zz${good.slice(10)}`,
  ];
  for (const text of damaged) await expect(decodeLink(text)).rejects.toThrow(LinkError);
});

test('a link without a scenario, or with another shape of workspace, is refused or cut', async () => {
  const packed = async (value: unknown) => encodeLink(JSON.parse(JSON.stringify(value)));
  await expect(decodeLink(await packed({ p: 3 }))).rejects.toThrow(LinkError);
  const cut = await decodeLink(
    await packed({ scenario: 's', workspace: { events: 'many' }, p: 'x' }),
  );
  expect(cut).toEqual({ scenario: 's' });
});
