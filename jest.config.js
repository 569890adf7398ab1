const fs = require('node:fs');
const path = require('node:path');
/** Every unit and server suite; the journeys in e2e/ need a browser and run apart (scripts/test.mjs). */
const all = [
  'shared',
  'shell',
  'mfe-catalog',
  'mfe-account',
  'mfe-orders',
  'mfe-content',
  'release',
  'document',
  'server',
  'scripts',
];
module.exports = {
  projects: all
    .filter((name) => fs.existsSync(path.join(__dirname, name, 'jest.config.js')))
    .map((name) => `<rootDir>/${name}`),
};
