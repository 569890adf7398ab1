const fs = require('node:fs');
const path = require('node:path');
const NodeEnvironment = require('../../../scripts/jest/node-environment.js');

/**
 * PGlite's machine code. V8 shares it between the threads of a process while one of them references it, so that the databases of
 * tests do not compile it again.
 */
const compiled = WebAssembly.compile(
  fs.readFileSync(path.join(path.dirname(require.resolve('@electric-sql/pglite')), 'pglite.wasm')),
);

module.exports = class PgliteEnvironment extends NodeEnvironment {
  async setup() {
    await super.setup();
    this.compiled = await compiled;
  }
};
