import type { IsolatedRenderer } from './renderer';
import { rendererTest, renderingProcesses, renderRequest, STORING_PAGE } from './testing/server-builds';

const { builds, newRenderer, pages } = rendererTest({ pageMs: 5_000, waitMs: 30_000 });

const requestOf = (user: string) =>
  renderRequest('/mine', { isSignedIn: true, answers: { '/me': { name: `name-of-${user}` } } });
const storingSet = () => builds.set({ account: pages({ '/mine': STORING_PAGE }) });

type Visit = [set: ReturnType<typeof storingSet>, user: string];
const USERS = ['ann', 'bob', 'cleo'];

async function openPage(renderer: IsolatedRenderer, [set, user]: Visit) {
  const html = (await renderer.render(set, requestOf(user), undefined, user))?.html ?? '';
  expect(html).toContain('<p>');
  return { html, otherUsers: USERS.filter((other) => other !== user && html.includes(`name-of-${other}`)) };
}

it('the renderer keeps users apart in turn and at once, on a canary, after a rollback, and their data out of public pages', async () => {
  const renderer = newRenderer();
  const live = storingSet();
  const canary = builds.set({ account: pages({ '/mine': STORING_PAGE }, '3.0.0-33333333') });
  const inTurn: Visit[] = [
    [live, 'ann'],
    [live, 'bob'],
    [canary, 'ann'],
    [canary, 'bob'],
    [live, 'cleo'],
    [live, 'ann'],
  ];
  for (const visit of inTurn) expect((await openPage(renderer, visit)).otherUsers).toEqual([]);
  const atOnce = await Promise.all([...USERS, ...USERS].map((user) => openPage(renderer, [live, user])));
  expect(atOnce.flatMap(({ otherUsers }) => otherUsers)).toEqual([]);
  expect(atOnce[0]?.html).toContain('name-of-ann');
  expect(atOnce[1]?.html).toContain('name-of-bob');
  expect((await renderer.render(live, renderRequest('/mine')))?.html).not.toMatch(/name-of-/);
});

it('a page has no clock finer than a millisecond, and no thread to count with, to read processor state that others left behind', async () => {
  const renderer = newRenderer();
  const set = builds.set({
    account: pages({
      '/mine': `
        const read = (get) => { try { return Number(get()); } catch { return 0; } };
        const clocks = [() => performance.now(), () => Date.now(), () => process.hrtime()[1] / 1e6, () => Number(process.hrtime.bigint() % 1_000_000n) / 1e6,
          () => new Event('x').timeStamp, () => performance.mark('x').startTime, () => require('node:perf_hooks').performance.now()];
        const fine = clocks.map((clock) => {
          for (let count = 0; count < 20_000; count += 1) if (!Number.isInteger(read(clock))) return String(clock);
          return '';
        });
        return 'clocks: ' + fine.filter(Boolean).join(' ').replace(/[<>&]/g, ' ') + '; threads: ' + [typeof Worker, read(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1) === 'timed-out')];`,
    }),
  });
  for (const user of ['ann', undefined])
    expect((await renderer.render(set, requestOf('ann'), undefined, user))?.html).toContain(
      'clocks: ; threads: undefined,0',
    );
});

it('users share one process, and a further user needs no new one', async () => {
  const renderer = newRenderer();
  const set = storingSet();
  await renderer.render(set, requestOf('first'), undefined, 'first');
  const before = renderingProcesses();
  for (const user of ['second', 'third', 'fourth']) await renderer.render(set, requestOf(user), undefined, user);
  expect(renderingProcesses()).toEqual(before);
});

it('processes for personal pages of the next releases start at once if they were needed before', async () => {
  const renderer = newRenderer();
  await renderer.render(storingSet(), requestOf('ann'), undefined, 'ann');
  const nextSet = builds.set({ account: { version: '3.0.0-33333333', pages: { '/mine': STORING_PAGE } } });
  await renderer.prepare(nextSet, []);
  const started = renderer.processes;
  expect((await renderer.render(nextSet, requestOf('ann'), undefined, 'ann'))?.html).toContain('<p>');
  expect(renderer.processes).toBe(started);
});
