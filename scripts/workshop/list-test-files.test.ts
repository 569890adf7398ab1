import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const list = require('./list-test-files.cjs') as (this: object) => string;

it('lists the tests that draw a page or a part, and is written again when one comes or goes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mfe-gifts-'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const renderPage = "import {\n  failWith,\n  renderPage,\n} from '@shop/shared/testing';\n";
  write('src/gift/gift-page.test.tsx', renderPage);
  write('src/gift/bow.test.tsx', "import { render, screen } from '@testing-library/react';\n");
  write('src/gift/gift.test.ts', renderPage);
  write('src/gift/hook.test.tsx', "import { renderHook } from '@testing-library/react';\n");
  write('src/gift/use-gift.test.tsx', "import { render } from '@testing-library/react';\n");
  write('src/forms.failure-modes.test.tsx', renderPage);
  write('remote.json', JSON.stringify({ routes: [{ page: './gift', path: '/gifts/:id', title: 'Gift' }] }));
  const addContextDependency = jest.fn();
  const addDependency = jest.fn();
  const written = list.call({ getOptions: () => ({ directories: [folder] }), addContextDependency, addDependency });
  rmSync(folder, { recursive: true });
  const name = path.basename(folder);
  expect([...written.matchAll(/id: "([^"]+)"/g)].map(([, id]) => id)).toEqual([
    `${name}/gift/bow`,
    `${name}/gift/gift-page`,
  ]);
  expect(written).toContain(JSON.stringify(path.join(folder, 'src/gift/gift-page.test.tsx')));
  expect(written).toContain('routes = [{"page":"./gift","path":"/gifts/:id"}]');
  expect(addContextDependency).toHaveBeenCalledWith(path.join(folder, 'src'));
  expect(addDependency).toHaveBeenCalledWith(path.join(folder, 'remote.json'));
});
