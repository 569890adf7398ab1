const { mkdtempSync, rmSync, chmodSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Runs the test files of a worker in the worker's own global scope, which share-packages.js needs, and restores the scope, the
 * environment variables and the spies after each file. Each file also has a temporary folder, which is removed with its content,
 * also when a test fails.
 */
module.exports = class NodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.before = [globalThis, process.env].map((scope) => [scope, Object.getOwnPropertyDescriptors(scope)]);
    // Jest replaces both for each file.
    const { exit, getBuiltinModule } = process;
    this.ofProcess = { exit, ...(getBuiltinModule && { getBuiltinModule }) };
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global: globalThis });
  }

  async setup() {
    await super.setup();
    this.folder = mkdtempSync(path.join(os.tmpdir(), 't-'));
    // PostgreSQL runs as another user when root starts it, and that user needs access.
    chmodSync(this.folder, 0o755);
    process.env.TMPDIR = this.folder;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    Object.assign(process, this.ofProcess);
    for (const [scope, descriptors] of this.before) restore(scope, descriptors);
    this.global = null;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

function restore(scope, before) {
  for (const key of new Set([...Reflect.ownKeys(scope), ...Reflect.ownKeys(before)])) {
    const now = Object.getOwnPropertyDescriptor(scope, key);
    if (!before[key]) Reflect.deleteProperty(scope, key);
    else if (now?.value !== before[key].value || now?.get !== before[key].get)
      Reflect.defineProperty(scope, key, before[key]);
  }
}
