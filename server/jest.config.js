module.exports = require('../jest.base.js').node({
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testEnvironment: '<rootDir>/test/support/pglite-environment.js',
});
