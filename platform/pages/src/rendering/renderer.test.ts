import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detect, launcher } from './launcher';
import type { IsolatedRenderer, RenderFault } from './renderer';
import { rendererTest, renderingProcesses, renderRequest } from './testing/server-builds';

const GOOD = {
  version: '1.0.0-11111111',
  pages: { '/home': 'return "home of " + request.language;', '/other': 'return "other";' },
};
const { builds, newRenderer, pages, outcome } = rendererTest({ pageMs: 2_000, waitMs: 20_000 });

it('the renderer renders a page of a remote with the request, and pages of the shell without any remote', async () => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: GOOD });
  const page = await renderer.render(set, renderRequest('/home?from=x', { language: 'zh-CN' }));
  expect(page).toEqual({ html: '<p>shell 1.0.0-aaaaaaaa</p>home of zh-CN', queryState: '{}', wanted: [] });
  expect((await renderer.render(set, renderRequest('/404')))?.html).toContain('shell page');
});

it('the renderer blames the release of a page that throws, logs it once, and keeps the process', async () => {
  const lines: string[] = [];
  const renderer = newRenderer({ log: (line) => lines.push(line) });
  const set = builds.set({
    catalog: pages({ '/bad': 'throw new Error("no such price");', '/good': 'return "good";' }),
  });
  await outcome(renderer, set, '/bad');
  const { html, fault } = await outcome(renderer, set, '/bad');
  expect(html).toBeUndefined();
  expect(fault).toMatchObject({ name: 'catalog', version: '2.0.0-22222222', failure: 'threw' });
  expect(fault?.detail).toMatch(/no such price[\s\S]*catalog@2\.0\.0-22222222\/server\/main\.js:\d+/);
  const before = renderingProcesses();
  expect((await outcome(renderer, set, '/good')).html).toContain('good');
  expect(renderingProcesses()).toEqual(expect.arrayContaining(before));
  expect(lines.filter((line) => line.includes('could not be rendered'))).toEqual([
    expect.stringContaining('catalog@2.0.0-22222222 could not be rendered (threw): Error: no such price'),
  ]);
});

it('the renderer blames the shell when no line of the remote is in the error', async () => {
  const renderer = newRenderer();
  const set = builds.set(
    { catalog: GOOD },
    {
      version: '3.0.0-33333333',
      source: 'exports.createRenderer = async () => ({ render() { throw new Error("layout"); } });',
    },
  );
  expect((await outcome(renderer, set, '/home')).fault).toMatchObject({ name: 'shell', version: '3.0.0-33333333' });
});

it.each([
  // Not a wait of the test: the page waits.
  ['waits for ever without using the processor', 'return new Promise((done) => setTimeout(done, 600_000));', 'timeout'],
  ['waits for a promise that never settles', 'return new Promise(() => {});', 'crash'],
  ['ends its process', 'process.exit(0);', 'crash'],
])('the renderer blames a page that %s, and renders the next one', async (_what, body, failure) => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: pages({ '/never': body, '/good': 'return "good";' }) });
  expect((await outcome(renderer, set, '/never')).fault).toMatchObject({ name: 'catalog', failure });
  expect((await outcome(renderer, set, '/good')).html).toContain('good');
});

const starved = async () => ({
  ...(await launcher()),
  watch: () => ({ usedMs: 0, isWaiting: false, residentBytes: 0 }),
});

it('the renderer blames no release for a page that a busy machine never gives a processor', async () => {
  const renderer = newRenderer({ launcher: starved, failures: 1, limits: { pageMs: 50 } });
  const set = builds.set({ catalog: pages({ '/loop': 'for (;;);', '/good': 'return "good";' }) });
  expect(await outcome(renderer, set, '/loop')).toEqual({ html: undefined, fault: undefined });
  expect(renderer.statistics.all()[0]?.failures).toEqual({ unavailable: 1 });
  expect((await outcome(renderer, set, '/good')).html).toContain('good');
});

it.each([
  ['the heap', 'const kept = []; for (;;) kept.push(new Array(100_000).fill({}));'],
  ['memory outside of the heap', 'const kept = []; for (;;) kept.push(Buffer.alloc(40_000_000, 1));'],
])('the renderer ends a page that fills %s, and renders the next one', async (_what, body) => {
  const renderer = newRenderer({ limits: { heapMegabytes: 48, pageMs: 20_000 } });
  const set = builds.set({ catalog: pages({ '/fill': body, '/good': 'return "good";' }) });
  const { html, fault } = await outcome(renderer, set, '/fill');
  expect(html).toBeUndefined();
  expect(['memory', 'crash', 'threw']).toContain(fault?.failure);
  expect((await outcome(renderer, set, '/good')).html).toContain('good');
});

it('the renderer refuses an answer that is not a page', async () => {
  const renderer = newRenderer({ failures: 9 });
  const set = builds.set({
    catalog: pages({ '/number': 'request.path = {}; return { toString: null };' }),
    content: pages({ '/list': 'throw null;' }),
  });
  expect((await outcome(renderer, set, '/number')).html).toBeUndefined();
  expect((await outcome(renderer, set, '/list')).html).toBeUndefined();
  const malformed = builds.set(
    { catalog: GOOD },
    {
      version: '4.0.0-44444444',
      source:
        'exports.createRenderer = async () => ({ render: () => ({ html: 1, queryState: "{}", wanted: ["https://elsewhere.example/x"] }) });',
    },
  );
  expect((await outcome(renderer, malformed, '/home')).fault).toMatchObject({ failure: 'output' });
});

it('patches and leftovers of a page do not reach pages of other remotes', async () => {
  const renderer = newRenderer();
  const set = builds.set({
    catalog: pages({
      '/patch':
        'JSON.stringify = () => "{}"; Array.prototype.map = undefined; Object.prototype.html = "mine"; setTimeout(() => { throw new Error("late"); }); return "patched";',
    }),
    content: GOOD,
  });
  await outcome(renderer, set, '/patch');
  expect((await outcome(renderer, set, '/home')).html).toBe('<p>shell 1.0.0-aaaaaaaa</p>home of en');
});

it('the renderer pauses a release that loops repeatedly, while other remotes continue', async () => {
  const renderer = newRenderer({ limits: { pageMs: 1_000, queue: 4 } });
  const set = builds.set({ catalog: pages({ '/loop': 'for (;;);' }), content: GOOD });
  await renderer.prepare(set, ['catalog', 'content']);
  const looping = (async () => {
    const failures: Array<string | undefined> = [];
    for (let count = 0; count < 8; count += 1) failures.push((await outcome(renderer, set, '/loop')).fault?.failure);
    return failures;
  })();
  for (let count = 0; count < 50; count += 1) expect((await outcome(renderer, set, '/home')).html).toContain('home');
  const failures = await looping;
  expect(failures.slice(0, 3)).toEqual(['timeout', 'timeout', 'timeout']);
  expect(failures.slice(3)).toEqual(Array(5).fill('paused'));
  expect(renderer.statistics.all()).toContainEqual(
    expect.objectContaining({ name: 'catalog', pages: 0, failures: { timeout: 3, paused: 5 } }),
  );
});

it('the renderer rejects pages while too many wait, which is no fault of the release', async () => {
  const renderer = newRenderer({ limits: { queue: 2 } });
  const set = builds.set({ catalog: GOOD });
  const faults: RenderFault[] = [];
  const rendered = await Promise.all(
    Array.from({ length: 6 }, () => renderer.render(set, renderRequest('/home'), (fault) => faults.push(fault))),
  );
  expect(rendered.filter(Boolean)).toHaveLength(2);
  expect(faults).toEqual([]);
  expect(renderer.statistics.all()[0]?.failures).toEqual({ busy: 4 });
});

it('the renderer replaces a process that has grown between two pages', async () => {
  const counting = {
    catalog: pages({ '/count': 'globalThis.count = (globalThis.count ?? 0) + 1; return "page " + count;' }),
  };
  const countTwice = async (renderer: IsolatedRenderer) => {
    const set = builds.set(counting);
    return [(await outcome(renderer, set, '/count')).html, (await outcome(renderer, set, '/count')).html];
  };
  const page = (count: number) => expect.stringContaining(`page ${count}`);
  expect(await countTwice(newRenderer())).toEqual([page(1), page(2)]);
  const small = newRenderer({ limits: { residentMegabytes: 1 } });
  expect(await countTwice(small)).toEqual([page(1), page(1)]);
});

it('one process of a remote and one of the shell start first, and second ones only with the first page', async () => {
  const renderer = newRenderer({ limits: { processes: 2 } });
  const set = builds.set({ catalog: GOOD });
  await renderer.prepare(set, ['catalog']);
  expect(renderer.processes).toBe(2);
  await outcome(renderer, set, '/home');
  expect(renderer.processes).toBe(4);
});

it('the renderer ends the least recently used pool beyond the limit', async () => {
  const renderer = newRenderer({ pools: 2, limits: { processes: 1 } });
  for (const version of ['1.0.0-11111111', '1.0.0-22222222', '1.0.0-33333333']) {
    const shell = { version: version.replace('1.0.0', '6.0.0') };
    await outcome(renderer, builds.set({ catalog: { ...GOOD, version } }, shell), '/home');
  }
  expect(renderer.processes).toBe(2);
});

it('the renderer ends a process that a wrapper has started but not yet bound to its own life', async () => {
  const before = renderingProcesses();
  const { binary } = await detect();
  // This shell waits for the runtime in the background and does not forward signals to it.
  const wrapper = ['sh', '-c', '"$@" & wait', 'wrapper'];
  const renderer = newRenderer({ launcher: async () => ({ wrapper, binary, missing: [] }) });
  const set = builds.set({ catalog: GOOD });
  expect((await outcome(renderer, set, '/home')).html).toContain('home of');
  await renderer.close();
  expect(renderingProcesses().filter((id) => !before.includes(id))).toEqual([]);
});

it('the renderer exports metrics of each release for Prometheus', async () => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: pages({ '/good': 'return "good";', '/bad': 'throw new Error("bad");' }) });
  await outcome(renderer, set, '/good');
  await outcome(renderer, set, '/bad');
  const lines = renderer.statistics.lines('shop', renderer.processes, new Set(['catalog@2.0.0-22222222']));
  expect(lines).toContain('shop_render_processes 2');
  expect(lines).toContain('shop_rendered_pages_total{name="catalog",version="2.0.0-22222222"} 1');
  expect(lines).toContain('shop_render_failures_total{name="catalog",version="2.0.0-22222222",reason="threw"} 1');
  const withoutReleases = renderer.statistics.lines('shop', renderer.processes, new Set());
  expect(withoutReleases.filter((line) => line.includes('version='))).toEqual([]);
});

it('the renderer renders no page behind the guard, and none of a remote without a server build', async () => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: GOOD });
  const [entry] = set.map.microFrontends.catalog ?? [];
  for (const route of entry?.extras.remote?.routes ?? []) Object.assign(route, { flags: { requiresLogin: true } });
  expect(await outcome(renderer, set, '/home')).toEqual({ html: undefined, fault: undefined });
  const withoutBuild = { ...builds.set({ catalog: GOOD }), remotes: {} };
  expect(await outcome(renderer, withoutBuild, '/home')).toEqual({ html: undefined, fault: undefined });
  expect(renderer.processes).toBe(0);
});

it('the renderer pauses a server build that does not load', async () => {
  const renderer = newRenderer();
  const set = builds.set({ catalog: GOOD }, { version: '5.0.0-55555555', source: 'require("./missing");' });
  expect((await outcome(renderer, set, '/home')).fault).toMatchObject({ name: 'shell', failure: 'start' });
  expect((await outcome(renderer, set, '/home')).fault).toMatchObject({ failure: 'paused' });
});

it('closing the renderer ends every process, after the page that is being rendered, and removes its private folder', async () => {
  const renderer = newRenderer({ limits: { processes: 2 } });
  const set = builds.set({ catalog: GOOD });
  await renderer.render(set, renderRequest('/home'));
  const folders = readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
  expect(folders.map((name) => statSync(join(tmpdir(), name)).mode & 0o777)).toEqual([0o700]);
  const last = renderer.render(set, renderRequest('/home'));
  await new Promise((resolve) => setImmediate(resolve));
  await renderer.close();
  expect((await last)?.html).toContain('home');
  expect(renderingProcesses()).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => folders.includes(name))).toEqual([]);
  expect(await renderer.render(set, renderRequest('/home'))).toBeUndefined();
});

it('no process remains when the server is killed while a page loops', async () => {
  if ((await launcher()).missing.includes('ends')) return;
  const set = builds.set({ catalog: pages({ '/loop': 'for (;;);', '/good': 'return "good";' }) });
  const source = `
    const { IsolatedRenderer } = require(${JSON.stringify(join(__dirname, 'renderer.ts'))});
    const renderer = new IsolatedRenderer({ limits: { pageMs: 60_000, processes: 1 } });
    renderer.prepare(${JSON.stringify(set)}, ['catalog']).then(() => {
      renderer.render(${JSON.stringify(set)}, ${JSON.stringify(renderRequest('/good'))}).then(() => {
        renderer.render(${JSON.stringify(set)}, ${JSON.stringify(renderRequest('/loop'))});
        process.stdout.write('looping');
      });
    });`;
  const server = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const before = renderingProcesses(server.pid);
  server.kill('SIGKILL');
  await once(server, 'close');
  expect(before).not.toEqual([]);
  let remaining = before;
  for (let tries = 0; tries < 500 && remaining.length > 0; tries += 1) remaining = renderingProcesses(server.pid);
  expect(remaining).toEqual([]);
  const folders = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${server.pid}-`));
  expect(folders()).toHaveLength(1);
  expect((await outcome(newRenderer(), set, '/good')).html).toContain('good');
  expect(folders()).toEqual([]);
});

it.each([
  [
    'is not installed',
    () => {
      throw new Error("Cannot find module 'workerd'");
    },
    /^workerd is not installed \(Cannot find module 'workerd'\)$/,
  ],
  ['is for another system', () => '/proc/self/status', /^workerd does not start: .*EACCES/],
  ['ends with an error', () => '/bin/false', /^workerd does not start: /],
])('the renderer detects that the runtime %s, says so once, and renders nothing', async (_what, find, fault) => {
  const lines: string[] = [];
  const detected = detect(find);
  const renderer = newRenderer({ log: (line) => lines.push(line), launcher: () => detected });
  const set = builds.set({ catalog: GOOD });
  await renderer.prepare(set, ['catalog']);
  expect(await outcome(renderer, set, '/home')).toEqual({ html: undefined, fault: undefined });
  const found = (await detected).fault;
  expect(found).toMatch(fault);
  expect(lines).toEqual([`this machine cannot start the renderer, so documents carry skeletons: ${found}`]);
});
