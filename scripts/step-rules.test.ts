import path from 'node:path';
import { project } from './project';

/** Each takes a phone that has got a code, so that it cannot be reached from 200 networks for nothing. */
const OF_ACCOUNTS = ['sign-in', 'order', 'paid', 'code', 'recharge'];

it('a rule that can take a canary back ends in a step that takes an account', () => {
  const remotes = Object.entries(project.folders).filter(([name]) => name !== 'shell');
  const rules = remotes.flatMap(([, folder]) => {
    const { steps = [] } = require(path.join(__dirname, '..', folder, 'remote.json')) as {
      steps?: Array<{ from: string; to: string; dryRun?: boolean }>;
    };
    return steps.filter(({ dryRun }) => !dryRun);
  });
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(({ to }) => !OF_ACCOUNTS.includes(to))).toEqual([]);
});
