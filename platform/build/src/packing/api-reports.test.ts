import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EntryPoint, refusal } from './api-reports';
import { surfacesOf } from './declarations';

const folder = mkdtempSync(path.join(tmpdir(), 'api-reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function surface(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const [found] = surfacesOf([path.join(folder, 'index.d.ts')]);
  return found;
}

describe('the API of an entry point', () => {
  it('holds what it exports and what that names, of its own package, without comments', () => {
    const found = surface({
      'index.d.ts': `export { press } from './button';\nexport { object as schema } from 'yup';\nexport * from './all';\n`,
      'button.d.ts': `import type { Ref } from 'react';\n/** Pressed. */\nexport declare function press(how: How, ref: Ref<string>): void;\ninterface How {\n    /** Seconds. */\n    long: Unit<'s'>;\n}\nexport type Unit<T> = T;\nexport declare const unused: 1;\n`,
      'all.d.ts': `export declare const all: import('./more').More;\n`,
      'more.d.ts': `export type More = 'more';\n`,
    });
    expect(found?.names).toEqual(['all', 'press', 'schema']);
    expect(found?.declarations).toEqual([
      `export declare const all: import('./more').More;`,
      'export declare function press(how: How, ref: Ref<string>): void;',
      `export type More = 'more';`,
      'export type Unit<T> = T;',
      `import { Ref } from 'react';`,
      `import { object as schema } from 'yup';`,
      `interface How {\n    long: Unit<'s'>;\n}`,
    ]);
    expect(found?.files.map((file) => path.basename(file))).toEqual([
      'all.d.ts',
      'button.d.ts',
      'index.d.ts',
      'more.d.ts',
    ]);
  });

  const entry = (version: string): EntryPoint => ({
    name: '@shop/shared/ui',
    version,
    source: 'shared/src/ui/index.ts',
    report: 'shared/api/ui.api.md',
  });
  const report = (version: string, ...names: string[]) =>
    `# @shop/shared/ui ${version}\n\nExports: ${names.join(', ')}\n\n${names.map((name) => `declare const ${name}: 1;`).join('\n')}\n`;

  it('may not change under the same version', () => {
    expect(refusal(entry('2.1.0'), report('2.1.0', 'Button'), report('2.1.0', 'Button', 'Card'))).toBe(
      'the API of @shop/shared/ui changed and its version 2.1.0 did not: raise it in shared/package.json, then run: npm run api',
    );
    expect(refusal(entry('2.2.0'), report('2.1.0', 'Button'), report('2.2.0', 'Button', 'Card'))).toBeUndefined();
  });

  it('needs a new major when it loses an export', () => {
    const [was, now] = [report('2.1.0', 'Button', 'Card'), report('2.2.0', 'Button')];
    expect(refusal(entry('2.2.0'), was, now)).toMatch(/exported Card, which 2\.2\.0 does not: a new major is needed/);
    expect(refusal(entry('3.0.0'), was, report('3.0.0', 'Button'))).toBeUndefined();
  });

  it('may have a new version without a change', () => {
    expect(refusal(entry('2.1.1'), report('2.1.0', 'Button'), report('2.1.1', 'Button'))).toBeUndefined();
  });
});
