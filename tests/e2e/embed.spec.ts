import { expect, test } from '@playwright/test';

test.describe('<stream-glass>', () => {
  test('runs in an article, up to the position that the page asks for', async ({ page }) => {
    await page.goto('embed.html');
    const embed = page.locator('stream-glass').first();
    await expect(embed.getByText(/^event \d+ of 2\d$/)).toBeVisible();
    await expect(embed).toContainText('dropped');
    await expect(embed.getByRole('log')).toContainText('+I');
    await embed
      .getByRole('button', { name: 'B', exact: true })
      .or(embed.getByRole('radio', { name: 'B' }))
      .click();
    await expect(embed.getByRole('log')).toContainText('+U');
  });

  test('shows the events before the engine is there', async ({ page }) => {
    await page.route('**/*.wasm', () => undefined);
    await page.goto('embed.html');
    const embed = page.locator('stream-glass').first();
    await expect(embed.getByRole('group', { name: 'Timeline' })).toBeVisible();
    await expect(embed).toContainText('TUMBLE');
  });

  test('says why there is nothing to see', async ({ page }) => {
    await page.route('**/scenarios/payments.json', (route) => route.fulfill({ status: 404 }));
    await page.goto('embed.html');
    await expect(page.locator('stream-glass').first().getByRole('alert')).toContainText('404');
  });

  test('works in a frame without an origin of its own', async ({ page, baseURL }) => {
    await page.route('**/host.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe title="embed" sandbox="allow-scripts" width="800" height="700" src="${baseURL}/embed.html"></iframe>`,
      }),
    );
    await page.goto('host.html');
    const embed = page.frameLocator('iframe').locator('stream-glass').first();
    await expect(embed.getByText(/^event \d+ of 2\d$/)).toBeVisible();
    await expect(embed.getByRole('log')).toContainText('+I');
  });
});
