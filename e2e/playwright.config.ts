import { defineConfig } from '@playwright/test';
import { browserFlags, chromiumPath } from './src/browser';

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.test.ts',
  globalSetup: './src/global-setup.ts',
  outputDir: 'test-results',
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
    // Without its film, which takes a good part of a core where the browser draws without a GPU.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: browserFlags },
  },
});
