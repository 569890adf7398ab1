const { TestEnvironment } = require('jest-environment-node');
const { keepCompiledCode } = require('../jest/code-cache');

/** Skips the tests of a file after the first that fails: one is enough to kill a mutant. */
module.exports = class extends TestEnvironment {
  hasFailed = false;

  async handleTestEvent(event) {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
    if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
  }

  async teardown() {
    keepCompiledCode();
    await super.teardown();
  }
};
