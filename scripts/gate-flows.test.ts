import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFlows } from '@platform/build/build-release';
import { flowFaults } from '@platform/releases';
import { scratch } from '@platform/releases/testing';
import { project } from './project';

const root = path.resolve(__dirname, '..');

it.each(Object.entries(project.folders))(
  'readFlows returns the flows of %s, which name its own routes',
  (name, workspace) => {
    const directory = path.join(root, workspace);
    const routes =
      name === 'shell'
        ? null
        : (require(path.join(directory, 'remote.json')) as { routes: Array<{ path: string }> }).routes.map(
            (one) => one.path,
          );
    const flows = readFlows(directory) ?? [];
    expect(flows.length).toBeGreaterThan(0);
    expect(flowFaults(flows, routes)).toEqual([]);
  },
);

it('readFlows returns no flows without a folder, and refuses a file that exports no list', async () => {
  const directory = await scratch();
  expect(readFlows(directory)).toBeUndefined();
  mkdirSync(path.join(directory, 'gate'));
  writeFileSync(path.join(directory, 'gate', 'empty.ts'), 'export const flows = [];\n');
  expect(() => readFlows(directory)).toThrow('must export a list of flows by default');
});
