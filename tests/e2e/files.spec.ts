import { expect, type Page, test } from '@playwright/test';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

interface Dropped {
  readonly name: string;
  readonly kind: 'csv' | 'json';
  readonly rows: number;
}

/** Drops a generated file onto the page; gives its size. */
async function drop(page: Page, file: Dropped): Promise<number> {
  return page.evaluate(({ name, kind, rows }) => {
    const shops = ['tea', 'soup', 'bread', 'fruit'];
    const parts: string[] = kind === 'csv' ? ['shop,amount,sold_at,note\n'] : [];
    let lines: string[] = [];
    for (let row = 0; row < rows; row++) {
      const shop = shops[row % 4] ?? '';
      const at = new Date(1_704_067_200_000 + row * 10).toISOString();
      const stamp = at.replace('T', ' ').replace('Z', '');
      lines.push(
        kind === 'csv'
          ? `${shop},${row % 10},${stamp},"a note, of row ${row}"`
          : JSON.stringify({ shop, amount: row % 10, sold_at: stamp }),
      );
      if (lines.length === 10_000 || row + 1 === rows) {
        parts.push(`${lines.join('\n')}\n`);
        lines = [];
      }
    }
    const made = new File(parts, name);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(made);
    document.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    return made.size;
  }, file);
}

async function open(page: Page, address = ''): Promise<void> {
  await page.goto(`index.html${address}`);
  await expect(page.getByText(/append-only|仅追加/).first()).toBeVisible();
}

test.describe('a file dropped onto the page', () => {
  test('of tens of megabytes is stepped through at its beginning and run to its end', async ({
    page,
  }, info) => {
    test.setTimeout(240_000);
    await open(page);
    const size = await drop(page, { name: 'sales.csv', kind: 'csv', rows: 600_000 });
    expect(size).toBeGreaterThan(30_000_000);
    await expect(page.getByText(/^event \d+ of 1.?000$/)).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Reading sales.csv' })).toBeVisible();
    await page.screenshot({ path: info.outputPath('running.png') });
    await expect(page.getByText(/All 600.000 rows/)).toBeVisible({ timeout: 200_000 });
    const result = page.getByRole('region', { name: 'Result of query A over the whole file' });
    await expect(result.getByRole('row', { name: /^tea 150000 600000$/ })).toBeVisible();
    await expect(result.getByRole('row', { name: /^soup 150000 750000$/ })).toBeVisible();
    await page.screenshot({ path: info.outputPath('done.png') });
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/^event 1 of 1.?000$/)).toBeVisible();
  });

  test('of JSON lines, in Chinese; the run is stopped, and done again', async ({ page }, info) => {
    test.setTimeout(240_000);
    await open(page, '?lang=zh');
    await drop(page, { name: '销售.jsonl', kind: 'json', rows: 200_000 });
    await page.getByRole('button', { name: '停止' }).click();
    await expect(page.getByText(/已停止/)).toBeVisible();
    await page.getByRole('button', { name: '运行全部行' }).click();
    await expect(page.getByText(/全部 200.000 行/)).toBeVisible({ timeout: 200_000 });
    await page.screenshot({ path: info.outputPath('zh.png') });
    await page.getByRole('button', { name: '关闭' }).click();
    await expect(page.getByText(/全部 200.000 行/)).toHaveCount(0);
  });

  test('that holds no rows is refused', async ({ page }) => {
    await open(page);
    await drop(page, { name: 'empty.csv', kind: 'csv', rows: 0 });
    await expect(page.getByRole('alert')).toContainText('neither separated values');
  });
});
