const fs = require('node:fs');
const path = require('node:path');

/** Every workspace with jest tests. The end-to-end tests in e2e/ run with Playwright Test. */
module.exports = {
  projects: fs
    .readdirSync(__dirname)
    .filter((name) => name !== 'e2e' && fs.existsSync(path.join(__dirname, name, 'jest.config.js')))
    .map((name) => `<rootDir>/${name}`),
  testSequencer: require.resolve('./scripts/jest/longest-first.js'),
};
