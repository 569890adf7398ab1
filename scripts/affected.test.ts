import { affectedBy } from './affected.mjs';

const shop = ['check', 'units', 'releases', 'e2e'];

it.each<[string, string, string[], string[]]>([
  ['a document', 'docs/performance.md', [], ['check', 'units']],
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
