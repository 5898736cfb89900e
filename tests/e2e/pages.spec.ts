import { expect, test } from '@playwright/test';

for (const page of ['index.html', 'embed.html']) {
  test(`${page} is served with the strict policy`, async ({ request }) => {
    const response = await request.get(page);
    expect(response.status()).toBe(200);
    const policy = response.headers()['content-security-policy'];
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("connect-src 'self'");
  });

  test(`${page} asks no other origin for anything`, async ({ page: tab, baseURL }) => {
    const foreign: string[] = [];
    tab.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${baseURL}/`) && !/^(data|blob):/.test(url)) foreign.push(url);
    });
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    await tab.goto(page, { waitUntil: 'networkidle' });
    expect(foreign).toEqual([]);
    expect(errors).toEqual([]);
  });
}
