import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE_HEADERS } from '../../web/csp.ts';

test('static hosts are told the same headers as the preview server sends', () => {
  const told = readFileSync(new URL('../../static/_headers', import.meta.url), 'utf8');
  for (const [name, value] of Object.entries(PAGE_HEADERS)) {
    expect(told).toContain(`${name}: ${value}`);
  }
});
