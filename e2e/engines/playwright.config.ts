import { defineConfig } from '@playwright/test';

/** Playwright runs the tests and reports; it does not drive these browsers. */
export default defineConfig<object, { engine: 'firefox' | 'webkit' }>({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../test-results/engines',
  // One browser and one shop at a time.
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  // Limits are for hangs only.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  projects: [
    { name: 'firefox', use: { engine: 'firefox' } },
    { name: 'webkit', use: { engine: 'webkit' } },
  ],
});
