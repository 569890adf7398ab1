const path = require('node:path');
const { mapper } = require('./scripts/jest/third-party');

/**
 * The jest configuration of every workspace. A workspace's jest.config.js is `module.exports = require('../jest.base.js').node()` or `.browser()`.
 * SWC compiles TypeScript to CommonJS; packages that ship ES modules only, or call `import()`, are compiled too.
 */
const esmOnly = ['hucre', 'jose', '@opentelemetry/otlp-exporter-base'];
/** The platform's packages are sources, also when they are installed from a registry. */
const compiled = [...esmOnly, '@shop', '@platform'];
exports.compiled = compiled;
/** For hangs only. CI shares its machine, and everything takes many times as long there. */
const testTimeout = process.env.CI ? 300_000 : 30_000;
exports.testTimeout = testTimeout;
const swc = (react) => [
  require.resolve('@swc/jest'),
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true },
      transform: react ? { react: { runtime: 'automatic' } } : undefined,
    },
    module: { type: 'commonjs' },
  },
];
const common = (react) => ({
  globalSetup: require.resolve('./scripts/jest/global-setup.js'),
  transform: { '^.+\\.(m?[jt]sx?)$': swc(react) },
  transformIgnorePatterns: [`/node_modules/(?!(${compiled.join('|')})/)`],
  moduleNameMapper: {
    '\\.(css)$': require.resolve('./scripts/jest/empty-module.js'),
    ...(react && mapper),
  },
  cacheDirectory: path.resolve(require.resolve('jest/package.json'), '../../.cache/jest'),
  testTimeout,
  testMatch: ['<rootDir>/**/*.test.ts', '<rootDir>/**/*.test.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/'],
});
exports.node = (extra = {}) => ({
  ...common(false),
  testEnvironment: require.resolve('./scripts/jest/node-environment.js'),
  testRunner: require.resolve('./scripts/jest/share-packages.js'),
  ...extra,
});
exports.browser = (extra = {}) => ({
  ...common(true),
  testEnvironment: require.resolve('./scripts/jest/browser-environment.js'),
  setupFilesAfterEnv: [require.resolve('./scripts/jest/browser-setup.ts')],
  ...extra,
});
