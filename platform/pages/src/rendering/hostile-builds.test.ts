import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../scripts/jest/until';
import { launcher } from './launcher';
import { rendererTest, renderingProcesses, renderRequest } from './testing/server-builds';

const SECRET = 'a-secret-of-this-machine';
const sample = { version: '1.0.0-11111111', pages: { '/other': 'return "other";' } };
const { builds, newRenderer, pages, outcome } = rendererTest({ pageMs: 2_000, waitMs: 20_000 });
let folder: string;
let socket: string;
let port: number;
let connections: string[];
const listeners: Server[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shop-hostile-'));
  socket = join(folder, 'commands.sock');
  writeFileSync(join(folder, 'secret'), SECRET);
  process.env.SECRET_OF_THE_TEST = SECRET;
  const listen = async (place: string | undefined, name: string) => {
    const listener = createServer((connection) => {
      connections.push(name);
      connection.end(SECRET);
    });
    listener.listen(place ?? { port: 0, host: '127.0.0.1' });
    await once(listener, 'listening');
    listeners.push(listener);
    return listener.address() as { port: number };
  };
  await listen(socket, 'unix');
  ({ port } = await listen(undefined, 'tcp'));
});
beforeEach(() => {
  connections = [];
});
afterAll(() => {
  for (const listener of listeners) listener.close();
  rmSync(folder, { recursive: true });
  delete process.env.SECRET_OF_THE_TEST;
});

const attempt = (attack: string) => `
  const said = (value) => String(value?.stack ?? value?.message ?? value).replace(/[<>&]/g, ' ').slice(0, 300);
  // Not a wait of the test: the attacking page gives up.
  const patience = new Promise((resolve) => setTimeout(resolve, 300, 'nothing came'));
  const heard = (socket) => new Promise((resolve) => {
    socket.on('data', (data) => resolve('reached ' + data));
    socket.on('connect', () => resolve('reached it'));
    socket.on('error', (error) => resolve('refused: ' + said(error)));
  });
  const reached = (async () => { ${attack} })();
  return Promise.race([reached, patience]).then((value) => said(JSON.stringify(value) ?? 'nothing'), (error) => 'refused: ' + said(error));`;

const SECRET_FILE = () => JSON.stringify(join(folder, 'secret'));
const SOCKET = () => JSON.stringify(socket);
const attacks: Array<[string, () => string]> = [
  ['a file', () => `return require('fs').readFileSync(${SECRET_FILE()}, 'utf8');`],
  ['a file by a promise', () => `return require('node:fs/promises').readFile(${SECRET_FILE()}, 'utf8');`],
  ['a file by require', () => `return require(${SECRET_FILE()});`],
  ['a file by import', () => `return import('file://' + ${SECRET_FILE()});`],
  ['its own process in /proc', () => `return require('fs').readFileSync('/proc/self/environ', 'utf8') + 'reached it';`],
  ['the server’s process in /proc', () => `return require('fs').readFileSync('/proc/${process.pid}/environ', 'utf8');`],
  ['the environment', () => `return [process.env, process.argv.length > 1, require('os').hostname?.()];`],
  ['the network by fetch', () => `return 'reached ' + (await fetch('http://127.0.0.1:${port}/')).status;`],
  [
    'the network by WebSocket',
    () =>
      `const ws = new WebSocket('ws://127.0.0.1:${port}/'); return new Promise((resolve) => { ws.onopen = () => resolve('reached it'); });`,
  ],
  ['the network by net', () => `return heard(require('net').connect(${port}, '127.0.0.1'));`],
  ['the network by tls', () => `return heard(require('tls').connect(${port}, '127.0.0.1'));`],
  ['the network by http', () => `return heard(require('http').get('http://127.0.0.1:${port}/'));`],
  [
    'the network by the sockets of the runtime',
    () =>
      `const { connect } = await import('cloudflare:sockets'); await connect('127.0.0.1:${port}').opened; return 'reached it';`,
  ],
  ['a Unix socket', () => `return heard(require('net').connect(${SOCKET()}));`],
  ['a Unix socket by http', () => `return heard(require('http').get({ socketPath: ${SOCKET()}, path: '/' }));`],
  ['a Unix socket by an output', () => `return heard(new process.stdout.constructor().connect(${SOCKET()}));`],
  [
    'datagrams',
    () =>
      `const socket = require('dgram').createSocket('udp4'); socket.send('x', ${port}, '127.0.0.1'); return 'reached it';`,
  ],
  [
    'the server by a cache',
    () => `return 'reached ' + (await caches.default.match('http://127.0.0.1:${port}/')).status;`,
  ],
  ['other programs', () => `return require('child_process').execSync('echo reached it').toString();`],
  ['threads', () => `return new (require('worker_threads').Worker)('1') && 'reached it';`],
  ['code from a string', () => `return new Function('return "reached it"')();`],
  ['code from a string by eval', () => `return (0, eval)('"reached it"');`],
  ['WASM', () => `return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) && 'reached it';`],
  ['bindings of the process', () => `return process.binding('tcp_wrap') && 'reached it';`],
  ['a native library', () => `return process.dlopen({}, '/usr/lib/x86_64-linux-gnu/libc.so.6') ?? 'reached it';`],
  ['other processes', () => `process.kill(${process.pid}, 0); return 'reached it';`],
  ['another release', () => `return Object.keys(require('/orders@1.0.0-11111111/server/main.js')) + 'reached it';`],
  [
    'modules of another release on the disk',
    () =>
      `return Object.keys(require(${JSON.stringify(join(builds.folder, 'orders/1.0.0-11111111/server/main.js'))})) + 'reached it';`,
  ],
  [
    'the bindings of the runtime',
    () =>
      `const { env } = await import('cloudflare:workers'); return Object.keys(env).length > 0 ? 'reached it' : 'nothing';`,
  ],
];

const isolates = [
  ['a page', undefined],
  ['a page with the data of a user', 'somebody'],
] as const;
// server/test/security/server-build-attack.test.ts has an attack that once left a process of plain Node.
const attempts = isolates.flatMap(([page, user]) =>
  attacks.map(([what, attack]) => [what, page, attack, user] as const),
);
it.each(attempts)('the renderer keeps %s out of the reach of %s', async (_what, _page, attack, user) => {
  builds.set({ orders: sample });
  const set = builds.set({ catalog: pages({ '/attack': attempt(attack()), '/after': 'return "after";' }) });
  const renderer = newRenderer();
  const { html = '', fault } = await outcome(renderer, set, '/attack', user);
  expect(html || fault?.failure).toBeTruthy();
  expect(html).not.toMatch(/(?<!to |un)reached/);
  expect(html).not.toContain(SECRET);
  expect((await outcome(renderer, set, '/after', user)).html).toContain('after');
  expect(connections).toEqual([]);
});

const hasTrace = spawnSync('strace', ['-V']).status === 0;
(hasTrace ? it : it.skip)('the runtime looks up no name for a page, even without a network namespace', async () => {
  const trace = join(folder, 'trace');
  const calls = 'trace=socket,connect,sendto,sendmsg,sendmmsg';
  const renderer = newRenderer({
    launcher: async () => ({ ...(await launcher()), wrapper: ['strace', '-D', '-f', '-qq', '-e', calls, '-o', trace] }),
    limits: { startMs: 60_000, pageMs: 20_000 },
  });
  const name = 'lookup.shop-test.example';
  const set = builds.set({
    catalog: pages({
      '/look': attempt(`
        const settled = await Promise.allSettled([
          fetch('http://${name}/'),
          heard(require('net').connect(80, '${name}')),
          heard(require('http').get('http://${name}/')),
          require('dns').promises.lookup('${name}'),
          require('dns').promises.resolve4('${name}'),
          import('cloudflare:sockets').then(({ connect }) => connect('${name}:80').opened),
        ]);
        return settled.map(({ status, value }) => status + ' ' + value);`),
    }),
  });
  expect((await outcome(renderer, set, '/look')).html).toMatch(/rejected/);
  const lines = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /\w+\(/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !line.includes('AF_UNIX') && !/send(to|msg)\(\d+/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('shop-test'))).toEqual([]);
});

/** The shell's part depends on the request, as the links and the language of a real shell do. */
const shellThatNamesThePage = (forged: string) => ({
  version: '3.0.0-33333333',
  source: `
    exports.createRenderer = async (set) => {
      const [directory] = Object.values(set.remotes).map(({ directory }) => directory);
      const remote = require(directory + '/server/main.js');
      return {
        async render(request) {
          const html = remote.get ? (await remote.get(''))().Component() : remote['/page'](request);
          const page = { html: '<nav>' + request.path + '</nav>' + html, queryState: '{}', wanted: [] };
          return remote.get ? page : (${forged})(page);
        },
      };
    };`,
});
const answers = { '/api/a': { data: 'of A' } };

it.each([
  ['returns the page of the previous request', '(page) => (globalThis.first ??= page)'],
  ['adds a script', "(page) => ({ ...page, html: page.html + '<script>1</script>' })"],
])('the renderer refuses a build that %s', async (_what, forged) => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: pages({ '/page': 'return "body";' }) }, shellThatNamesThePage(forged));
  await renderer.render(set, renderRequest('/page?a'));
  const { html, fault } = await outcome(renderer, set, '/page?b');
  expect([html, fault]).toMatchObject([undefined, { name: 'catalog', failure: 'output' }]);
});

it('the document has the data that the server passed, not what a build claims to have received', async () => {
  const forged = `(page) => ({ ...page, queryState: JSON.stringify({ '/api/a': { data: 'forged' }, '/api/b': { data: 'of B' } }) })`;
  const renderer = newRenderer();
  const set = builds.set({ catalog: pages({ '/page': 'return "body";' }) }, shellThatNamesThePage(forged));
  const page = await renderer.render(set, renderRequest('/page?a', { answers }));
  expect(page?.queryState).toBe(JSON.stringify(answers));
});

it('the renderer reuses the shell’s part of another address with the values of this one, and refuses any other', async () => {
  const renderer = newRenderer();
  const set = builds.set(
    { catalog: pages({ '/page': 'return "body";' }) },
    {
      version: '4.0.0-44444444',
      source: `
        const escape = (text) => text.replace(/</g, '&lt;').replace(/"/g, '&quot;');
        exports.createRenderer = async (set) => {
          const remote = require(Object.values(set.remotes)[0].directory + '/server/main.js');
          return {
            async render({ path }) {
              const word = escape(new URLSearchParams(path.split('?')[1]).get('word') ?? '');
              const html = remote.get ? (await remote.get(''))().Component() : remote['/page']();
              const isOdd = word === 'odd' && !remote.get;
              return { html: '<nav>' + (isOdd ? 'forged' : word) + '</nav>' + html, queryState: '{}', wanted: [] };
            },
          };
        };`,
    },
  );
  const html = async (word: string) => (await outcome(renderer, set, `/page?word=${encodeURIComponent(word)}`)).html;
  expect(await html('a')).toBe('<nav>a</nav>body');
  expect(await html('<b>"')).toBe('<nav>&lt;b>&quot;</nav>body');
  expect(await html('odd')).toBeUndefined();
});

it.each([50, 1_500])(
  'the renderer ends a process that uses the processor %s ms after its page has been sent',
  async (afterMs) => {
    const goOn = `
    return import('cloudflare:workers').then(({ waitUntil }) => {
      // Not a wait of the test: the attacking page continues after its answer.
      waitUntil(new Promise((resolve) => setTimeout(resolve, ${afterMs})).then(() => { for (;;); }));
      return 'sent';
    });`;
    const renderer = newRenderer({ failures: 1, limits: { pageMs: 300 } });
    const set = builds.set({ catalog: pages({ '/go-on': goOn }) });
    expect((await outcome(renderer, set, '/go-on')).html).toContain('sent');
    await until('a process to end', () => renderer.processes !== 2);
    expect((await outcome(renderer, set, '/go-on')).fault).toMatchObject({ failure: 'paused' });
    expect(renderingProcesses().length).toBeGreaterThan(0);
  },
);

it('the renderer loads no build whose file names could become part of a configuration', async () => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: sample });
  writeFileSync(join(set.remotes.catalog?.directory ?? '', 'server/a", esModule = "x.js'), '');
  expect((await outcome(renderer, set, '/other')).fault).toMatchObject({ name: 'catalog', failure: 'start' });
});
