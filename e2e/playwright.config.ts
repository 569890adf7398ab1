import { defineConfig } from '@playwright/test';
import { browserFlags, chromiumPath } from './src/browser';

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.test.ts',
  globalSetup: './src/global-setup.ts',
  outputDir: 'test-results',
  // Two more than CI has cores: a test waits for a good part of its time.
  workers: 4,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  expect: { timeout: 10_000, toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 60 } },
  snapshotPathTemplate: 'pictures/{arg}{ext}',
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME || 'test-results/results.json' }],
  ],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromiumPath(), args: browserFlags },
  },
});
