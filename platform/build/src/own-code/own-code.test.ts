import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const { readModule } = require('./read-module.cjs') as {
  readModule(
    code: string,
    options: object,
  ): {
    code: string;
    names: Set<string>;
    links: Array<{ path: string; query: string[] }>;
    calls: string[];
    faults: Array<{ at: number; what: string }>;
  };
};

const is = (wanted: string) => (source: string) => source === wanted;
const links = {
  isFrom: is('@acme/kit/links'),
  function: 'linkTo',
  routes: {
    home: { path: '/home', query: [], remote: 'greeting' },
    thing: { path: '/things/:id', query: ['size', 'colour'], remote: 'catalog' },
  },
};
const calls = { isFrom: is('@acme/kit/http'), methods: { get: 'GET', send: 'POST' } };
const read = (code: string) =>
  readModule(
    `import { linkTo } from '@acme/kit/links';\nimport { get, send as post } from '@acme/kit/http';\n${code}`,
    {
      links,
      calls,
    },
  );

describe('a link', () => {
  it('is written out as its address, and noted with the parameters of the query that it carries', () => {
    const { code, links: found } = read(
      "const a = linkTo('home'); const b = linkTo('thing', { id: thing.id }, { size: 'l', colour: one(two) });",
    );
    expect(code).toContain('const a = `/home`;');
    // Nothing of the list of pages is left in the module.
    expect(code).not.toContain('linkTo');
    expect(code).toContain(
      `const b = \`/things/\${encodeURIComponent(thing.id)}?size=\${encodeURIComponent('l')}&colour=\${encodeURIComponent(one(two))}\`;`,
    );
    expect(found).toEqual([
      { path: '/home', query: [], remote: 'greeting' },
      { path: '/things/:id', query: ['size', 'colour'], remote: 'catalog' },
    ]);
  });

  it.each([
    ["linkTo('hme')", 'no page is called "hme"'],
    ["linkTo('thing')", '/things/:id takes id'],
    ["linkTo('thing', { key: 1 })", '/things/:id takes id'],
    ["linkTo('home', { id: 1 })", '/home takes no parameters'],
    ["linkTo('thing', { id: 1 }, { weight: 1 })", 'the page thing does not read "weight"'],
    ['linkTo(name)', 'needs the name of the page written out'],
    ["linkTo('thing', values)", 'needs its values written out'],
    ["['home'].map(linkTo)", 'is called where its page is named'],
    ["linkTo('thing', { ...values })", 'needs its values written out'],
  ])('%s is refused', (code, fault) => {
    expect(read(`${code};`).faults.map(({ what }) => what)).toEqual([expect.stringContaining(fault)]);
  });
});

it.each([
  [
    "jsx(Link, { to: '/home' })",
    "the address /home is written by hand, so that nothing tells when its page has gone: linkTo('home')",
  ],
  ['jsx(Link, { ...rest, to: `/things/' + '$' + '{id}` })', "linkTo('name of the page')"],
  ["navigate('/home', { replace: true })", "linkTo('home')"],
  ["const base = '/things'; redirect(base)", "linkTo('name of the page')"],
])('an address that is written by hand is refused: %s', (code, fault) => {
  const { faults } = read(`import { jsx } from 'react/jsx-runtime'; ${code};`);
  expect(faults.map(({ what }) => what)).toEqual([expect.stringContaining(fault)]);
});

it('addresses from elsewhere, of files and steps back are none', () => {
  const code =
    "jsx(Link, { to: target.to }); jsx('a', { href: '/r/x.pdf' }); navigate(-1); navigate(address); open('/x');";
  expect(read(`import { jsx } from 'react/jsx-runtime'; ${code}`).faults).toEqual([]);
});

describe('a call', () => {
  it('is noted by method and path, also where constants of the module make up its path', () => {
    const { calls: found, faults } = read(
      `const api = '/api'; const things = \`\${api}/things\`; get(things); post(\`\${things}/new\`, {}); get(api + '/all');`,
    );
    expect(found).toEqual(['GET /api/things', 'POST /api/things/new', 'GET /api/all']);
    expect(faults).toEqual([]);
  });

  it('whose address is not known before the code runs is refused', () => {
    expect(read('export const ask = (path) => get(path);').faults).toHaveLength(1);
  });

  it('of a function of another module is none', () => {
    const found = readModule("import { get } from './cache'; get('/api/x'); map.get(key);", { links, calls });
    expect([found.calls, found.faults]).toEqual([[], []]);
  });
});

it('the names of a module are those by which it could read a field, however it is called on the way', () => {
  const { names } = read(
    "const { price: cost } = thing; thing['stock']; const key = 'sold_out'; thing?.name; other.map(({ id }) => id); 'no name, a text';",
  );
  for (const name of ['price', 'stock', 'sold_out', 'name', 'id'])
    expect([name, names.has(name)]).toEqual([name, true]);
  expect(names.has('no name, a text')).toBe(false);
});

describe('a build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'own-code-'));
  const write = (file: string, content: unknown) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const routes = [
    { path: '/greeting', page: './greeting', module: './src/page.tsx', title: { 'zh-CN': '一', en: 'A' } },
  ];
  beforeAll(() => {
    symlinkSync(path.resolve(__dirname, '../../../../node_modules'), path.join(folder, 'node_modules'), 'junction');
    write('package.json', { name: '@acme/kit', version: '1.0.0' });
    write('links/index.ts', 'export const linkTo = (name: string, values = {}) => name + JSON.stringify(values);');
    const product = {
      scopes: [],
      singletons: {},
      uses: { links: { name: '@acme/kit/links', function: 'linkTo', routes: {} } },
      instead: { text: 'Give it to texts.ts.', clock: 'Ask in an effect.' },
    };
    write(
      'rspack.base.js',
      `const product = ${JSON.stringify(product)};
       product.uses.links.folder = require('node:path').join(__dirname, 'links');
       module.exports = require('@platform/build').recipe({ folder: __dirname, ...product });`,
    );
    write('greeting/remote.json', { name: 'greeting', contract: 1, routes, links: { gifts: '/gifts/:id' } });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What it says of a page with this code, of which each fault is one line. */
  function faultsOf(code: string): string[] {
    write(
      'greeting/src/page.tsx',
      `import { linkTo } from '../../links';\nimport { useEffect, useMemo, useState } from 'react';\n${code}`,
    );
    const args = ['rspack.base.js', 'greeting', 'greeting', 'out'].map((one, index) =>
      index === 1 ? one : path.join(folder, one),
    );
    const { stderr, status } = spawnSync(process.execPath, [
      path.join(__dirname, '../dev/compile.cjs'),
      ...args,
      'once',
    ]);
    const found = [...String(stderr).matchAll(/^.*?(src\/page\.tsx:\d+: .*)$/gm)].map(([, line = '']) => line);
    if (status !== 0 && found.length === 0) throw new Error(String(stderr));
    return found;
  }

  it('links to pages of its own and to those of elsewhere that it names, and to no others', () => {
    expect(
      faultsOf(
        "export const Component = () => [linkTo('greeting'), linkTo('gifts', { id: 1 }), linkTo('home')].join();",
      ),
    ).toEqual([expect.stringMatching(/^src\/page\.tsx:3: no page is called "home": .* under "links"/)]);
  });

  it('refuses text that is written into a component, with its line and what to write instead', () => {
    const code = `
export function Component({ open }: { open: boolean }) {
  return (
    <section aria-label="Greetings">
      <h1>你好</h1>
      {open ? 'open' : <b title={\`see \${open}\`}>·</b>}
    </section>
  );
}`;
    expect(faultsOf(code)).toEqual(
      [
        [6, 'Greetings'],
        [7, '你好'],
        [8, 'open'],
        [8, 'see …'],
      ].map(
        ([line, text]) =>
          `src/page.tsx:${line}: the text "${text}" stands in the code, in one language. Give it to texts.ts.`,
      ),
    );
  });

  it('refuses the clock and chance while a component or a hook draws', () => {
    const code = `
const useNow = () => useState(() => Date.now())[0];
export function Component({ list }: { list: string[] }) {
  const today = useMemo(() => new Date().getDay(), []);
  return <ul data-today={today + useNow()}>{list.map((one) => <li key={one} id={String(Math.random())} />)}</ul>;
}`;
    expect(faultsOf(code).map((line) => line.replace(/ while.*/, ''))).toEqual([
      'src/page.tsx:4: useNow asks Date.now()',
      'src/page.tsx:6: Component asks new Date()',
      'src/page.tsx:7: Component asks Math.random()',
    ]);
  });

  it('leaves effects, handlers, helpers, signs, names of classes and lines with a reason alone', () => {
    const code = `
const stamp = () => Date.now();
const started = Date.now();
export function Component({ time }: { time: string }) {
  const [, setNow] = useState(0);
  useEffect(() => setNow(Date.now() - started), []);
  // build-ignore: shown by the browser only.
  const now = Date.now();
  return (
    <button type="button" className="a b" data-kind="plain" onClick={() => setNow(stamp() + Date.now())}>
      {new Date(time).getTime() > now} · × 3,00 % {time}
      {/* build-ignore: a name, in every language. */}
      <b>GitHub</b>
    </button>
  );
}`;
    expect(faultsOf(code)).toEqual([]);
  });
});
