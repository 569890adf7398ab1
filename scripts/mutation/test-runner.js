const TestRunner = require('jest-runner').default;

/** By path, from the run of all tests that Stryker begins with: names of the file's tests, and how long it took. */
const known = new Map();
/** Killed the mutant before, and so is likely to kill the next one, which is near it. */
let lastFailed = '';

/**
 * Runs the files that have tests of the wanted names, likely and quick ones first, and stops at the first that fails. Stryker knows the
 * tests that reach a mutant, but jest would load every file for it, and run all of them when the first has failed.
 */
module.exports = class extends TestRunner {
  async runTests(tests, watcher, options) {
    const pattern = this._globalConfig.testNamePattern;
    const isWanted = ({ path }) =>
      !pattern || !known.has(path) || known.get(path).names.some((name) => new RegExp(pattern, 'i').test(name));
    const rank = ({ path }) => (path === lastFailed ? -1 : (known.get(path)?.duration ?? 0));
    let hasFailed = false;
    const note = (path, isFailure) => {
      if (!isFailure) return;
      hasFailed = true;
      lastFailed = path;
    };
    this.on('test-file-success', ([{ path }, { numFailingTests, perfStats, testResults }]) => {
      note(path, numFailingTests > 0);
      if (!pattern) known.set(path, { names: testResults.map((one) => one.fullName), duration: perfStats.runtime });
    });
    this.on('test-file-failure', ([{ path }]) => note(path, true));
    for (const test of tests.filter(isWanted).sort((a, b) => rank(a) - rank(b))) {
      if (hasFailed) return;
      await super.runTests([test], watcher, options);
    }
  }
};
