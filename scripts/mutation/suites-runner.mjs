import { createRequire } from 'node:module';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import 'tsx';

const require = createRequire(import.meta.url);
const { durationOf, Suites } = require('./suites.ts');
const { dropTestDatabases } = require('./databases.ts');

/** A runner of tests for Stryker: those that MUTATION_TESTS lists, all in one process. */
class SuitesRunner {
  runner = new Suites();
  suites = [];
  /** What the changed program reads and counts. */
  program = {};
  /** Killed the mutant before, and so is likely to kill the next one, which is near it. */
  lastFailed;

  capabilities = () => ({ reloadEnvironment: false });

  async init() {
    process.env.NODE_ENV = 'test';
    globalThis.__stryker__ = this.program;
    this.suites = process.env.MUTATION_TESTS.split(',').flatMap((file) => this.runner.load(file));
  }

  async dryRun() {
    const tests = [];
    for (const suite of this.suites) {
      const onTest = (name) => {
        this.program.currentTestId = idOf(suite, name);
      };
      const result = await this.run(suite, { onTest });
      if (result.failure) return { status: 'error', errorMessage: `${result.failure.test}: ${result.failure.message}` };
      suite.tests = new Map(result.tests.map(({ name, ms }) => [name, ms]));
      for (const { name, ms } of result.tests)
        tests.push({ id: idOf(suite, name), name: idOf(suite, name), timeSpentMs: ms, status: 0 });
    }
    return { status: 'complete', tests, mutantCoverage: this.program.mutantCoverage };
  }

  /**
   * Quick suites first. What fails must fail twice, and pass without the mutant: what one mutant leaves behind must not let the next
   * one seem killed. Where it does not pass, Stryker tries the mutant once more in a new process.
   */
  async mutantRun({ activeMutant, testFilter = [], hitLimit }) {
    if (this.suites.some(({ tests }) => tests.size === 0)) await this.dryRun();
    this.program.activeMutant = activeMutant.id;
    Object.assign(this.program, { hitCount: hitLimit && 0, hitLimit });
    const isWanted = (suite) => testFilter.some((id) => id.startsWith(idOf(suite, '')));
    const rank = (suite) => (suite === this.lastFailed ? -1 : durationOf(suite));
    let nrOfTests = 0;
    try {
      for (const suite of this.suites.filter(isWanted).sort((a, b) => rank(a) - rank(b))) {
        const last = [...suite.tests.keys()].findLast((name) => testFilter.includes(idOf(suite, name)));
        const { tests, failure } = await this.run(suite, { last });
        nrOfTests += tests.length;
        if (!failure) continue;
        // What the test before has left under way may fail here as well.
        const again = await this.run(suite, { last });
        if (!again.failure) continue;
        this.program.activeMutant = undefined;
        const without = await this.run(suite, { last: suite.tests.has(failure.test) ? failure.test : last });
        if (without.failure)
          throw new Error(`${without.failure.test} also fails without a mutant: ${without.failure.message}`);
        this.lastFailed = suite;
        return { status: 'killed', killedBy: [idOf(suite, failure.test)], failureMessage: failure.message, nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    } finally {
      this.program.activeMutant = undefined;
    }
  }

  async run(suite, options) {
    const result = await this.runner.run(suite, options);
    if (process.env.SHOP_TEST_POSTGRES) await dropTestDatabases();
    return result;
  }
}

const idOf = (suite, test) => `${suite.name} > ${test}`;

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'suites', SuitesRunner)];
