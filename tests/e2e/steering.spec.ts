import { expect, type Page, test } from '@playwright/test';

/** Without motion every step is there at once. */
test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function open(page: Page, address = ''): Promise<void> {
  await page.goto(`index.html${address}`);
  await expect(page.getByText(/^event \d+ of \d+$/)).toBeVisible();
  await expect(page.getByText(/append-only/).first()).toBeVisible();
}

async function stepTo(page: Page, event: number): Promise<void> {
  await page.getByRole('button', { name: 'To start' }).click();
  for (let at = 0; at < event; at++) await page.keyboard.press('ArrowRight');
  await expect(page.getByText(`event ${event} of`)).toBeVisible();
}

test.describe('steering a replay', () => {
  test('marking the silent partition idle lets the window fire', async ({ page }) => {
    await open(page);
    await stepTo(page, 20);
    const log = page.getByRole('region', { name: 'Query A' }).getByRole('log');
    await expect(log).not.toContainText('53');
    await page.getByRole('button', { name: /Mark p2 idle/ }).click();
    await expect(log).toContainText('53');
  });

  test('an event is moved by keyboard, and a late one that comes earlier is kept', async ({
    page,
  }) => {
    await open(page);
    await stepTo(page, 20);
    await expect(page.getByRole('heading', { name: /dropped/i })).toBeVisible();
    const late = page.getByRole('button', { name: /^tea 50 / });
    await late.focus();
    for (let at = 0; at < 6; at++) await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('heading', { name: /dropped/i })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Query A' }).getByRole('log')).toContainText(
      '95',
    );
  });

  test('a real stream with real lateness plays to its end', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: /Payments per shop/ }).click();
    await page.getByRole('option', { name: /Flights/ }).click();
    await expect(page.getByText(/^event \d+ of 685$/)).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByText('event 685 of 685')).toBeVisible();
    await expect(page.getByText('50 rows')).toBeVisible();
  });

  test('ten thousand generated events can be jumped over', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: /Payments per shop/ }).click();
    await page.getByRole('option', { name: /Generated/ }).click();
    await expect(page.getByText(/^event [\d\s,]+ of 10.?000$/)).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByText(/^event 10.?000 of 10.?000$/)).toBeVisible();
    await page.keyboard.press('Home');
    await expect(page.getByText(/^event 0 of 10.?000$/)).toBeVisible();
  });
});
