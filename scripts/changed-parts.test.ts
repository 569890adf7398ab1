import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { changedSinceMain, partsOf } from './changed-parts.mjs';

it.each<[string, string[], string[]]>([
  ['a document', ['docs/performance.md'], ['check', 'units']],
  ['README.md', ['README.md'], ['check', 'units']],
  ['CONTRIBUTING.md', ['CONTRIBUTING.md'], ['check', 'units']],
  ["a package's README.md", ['shared/README.md'], ['check', 'units']],
  ['the document that is compared with the code', ['docs/product.md'], ['check', 'units', 'server']],
  ['a page of a remote', ['mfe-orders/src/order/order-page.tsx'], ['check', 'units', 'releases', 'e2e']],
  [
    'a domain of the server',
    ['server/src/orders/place-order.service.ts'],
    ['check', 'units', 'releases', 'server', 'e2e'],
  ],
  ['seed data', ['server/seed/goods.json'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['a page of the console', ['backoffice/console/src/app.tsx'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['the release contract', ['platform/releases/src/contract/map.ts'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['an end-to-end test', ['e2e/src/pages.test.ts'], ['check', 'e2e']],
  ['a measurement', ['bench/src/load.ts'], ['check']],
  ['the lockfile', ['package-lock.json'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['a manifest', ['deploy/kubernetes/shop.yaml'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['a workflow', ['.github/workflows/ci.yml'], ['check', 'units', 'releases', 'server', 'e2e']],
  ['nothing', [], []],
])('a change of %s runs the affected parts', (_, files, expected) => {
  expect(partsOf(files)).toEqual(expected);
});

describe('changes since main', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'changed-parts-'));
    git('init', '-q', '-b', 'main');
    write('shared/src/money.ts');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'branch');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  const write = (file: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    appendFileSync(path.join(folder, file), 'text');
  };
  const changed = () => changedSinceMain(folder);

  it('changedSinceMain returns committed, uncommitted and new files', () => {
    const main = git('rev-parse', 'main').toString().trim();
    expect(changed()).toEqual({ since: main, files: [], modules: true });
    write('shell/src/main.ts');
    git('add', '.');
    git('commit', '-qm', 'two');
    write('shared/src/money.ts');
    write('mfe-orders/src/new.tsx');
    const files = ['shared/src/money.ts', 'shell/src/main.ts', 'mfe-orders/src/new.tsx'];
    expect(changed()).toEqual({ since: main, files, modules: true });
  });

  it.each([
    ['mfe-orders/src/order.css', true],
    ['docs/performance.md', false],
    ['mfe-orders/remote.json', false],
    ['server/src/platform/db/functions/pay.sql', false],
    ['scripts/jest/setup.js', false],
    ['jest.base.js', false],
  ])('a change of %s lets jest select the tests: %s', (file, expected) => {
    write(file);
    expect(changed().modules).toBe(expected);
  });
});
