import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { affectedBy, nightly } from './affected.mjs';

const shop = ['check', 'units', 'releases', 'e2e'];

it.each<[string, string, string[], string[]]>([
  ['a document', 'docs/performance.md', [], ['check', 'units']],
  ['a guide, which a journey follows', 'docs/guides/releasing.md', [], ['check', 'units', 'e2e']],
  ['a page of a remote', 'mfe-orders/src/order/order-page.tsx', ['mfe-orders'], shop],
  ['a script', 'scripts/build.ts', [], shop],
  ['a benchmark', 'bench/src/load.ts', ['bench'], ['check', 'units']],
  ['the server', 'server/src/app.ts', ['server', 'shared'], ['check', 'units', 'releases', 'server', 'e2e']],
])('a change of %s runs the affected parts', (_, file, dependents, parts) => {
  expect(affectedBy([file], dependents)).toMatchObject({ parts, workspaces: dependents });
});

it('a change of a README.md affects its own workspace only', () => {
  expect(affectedBy(['shared/README.md'], ['shared', 'shell'])).toMatchObject({ workspaces: ['shared'] });
});

it('a change of a folder runs its nightly tests, and no change runs nothing', () => {
  const { nightly } = affectedBy(['server/test/fuzz/hostile-request.ts'], ['server']);
  expect(nightly.map(({ tests }) => tests)).toContain('server/test/fuzz/');
  expect(affectedBy([], [])).toMatchObject({ parts: [], nightly: [] });
});

it('the list of nightly tests names tests and folders that exist', () => {
  const root = path.resolve(__dirname, '..');
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const names = nightly.flatMap(({ tests, folders }) => [tests, ...folders]);
  expect(names.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([]);
});
