import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SHELL } from '@platform/releases';
import { directoryOf, presentNames } from '../project';
import { collectTests } from './collect-tests';
import { mockOf, spyOn } from './mocks';

/** What a file of tests finds. */
const scope = {} as typeof globalThis & { expect: jest.Expect };

it('runs a test with the hooks around it, by its whole name, and no other', async () => {
  const ran: string[] = [];
  const tests = await collectTests(async () => {
    scope.beforeEach(() => void ran.push('for all'));
    scope.it('stands alone', () => void ran.push('alone'));
    scope.describe('a list', () => {
      scope.beforeEach(() => void ran.push('of the list'));
      scope.it.each([
        ['one', 1],
        ['two', 2],
      ])('has %s of %d', (name) => void ran.push(name));
      scope.it.skip('is left out', () => void ran.push('skipped'));
    });
    scope.afterEach(() => void ran.push('after'));
  }, scope);
  expect(tests.map(({ name }) => name)).toEqual(['stands alone', 'a list · has one of 1', 'a list · has two of 2']);
  await tests[2]?.run();
  expect(ran).toEqual(['for all', 'of the list', 'two']);
});

it('fails with what the test throws', async () => {
  const [test] = await collectTests(async () => {
    scope.it('draws', () => {
      scope.expect(1).toBe(2);
      throw new Error('drawn');
    });
  }, scope);
  await expect(test?.run()).rejects.toThrow('drawn');
});

it('has the mocks that tests need before they draw', async () => {
  const call = mockOf(() => 'always').mockReturnValueOnce('once');
  expect([call(1), call(2)]).toEqual(['once', 'always']);
  expect(call.mock.calls).toEqual([[1], [2]]);
  await expect(mockOf().mockResolvedValue('later')()).resolves.toBe('later');
  const clock = { now: () => 7, isOn: true };
  const spy = spyOn(clock, 'now');
  expect(clock.now()).toBe(7);
  spy.mockImplementation(() => 8);
  expect(clock.now()).toBe(8);
  spy.mockRestore();
  expect(clock.now()).toBe(7);
  spyOn(clock, 'isOn', 'get').mockReturnValue(false);
  expect(clock.isOn).toBe(false);
});

it.each(presentNames().filter((name) => name !== SHELL))('each page of %s is drawn by a test', (name) => {
  const directory = directoryOf(name);
  const { routes } = JSON.parse(readFileSync(path.join(directory, 'remote.json'), 'utf8')) as {
    routes: Array<{ module: string }>;
  };
  const sources = path.join(directory, 'src');
  const drawn = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.tsx'))
    .flatMap((file) => {
      const text = readFileSync(path.join(sources, file), 'utf8');
      const imports = text.includes('renderPage') ? [...text.matchAll(/ from '(\.[^']+)'/g)] : [];
      return imports.map(([, to = '']) => path.join(sources, path.dirname(file), to));
    });
  const pages = routes.map(({ module }) => path.join(directory, module).replace(/\.tsx$/, ''));
  expect(pages.filter((page) => !drawn.includes(page))).toEqual([]);
});
