module.exports = require('../../jest.base.js').node({
  globalSetup: '<rootDir>/../../server/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/../../server/test/support/global-teardown.ts',
  testEnvironment: '<rootDir>/../../server/test/support/pglite-environment.js',
});
