import path from 'node:path';
import { project } from './project';

/** Each of these steps needs a phone that received a code, so an attacker cannot reach it cheaply from 200 networks. */
const OF_ACCOUNTS = ['sign-in', 'order', 'paid', 'code', 'recharge'];

it('a rule that can roll back a canary ends in a step that needs an account', () => {
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
