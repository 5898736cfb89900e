/** What happens when the engine fails, hangs or makes too much: the page goes on, and the text is there. */
import { expect, type Page, test } from '@playwright/test';
import { withFailing } from './patched_wasm.ts';

/** The engine. */
const ENGINE = '**/sg_bg*.wasm';

/** Until it is called off, the engine that the page loads fails where it is asked for the sinks. */
async function failing(page: Page, how: 'trap' | 'loop'): Promise<() => Promise<void>> {
  await page.route(ENGINE, async (route) => {
    const answer = await route.fetch();
    const module = new Uint8Array(await answer.body());
    const body = Buffer.from(withFailing(module, 'engine_downstream', how));
    await route.fulfill({ status: 200, contentType: 'application/wasm', body });
  });
  return () => page.unroute(ENGINE);
}

async function open(page: Page): Promise<void> {
  await page.goto('index.html?p=19.95');
  await expect(page.getByText('event 20 of 29')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('append-only').first()).toBeVisible();
}

const COMMENT = '-- mine\nSELECT shop FROM payments';

async function typeInto(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL of query A' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.getByRole('tab', { name: 'Plan' }).click();
}

test('a trap starts the engine anew, says so, and keeps the text', async ({ page }) => {
  const mended = await failing(page, 'trap');
  await open(page);
  await typeInto(page, COMMENT);
  await page.keyboard.press('4');
  const banner = page.getByRole('alert');
  await expect(banner).toContainText('started anew');
  const editor = page.getByRole('textbox', { name: 'SQL of query A' });
  await expect(editor).toContainText('-- mine');
  await mended();
  await banner.getByRole('button', { name: 'Run again' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('tabpanel')).toContainText('upsert-kafka');
  await expect(editor).toContainText('-- mine');
});

test('an answer that does not come is given up at the limit of time', async ({ page }) => {
  await page.clock.install();
  const mended = await failing(page, 'loop');
  await open(page);
  await page.keyboard.press('4');
  await page.clock.runFor(1000);
  await page.clock.fastForward(31_000);
  const banner = page.getByRole('alert');
  await expect(banner).toContainText('more than 30 s');
  await mended();
  await banner.getByRole('button', { name: 'Reset to the last working state' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('upsert-kafka');
});

test('a query that makes too many rows stops at a limit that is named', async ({ page }) => {
  await open(page);
  const many = 'SELECT a.shop FROM payments a, payments b, payments c, payments d, payments e';
  await typeInto(page, many);
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByRole('alert')).toContainText('more than 50000 changes', {
      timeout: 1000,
    });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByRole('textbox', { name: 'SQL of query A' })).toContainText('payments e');
});
