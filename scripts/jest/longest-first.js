const TestSequencer = require('@jest/test-sequencer').default;

/**
 * Files that take many times as long as others of their size, longest first. A fresh clone knows no durations: by size alone, one of
 * these would start last and run on while the other workers have nothing left to do.
 */
const long = [
  'scripts/release/browser-gate.test.ts',
  'scripts/release/browser-gate-visits.test.ts',
  'scripts/release/processes.test.ts',
  'scripts/build.test.ts',
  'platform/releases/src/store/s3-blobs.test.ts',
  'server/soak/soak.test.ts',
  'server/test/security/abuse.test.ts',
  'server/src/platform/crypto/keys.test.ts',
  'server/src/platform/db/overload.test.ts',
  'server/src/health/watcher.test.ts',
  'server/src/platform/response-cache/response-cache.test.ts',
  'server/src/providers/payments.test.ts',
  'server/src/health/attack.test.ts',
  'server/src/start.test.ts',
  'backoffice/api/src/cli/cli.test.ts',
  'server/src/metadata/documents-for-crawlers.test.ts',
  'server/src/cli/backup.test.ts',
];
const rankOf = ({ path }) => {
  const found = long.findIndex((file) => path.replaceAll('\\', '/').endsWith(`/${file}`));
  return found < 0 ? long.length : found;
};

module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return tests.some((test) => test.duration)
      ? sorted
      : [...sorted].sort((left, right) => rankOf(left) - rankOf(right));
  }
};
