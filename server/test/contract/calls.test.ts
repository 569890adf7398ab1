import fs from 'node:fs';
import path from 'node:path';
import { bootCode } from '@platform/pages';
import { SITE } from '@shop/shared/site';
import { Type } from 'typebox';
import { Nullable } from '../../src/platform/http/schemas';
import { type Api, readApi } from '../support/routes';
import { callsFile, callsText, removedCalls, shapesFile, shapesText } from './calls-file';
import { fieldRules, rulesFile, rulesText } from './field-rules';

let api: Api;
beforeAll(async () => {
  api = await readApi();
});

describe('generated calls', () => {
  it('the generated calls match the routes: run "npm run calls -w server" after a change of a schema', () => {
    expect(fs.readFileSync(callsFile, 'utf8')).toBe(callsText(api));
  });

  it('the API offers all released calls and fields, except those whose date of removal has come', () => {
    expect(removedCalls(api)).toEqual([]);
  });

  it('calls.json has the fields of the calls', () => {
    expect(fs.readFileSync(shapesFile, 'utf8')).toBe(shapesText(api));
  });

  const root = path.join(__dirname, '../../..');
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
  const programsOf = (...folders: string[]) =>
    folders.flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
        .map((file) => ({ file, text: read(path.join(folder, 'src', file)) })),
    );
  const programs = programsOf('shell', 'shared', 'mfe-catalog', 'mfe-account', 'mfe-orders', 'mfe-content');

  it('the front ends reach the API only through the generated calls', () => {
    const urls = new Set(api.routes.map((route) => route.url));
    const ofHealth = ['/api/health/report', '/api/health/token'];
    // The exceptions are the client itself, and the request of the server's time, which must not wait for it.
    const clients = ['http/http-client.ts', 'http/server-time.ts'];
    const raw = /\bfetch\(|XMLHttpRequest|\bhttp\.(get|post|put|delete|request)\(|sendBeacon/;
    expect(programs.filter(({ file, text }) => raw.test(text) && !clients.includes(file))).toEqual([]);
    const called = programs.flatMap(({ text }) => [...text.matchAll(/['"`](\/api\/[\w/]+)['"`]/g)]);
    // Besides the shop's calls, the document reports a shell that does not start.
    const ofDocument = [...bootCode(SITE).script.matchAll(/["'](\/api\/[^"']+)["']/g)];
    for (const [, url = ''] of [...called, ...ofDocument]) expect([...urls, ...ofHealth, '/api/front']).toContain(url);
  });

  it('front ends get no environment variable but NODE_ENV', () => {
    const recipe = read('platform/build/src/recipe.cjs');
    const defined = [...recipe.matchAll(/DefinePlugin\(\{(.*?)\}\)/gs)].flatMap(([, definitions = '']) =>
      [...definitions.matchAll(/([\w.']+):/g)].map(([, name]) => name),
    );
    expect([...new Set(defined)].sort()).toEqual([
      "'process.env.NODE_ENV'",
      'DEV_NAME',
      'LINKED_PAGES',
      'SHELL_VERSION',
    ]);
    expect(read('rspack.base.js') + recipe).not.toMatch(/EnvironmentPlugin|dotenv/);
    const variables = [...programs, ...programsOf('platform/host')].flatMap(
      ({ text }) => text.match(/process\.env\.\w+/g) ?? [],
    );
    expect(variables.filter((variable) => variable !== 'process.env.NODE_ENV')).toEqual([]);
  });
});

describe('field rules of the console', () => {
  it('field rules match the schemas: run "npm run calls -w server" after a change', () => {
    expect(fs.readFileSync(rulesFile, 'utf8')).toBe(rulesText());
  });

  it('field rules follow a change of the schema, and a field that the schema lacks is refused', () => {
    const code = (max: number) =>
      Type.Object({
        of: Nullable(Type.Object({ code: Type.String({ pattern: `^[A-Z-]{1,${max}}$`, maxLength: max }) })),
      });
    expect(fieldRules(code(4), 'of.code')).toEqual({ pattern: '[A-Z\\-]{1,4}', maxLength: 4, required: true });
    expect(fieldRules(code(5), 'of.code')).toMatchObject({ pattern: '[A-Z\\-]{1,5}', maxLength: 5 });
    expect(() => fieldRules(code(4), 'of.number')).toThrow('no schema has the field of.number');
  });
});
