import { deflateRawSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';

/** A link to a workspace with this script and these queries over three payments. */
function link(script: string, ...queries: string[]): string {
  const event = (at: number, row: Record<string, unknown>) => ({ at, table: 'payments', row });
  const workspace = {
    script: `${script}\nCREATE TABLE payments (id BIGINT, city STRING, amount INT) WITH ('connector' = 'replay');`,
    queries: queries.map((sql) => ({ sql })),
    sources: [],
    events: [
      event(0, { id: 1, city: 'rome', amount: 10 }),
      event(1000, { id: 2, city: 'oslo', amount: 5 }),
      event(2000, { id: 3, city: 'rome', amount: 20 }),
    ],
    start: '2024-01-01 00:00:00',
    end: 'open',
    settings: {},
    controls: [],
  };
  const json = JSON.stringify({ scenario: 'payments', workspace });
  return Buffer.concat([Buffer.of(1), deflateRawSync(json)]).toString('base64url');
}

const SHOUT = `CREATE FUNCTION shout AS '{
  input: ["STRING"], result: "STRING",
  eval: (text) => text.toUpperCase() + "!"
}' LANGUAGE JAVASCRIPT;`;

const SPREAD = `CREATE FUNCTION spread AS '{
  input: ["INT"], result: "INT",
  createAccumulator: () => ({ least: null, most: null }),
  accumulate(acc, amount) {
    acc.least = acc.least === null ? amount : Math.min(acc.least, amount);
    acc.most = acc.most === null ? amount : Math.max(acc.most, amount);
  },
  getValue: (acc) => acc.most - acc.least
}' LANGUAGE JAVASCRIPT;`;

const interpreters = (page: Page): string[] => {
  const seen: string[] = [];
  page.context().on('request', (request) => {
    if (/emscripten/.test(request.url())) seen.push(request.url());
  });
  return seen;
};

test.describe('functions of a script', () => {
  test('a scalar and an aggregate function run in the page', async ({ page }) => {
    const seen = interpreters(page);
    const queries = [
      'SELECT id, shout(city) AS city FROM payments',
      'SELECT city, spread(amount) AS spread FROM payments GROUP BY city',
    ];
    await page.goto(`index.html#${link(`${SHOUT}\n${SPREAD}`, ...queries)}`);
    await expect(page.getByText(/^event \d of 3$/)).toBeVisible();
    await page.keyboard.press('End');
    const a = page.getByRole('region', { name: 'Query A' });
    await expect(a.getByRole('log')).toContainText('ROME!');
    const b = page.getByRole('region', { name: 'Query B' });
    await expect(b.getByRole('log')).toContainText('+U');
    await expect(b.getByRole('log')).toContainText('10');
    await page.keyboard.press('3');
    await expect(page.getByRole('tabpanel')).toContainText('shout(city)');
    expect(seen.length).toBeGreaterThan(0);
  });

  test('a call that does not end is stopped and says so', async ({ page }) => {
    const endless = `CREATE FUNCTION endless AS '{
      input: ["BIGINT"], result: "BIGINT", eval(id) { while (true) id += 1 }
    }' LANGUAGE JAVASCRIPT;`;
    await page.goto(`index.html#${link(endless, 'SELECT endless(id) FROM payments')}`);
    await expect(page.getByText(/^event \d of 3$/)).toBeVisible();
    // the first call takes a moment to be stopped, and there is no end to go to before
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(page.getByText(/10 million steps/).first()).toBeVisible({ timeout: 500 });
    }).toPass();
  });

  test('a page without functions loads no interpreter', async ({ page }) => {
    const seen = interpreters(page);
    await page.goto(`index.html#${link('', 'SELECT id FROM payments')}`);
    await expect(page.getByText(/^event \d of 3$/)).toBeVisible();
    expect(seen).toEqual([]);
  });
});
