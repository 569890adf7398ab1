/**
 * Jest's runner for Node. Jest loads every module again for each test file, which takes as long as most tests. Here Node loads
 * the installed packages, once for each worker, in the global scope of node-environment.js. Jest still loads the modules of this
 * repository for each file, and the packages that `jest.mock` replaces.
 */
const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: runTests } = require('jest-circus/runner');
const { compiled } = require('../../jest.base.js');

const loadedByJest = new RegExp(`^(\\.|/|jest|expect$|@jest/|(${compiled.join('|')})(/|$))`);

module.exports = function runWithSharedPackages(globalConfig, config, environment, runtime, ...rest) {
  // A file can name jsdom as its environment.
  if (environment.global !== globalThis) return runTests(globalConfig, config, environment, runtime, ...rest);
  const { executor, mockState } = runtime;
  const load = runtime.requireModuleOrMock.bind(runtime);
  runtime.requireModuleOrMock = (from, name) =>
    loadedByJest.test(name) || isBuiltin(name) || mockState.shouldMockCjs(from, name).shouldMock
      ? load(from, name)
      : createRequire(from)(name);
  executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  return runTests(globalConfig, config, environment, runtime, ...rest);
};
