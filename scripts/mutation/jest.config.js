const path = require('node:path');
const { node } = require('../../jest.base.js');

const root = path.resolve(__dirname, '../..');

/**
 * For Stryker, which runs it for every mutant: the tests that MUTATION_TESTS lists, without the set-up of the databases, which main.ts
 * makes once.
 */
module.exports = {
  ...node(),
  globalSetup: undefined,
  runner: path.join(__dirname, 'test-runner.js'),
  testEnvironment: path.join(__dirname, 'test-environment.js'),
  rootDir: root,
  roots: ['server', 'backoffice/api', 'platform', 'shared'].map((folder) => path.join(root, folder)),
  testMatch: (process.env.MUTATION_TESTS ?? '').split(',').map((file) => path.join(root, file)),
  testPathIgnorePatterns: ['/node_modules/'],
};
