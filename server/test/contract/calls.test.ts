import fs from 'node:fs';
import path from 'node:path';
import { bootCode } from '@platform/pages';
import { openStore, routesOverlap } from '@platform/releases';
import { scratch } from '@platform/releases/testing';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { SITE } from '@shop/shared/site';
import { Type } from 'typebox';
import { buildApp } from '../../src/app';
import { liveReleases } from '../../src/live-releases.plugin';
import { Nullable } from '../../src/platform/http/schemas';
import { type Api, contextWithoutDatabase, readApi } from '../support/routes';
import { type CallShape, removals } from './call-shapes';
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

const shape = (answer: Record<string, string>, takes: Record<string, string> = {}): CallShape => ({
  takes,
  answer: { '': 'object', ...answer },
});
const removalsOf = (before: CallShape, now: CallShape | undefined, today = '2027-01-30') =>
  removals({ 'GET /api/x': before }, now ? { 'GET /api/x': now, 'GET /api/y': now } : {}, today);

const named = shape({ name: 'string' });
const withId = (types: string) => shape({}, { id: types });

it.each<[what: string, before: CallShape, now: CallShape | undefined, fault: string]>([
  ['without the call', shape({}), undefined, 'GET /api/x is gone'],
  ['without a field', named, shape({}), 'GET /api/x: "name" is no longer answered'],
  ['with a nullable field', named, shape({ name: 'null|string' }), 'GET /api/x: "name" may now be null'],
  ['without a response', shape({}), { takes: {}, answer: {} }, 'GET /api/x: "" is no longer answered'],
  ['without an input', withId('integer'), shape({}), 'GET /api/x: "id" is no longer taken'],
  [
    'with a formerly optional input required',
    withId('integer|undefined'),
    withId('integer'),
    'GET /api/x: "id" may no longer be undefined',
  ],
  ['with a new required input', shape({}), withId('integer'), 'GET /api/x: "id" is now required'],
])('a released call cannot be replaced by one %s', (_what, before, now, fault) => {
  expect(removalsOf(before, now)).toEqual([fault]);
});

it.each<[what: string, before: CallShape, now: CallShape]>([
  ['with more fields and calls', named, shape({ name: 'string', more: 'integer' })],
  ['with an optional field always present', shape({ name: 'string|undefined' }), named],
  ['with integers replaced by numbers in a response', shape({ price: 'integer' }), shape({ price: 'number' })],
  ['with more types of an input', withId('integer'), withId('number|string')],
  ['with a new optional input', shape({}), shape({}, { more: 'string|undefined' })],
  ['with a required field in a new optional input', shape({}), shape({}, { a: 'object|undefined', 'a.b': 'integer' })],
])('a released call can be replaced by one %s', (_what, before, now) => {
  expect(removalsOf(before, now)).toEqual([]);
});

it('a field with a date, and all fields inside it, may be removed from that date on', () => {
  const field = { ...shape({ old: 'object', 'old.name': 'string' }), retires: { old: '2027-01-31' } };
  expect(removalsOf(field, shape({}), '2027-01-30')).toHaveLength(2);
  expect(removalsOf(field, shape({}), '2027-01-31')).toEqual([]);
  const call = { ...shape({}), retires: { '': '2027-01-31' } };
  expect(removalsOf(call, undefined, '2027-01-30')).toEqual(['GET /api/x is gone']);
  expect(removalsOf(call, undefined, '2027-01-31')).toEqual([]);
});

const FILES = ['/icon.svg', '/manifest.webmanifest', '/sw.js', '/offline.html'];

it('a remote cannot claim an address that the server answers itself', async () => {
  const folder = await scratch();
  const store = openStore({ place: folder });
  const urls = new Set<string>();
  const app = await buildApp({
    ...contextWithoutDatabase(folder),
    plugins: [liveReleases({ store, watchEvery: 0 }), ...backOfficeWithReleases({ store }).plugins],
    onRoute: ({ url }) => urls.add(url),
  });
  await app.ready();
  await app.close();
  const serverUrls = [...urls].filter((url) => url !== '/*' && !FILES.includes(url));
  expect(serverUrls.length).toBeGreaterThan(100);
  const open = serverUrls.filter((url) => {
    const [, first] = url.split('/');
    return !SITE.serverRoutes.some((route) => routesOverlap(`/${first}`, route));
  });
  expect(open).toEqual([]);
});
