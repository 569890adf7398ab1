import { defineConfig } from '@playwright/test';
import { browserFlags, chromiumPath } from './src/browser';

/** They sign staff in, compare what staff see, or read pages that a release changes: one after another, in one shop. */
const inOrder = ['clicks', 'console-attack', 'release', 'rendered', 'staff', 'staff-pages'].map(
  (name) => `**/${name}.test.ts`,
);
/** Files that run at night; `npm test` names them. */
const leftOut = (process.env.TESTS_LEFT_OUT ?? '').split(' ').flatMap((file) => (file ? [`**/${file}`] : []));

export default defineConfig({
  testDir: 'src',
  globalSetup: './src/global-setup.ts',
  outputDir: 'test-results',
  projects: [
    { name: 'in order', testMatch: inOrder, testIgnore: leftOut, workers: 1, fullyParallel: false },
    { name: 'at once', testIgnore: [...inOrder, ...leftOut] },
  ],
  workers: '100%',
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Limits are for hangs only: on a busy machine everything takes several times as long.
  timeout: 300_000,
  expect: { timeout: 60_000, toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 60 } },
  snapshotPathTemplate: 'pictures/{arg}{ext}',
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME || 'test-results/results.json' }],
  ],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Without screenshots, which take a good part of a core if the browser renders without a GPU.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: browserFlags },
  },
});
