const fs = require('node:fs');
const path = require('node:path');
const { testTimeout } = require('./jest.base.js');
const { workspacesIn } = require('./scripts/setup/workspaces.cjs');

/** Every workspace with jest tests. The end-to-end tests in e2e/ run with Playwright Test. */
module.exports = {
  // Jest reads it here where several workspaces run.
  testTimeout,
  projects: [...workspacesIn(__dirname), 'scripts']
    .filter((folder) => folder !== 'e2e' && fs.existsSync(path.join(__dirname, folder, 'jest.config.js')))
    .map((folder) => `<rootDir>/${folder}`),
};
