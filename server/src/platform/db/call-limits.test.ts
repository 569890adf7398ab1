import fs from 'node:fs';
import path from 'node:path';
import { type CallKind, callKinds, defaultLimits } from './call-limits';

const labels: Record<CallKind, string> = {
  read: 'read (GET calls, previews)',
  write: 'write, and sessions',
  notice: 'payment notice',
  job: 'job',
  staff: 'start, commands',
  health: '`/healthz`',
};

it('the limits are those in docs/operating.md', () => {
  const document = fs.readFileSync(path.join(__dirname, '../../../../docs/operating.md'), 'utf8');
  for (const kind of callKinds) {
    const { statementMs, lockMs, idleMs, waitMs, waiting, connections } = defaultLimits[kind];
    const seconds = [statementMs, lockMs, idleMs, waitMs].map((ms) => ms / 1000);
    expect(document).toContain(`\n| ${[labels[kind], ...seconds, waiting, connections].join(' | ')} |\n`);
  }
  const connections = callKinds.reduce((sum, kind) => sum + defaultLimits[kind].connections, 0);
  expect(document).toContain(`at most ${connections} connections`);
});
