/**
 * `npm run mutation -- --mutate …` or, in the nightly workflow, `PART=map npm run mutation`. The tests that jest finds related to a mutated file run for it,
 * of the server only those of the part and of the invariants.
 * Workspaces are links in node_modules, so a copy of the repository would test the code that is not mutated: Stryker changes the files in place.
 */
const releases = 'platform/releases/src';
const parts = {
  map: [`${releases}/map/*.ts`],
  gate: [`${releases}/gate/*.ts`],
  identity: [`${releases}/identity/*.ts`],
  orders: ['server/src/orders/*.ts'],
  payments: ['server/src/payments/*.ts', '!server/src/payments/refund-*.ts'],
  wallet: ['server/src/wallet/**/*.ts'],
  refunds: ['server/src/payments/refund-*.ts'],
};
const part = process.env.PART ?? 'map';
if (!parts[part]) throw new Error(`PART=${part} is not one of ${Object.keys(parts).join(', ')}`);

const isServer = parts[part][0].startsWith('server');
/** Nearly every test of the server is related to each of its files, and a mutant cannot run them all. */
const testMatch = [
  `**/${parts[part][0].split('/').slice(0, 3).join('/')}/**/*.test.ts`,
  '**/server/test/invariants/invariants.test.ts',
];

export default {
  mutate: [...parts[part], '!**/*.test.ts', '!**/*.schemas.ts'],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    configFile: isServer ? 'server/jest.config.js' : 'platform/releases/jest.config.js',
    config: isServer ? { testMatch } : {},
  },
  // The test environments are the project's, which report no coverage by test.
  coverageAnalysis: 'off',
  inPlace: true,
  dryRunTimeoutMinutes: 20,
  checkers: [],
  reporters: ['clear-text', 'html'],
  thresholds: { high: 95, low: 90, break: 85 },
};
