const { mkdtempSync, rmSync, chmodSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** Gives each test file a temporary folder, which is removed with its content after the file, also when a test fails. */
module.exports = class NodeEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.before = process.env.TMPDIR;
    this.folder = mkdtempSync(path.join(os.tmpdir(), 't-'));
    // PostgreSQL runs as another user when root starts it, and that user needs access.
    chmodSync(this.folder, 0o755);
    // Node's own modules read the variable of the process, and programs that a test starts get the test's.
    process.env.TMPDIR = this.folder;
    this.global.process.env.TMPDIR = this.folder;
  }

  async teardown() {
    if (this.before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.before;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    await super.teardown();
  }
};
