import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

/** Opens the playground and waits for the first complete replay. */
async function open(page: Page, address = ''): Promise<void> {
  await page.goto(`index.html${address}`);
  await expect(page.getByText(/^event \d+ of \d+$|^第 .* 条$/)).toBeVisible();
  await expect(page.getByRole('slider', { name: /Playhead|播放头/ })).toBeAttached();
  await expect(page.getByText(/append-only|仅追加/).first()).toBeVisible();
}

/** Steps until an event has arrived. */
async function stepTo(page: Page, event: number): Promise<void> {
  await page.getByRole('button', { name: 'To start' }).click();
  for (let at = 0; at < event; at++) await page.keyboard.press('ArrowRight');
  await expect(page.getByText(`event ${event} of`)).toBeVisible();
}

test.describe('the playground', () => {
  test('plays both queries over one stream, step by step', async ({ page }) => {
    await open(page);
    await stepTo(page, 15);
    const a = page.getByRole('region', { name: 'Query A' });
    const b = page.getByRole('region', { name: 'Query B' });
    await expect(a.getByRole('log')).toContainText('+I');
    await expect(b.getByRole('log')).toContainText('+U');
    await expect(b.getByRole('log')).toContainText('95');
    await expect(page.getByRole('heading', { name: /dropped/i })).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText('event 14 of')).toBeVisible();
    await expect(b.getByRole('log')).not.toContainText('95');
  });

  test('explains, bills and shows the plan', async ({ page }) => {
    await open(page);
    await stepTo(page, 20);
    await page.keyboard.press('2');
    await expect(page.getByRole('tabpanel')).toContainText('never freed');
    await page.keyboard.press('3');
    await expect(page.getByRole('tabpanel')).toContainText('GroupAggregate');
    await page.keyboard.press('1');
    await expect(page.getByRole('tabpanel')).toContainText('has not fired');
  });

  test('shows what sinks make of the changes, and takes it back', async ({ page }) => {
    await open(page);
    await stepTo(page, 15);
    await page.keyboard.press('4');
    const panel = page.getByRole('tabpanel');
    const upserts = panel.getByRole('group').filter({ hasText: 'upsert-kafka' }).last();
    await expect(upserts).toContainText('15 messages');
    await page.keyboard.press('ArrowLeft');
    await expect(upserts).toContainText('14 messages');
    await expect(panel.getByText('refused')).toHaveCount(2);
  });

  test('shows a result in its three encodings', async ({ page }) => {
    await open(page);
    await stepTo(page, 15);
    const b = page.getByRole('region', { name: 'Query B' });
    await b.getByRole('button', { name: 'retract' }).click();
    const streams = b.getByRole('group', { name: 'append, a retract and an upsert' });
    await expect(streams).toContainText("doesn't support consuming update changes");
    await expect(streams).toContainText('→');
    await b.getByRole('button', { name: 'Close' }).click();
    await expect(b.getByRole('log')).toBeVisible();
  });

  test('a larger bound keeps the late payment', async ({ page }) => {
    await open(page);
    await stepTo(page, 20);
    const literal = page.getByRole('slider', { name: 'out-of-orderness', exact: true }).first();
    await literal.focus();
    await page.keyboard.press('Shift+ArrowUp');
    await expect(literal).toHaveAttribute('aria-valuenow', '30');
    await expect(page.getByRole('heading', { name: /dropped/i })).toHaveCount(0);
    await page.getByRole('button', { name: 'Back to the original replay' }).click();
    await expect(page.getByRole('heading', { name: /dropped/i })).toBeVisible();
  });

  test('says what an inserted event would do before it is inserted', async ({ page }) => {
    await open(page);
    await stepTo(page, 15);
    await page.keyboard.press('i');
    const form = page.getByRole('dialog');
    await expect(form).toContainText('drops it');
    await expect(form).toContainText('rewrites the row');
    await form.getByRole('button', { name: 'Insert here' }).click();
    await expect(page.getByText('event 16 of 30')).toBeVisible();
  });

  test('a mistake is told at its place, and the text stays', async ({ page }) => {
    await open(page);
    const editor = page.getByRole('textbox', { name: 'SQL of query A' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('SELECT amout FROM payments');
    const lane = page.getByRole('region', { name: 'Query A' });
    await expect(lane.getByRole('status').filter({ hasText: 'amout' })).toBeVisible();
    await expect(editor).toContainText('SELECT amout FROM payments');
  });

  test('a link carries the whole replay', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page);
    await stepTo(page, 12);
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page).toHaveURL(/#A/);
    await page.reload();
    await expect(page.getByText('event 12 of')).toBeVisible();
    await expect(
      page.getByRole('radiogroup', { name: 'Windows of query' }).getByRole('radio', { name: 'B' }),
    ).toBeChecked();
  });

  test('speaks Chinese from the first string on', async ({ page }) => {
    await open(page, '?lang=zh');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByRole('group', { name: '时间线' })).toBeVisible();
    const spoken = await page.locator('body').ariaSnapshot();
    for (const english of ['Timeline', 'State budget', 'Share', 'Step', 'Query A', 'event ']) {
      expect(spoken).not.toContain(english);
    }
  });

  test('every region is reached by keyboard alone', async ({ page }) => {
    await open(page);
    const seen = new Set<string>();
    for (let at = 0; at < 8; at++) {
      await page.keyboard.press('F6');
      seen.add(
        await page.evaluate(
          () => document.querySelector('sg-playground')?.shadowRoot?.activeElement?.localName ?? '',
        ),
      );
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'sg-top-bar',
        'sg-lane',
        'sg-stage',
        'sg-side-panel',
        'sg-transport',
      ]),
    );
  });
});

for (const [name, address, size] of [
  ['wide, light', '?p=19.72&theme=light', { width: 1440, height: 900 }],
  [
    'wide, dark, Chinese, state',
    '?p=19.72&theme=dark&lang=zh&tab=state',
    { width: 1440, height: 900 },
  ],
  ['tablet', '?p=19.72', { width: 1024, height: 768 }],
  ['phone', '?p=19.72', { width: 390, height: 844 }],
  ['phone, explanations, dark', '?p=19.72&view=side&theme=dark', { width: 390, height: 844 }],
] as const) {
  test(`axe finds nothing: ${name}`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto(`index.html${address}`);
    await expect(page.getByText(/^event \d+ of \d+$|^第 .* 条$/)).toBeVisible();
    await page.waitForTimeout(600);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
      .analyze();
    expect(violations.map((each) => `${each.id}: ${each.nodes[0]?.html}`)).toEqual([]);
  });
}
