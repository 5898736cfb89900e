import { expect, test } from 'vitest';
import { Sync } from '../../web/src/app/sync.ts';
import { Model } from '../../web/src/model/model.ts';
import { FixtureEngine } from './fixture/engine.ts';

test('while someone types, a text is checked before it is planned', async () => {
  const model = new Model();
  const asked: string[] = [];
  class Watched extends FixtureEngine {
    override async check(script: string) {
      asked.push(script);
      return super.check(script);
    }
  }
  const sync = new Sync(model, new Watched(), 1);
  const sql = 'SELECT SUM(v) FROM TABLE(TUMBLE(TABLE t))';
  model.workspace.value = {
    ...model.workspace.value,
    script: '-- tables',
    queries: [{ sql: 'SELECT 1' }, { sql }],
  };
  const planned = await new FixtureEngine().analyze('SELECT 1');
  model.sql.value = [
    { analysis: planned, planning: false },
    { analysis: undefined, planning: true },
  ];
  sync.changed(true);
  await expect.poll(() => model.sql.value[1]?.analysis).toBeDefined();
  expect(asked).toEqual([`-- tables\n${sql}`]);
  expect(model.sql.value[0]?.analysis).toBe(planned);
  expect(model.sql.value[1]?.planning).toBe(true);
  const [first] = model.sql.value[1]?.analysis?.tokens ?? [];
  expect(first?.from).toBe(0);
  await sync.settled();
});
