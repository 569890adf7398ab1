/** The flows and the step rules that the remotes of this repository declare. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFlows } from '@platform/build/build-release';
import { flowFaults, type RemoteContract } from '@platform/releases';
import { scratch } from '@platform/releases/testing';
import { directoryOf, project } from './project';

const { shell: _, ...remotes } = project.folders;
const contractOf = (name: string): RemoteContract => require(path.join(directoryOf(name), 'remote.json'));

it.each(Object.keys(project.folders))('readFlows returns the flows of %s, which name its own routes', (name) => {
  const routes = name === 'shell' ? null : contractOf(name).routes.map((route) => route.path);
  const flows = readFlows(directoryOf(name)) ?? [];
  expect(flows.length).toBeGreaterThan(0);
  expect(flowFaults(flows, routes)).toEqual([]);
});

it('readFlows returns no flows without a folder, and refuses a file that exports no list', async () => {
  const directory = await scratch();
  expect(readFlows(directory)).toBeUndefined();
  mkdirSync(path.join(directory, 'gate'));
  writeFileSync(path.join(directory, 'gate', 'empty.ts'), 'export const flows = [];\n');
  expect(() => readFlows(directory)).toThrow('must export a list of flows by default');
});

/** Each of these steps needs a phone that received a code, so an attacker cannot reach it cheaply from 200 networks. */
const OF_ACCOUNTS = ['sign-in', 'order', 'paid', 'code', 'recharge'];

it('a rule that can roll back a canary ends in a step that needs an account', () => {
  const rules = Object.keys(remotes).flatMap((name) => (contractOf(name).steps ?? []).filter(({ dryRun }) => !dryRun));
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(({ to }) => !OF_ACCOUNTS.includes(to))).toEqual([]);
});
