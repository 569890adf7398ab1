import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const { linkedPages, usesOf } = require('./uses-of.cjs') as {
  linkedPages(product: object, directory: string): object;
  usesOf(product: object, files: string[], directory: string): { links: object; calls: string[] };
};

const folder = mkdtempSync(path.join(tmpdir(), 'uses-'));
const routes = [{ path: '/greeting', page: './greeting' }];
const remote = { name: 'greeting', routes, links: { gift: '/gifts/:id' } };
const product = {
  uses: {
    links: {
      name: '@acme/kit/links',
      folder: path.join(folder, 'kit/links'),
      function: 'linkTo',
      routes: { thing: { path: '/things/:id', remote: 'catalog' } },
    },
    calls: {
      name: '@acme/kit/http',
      folder: path.join(folder, 'kit/http'),
      methods: { get: 'GET', send: 'POST' },
      names: ['GET /api/things', 'POST /api/things/new', 'GET /api/all'],
    },
  },
};

function read(code: string) {
  const directory = path.join(folder, 'greeting');
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'remote.json'), JSON.stringify(remote));
  const file = path.join(directory, 'page.tsx');
  const imports = `import { linkTo } from '../kit/links';\nimport { get, send as post } from '@acme/kit/http';\n`;
  writeFileSync(file, imports + code);
  return usesOf(product, [file], directory);
}

it('usesOf returns the linked pages, by the path of their route, with the remote that has them', () => {
  const code = `linkTo('thing', { id: 1 }, { size: 'l' }); linkTo(\n  'greeting',\n); linkTo('gift', { id: 2 });`;
  expect(read(code).links).toEqual({
    '/gifts/:id': {},
    '/greeting': { remote: 'greeting' },
    '/things/:id': { remote: 'catalog' },
  });
});

it('usesOf returns the calls, also when constants of the module make up their path', () => {
  const code = `const api = '/api';\nconst things = \`\${api}/things\`;\nget<Thing[]>(things); post(\`\${things}/new\`, {}); get('/api/all'); map.get('/x');`;
  expect(read(code).calls).toEqual(['GET /api/all', 'GET /api/things', 'POST /api/things/new']);
});

it.each([
  ['linkTo(name)', 'page.tsx:3: linkTo() needs the name of the page written out'],
  ["linkTo('hme')", 'page.tsx:3: no page is called "hme"'],
  ['get(path)', 'page.tsx:3: the address of get() must be written out'],
  ["get('/api/gone')", 'page.tsx:3: the API has no GET /api/gone'],
])('usesOf refuses %s', (code, fault) => {
  expect(() => read(code)).toThrow(fault);
});

it('usesOf ignores functions of the same name from other modules', () => {
  const file = path.join(folder, 'other.ts');
  writeFileSync(file, "import { get } from './cache';\nget('/api/things');");
  expect(usesOf(product, [file], folder)).toEqual({ links: {}, calls: [] });
});

it('a build gets the paths of the pages that it links to, and no others', () => {
  const directory = path.join(folder, 'small');
  mkdirSync(path.join(directory, 'src/home'), { recursive: true });
  mkdirSync(path.join(folder, 'kit/links'), { recursive: true });
  writeFileSync(path.join(folder, 'kit/links/index.ts'), "// linkTo('far')");
  writeFileSync(path.join(directory, 'remote.json'), JSON.stringify(remote));
  writeFileSync(path.join(directory, 'src/home/page.tsx'), "linkTo('gift', { id: 1 });");
  writeFileSync(path.join(directory, 'src/home/page.test.tsx'), "linkTo('thing', { id: 1 });");
  writeFileSync(path.join(folder, 'kit/order.ts'), "linkTo('greeting');");
  expect(linkedPages(product, directory)).toEqual({ gift: '/gifts/:id', greeting: '/greeting' });
});
