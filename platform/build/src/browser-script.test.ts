import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { browserScript } from './browser-script';

const folder = path.join(__dirname, '.data/browser-script');
beforeEach(() => mkdirSync(folder, { recursive: true }));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

it('browserScript compiles an entry and its imports into one script, again after a change of either', () => {
  write(
    'main.ts',
    "import { one } from './one';\ndeclare let answer: { value?: number };\nanswer.value = one as number;\nanswer;\n",
  );
  write('one.ts', 'export const one: number = 1;\n');
  const entry = path.join(folder, 'main.ts');
  const context: { answer: { value?: number } } = { answer: {} };
  vm.runInNewContext(browserScript(entry), context);
  expect(context.answer.value).toBe(1);
  const unchanged = browserScript(entry);
  write('one.ts', 'export const one: number = 2;\n');
  expect(browserScript(entry)).not.toBe(unchanged);
  vm.runInNewContext(browserScript(entry), context);
  expect(context.answer.value).toBe(2);
});

it('browserScript reports the fault of a source that cannot be compiled', () => {
  write('main.ts', "import './missing';\n");
  expect(() => browserScript(path.join(folder, 'main.ts'))).toThrow(/missing/);
});
