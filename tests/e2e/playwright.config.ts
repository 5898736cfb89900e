import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Two checkouts on one machine must not test each other's pages, so the port follows from the path. */
function portOfCheckout(): number {
  let hash = 0;
  for (const char of ROOT) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return 20_000 + (hash % 10_000);
}

const port = Number(process.env['SG_E2E_PORT'] ?? portOfCheckout());
const origin = `http://127.0.0.1:${port}`;

/** The installed Chromium, or undefined for the one that Playwright downloads. */
function installedChromium(): string | undefined {
  const candidates = [process.env['SG_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

const executablePath = installedChromium();

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results',
  // Pictures do not depend on the operating system's name, only on the fonts that CONTRIBUTING.md lists.
  snapshotPathTemplate: '{testDir}/pictures/{testFileName}/{arg}{ext}',
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  workers: 2,
  // Two slow cores draw a few frames a second; no test says how fast something has to be.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '../../test-results/e2e.json' }]],
  use: {
    baseURL: origin,
    trace: 'retain-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--font-render-hinting=none',
      ],
    },
  },
  projects: [
    {
      name: 'chromium',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
  ],
  // Always the built site, so that what is tested is what is shipped.
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --config web/vite.config.ts --host 127.0.0.1 --port ${port} --strictPort`,
    cwd: ROOT,
    url: `${origin}/index.html`,
    reuseExistingServer: false,
    stdout: 'ignore',
  },
});
