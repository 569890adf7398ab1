/** Personal pages: a build that keeps the data that it receives must find only data of the same user. */
import { launcher } from './launcher';
import { watchProcess } from './process-watch';
import type { IsolatedRenderer } from './renderer';
import { rendererTest } from './testing/renderer-test';
import { asked, KEEPER, renderingProcesses } from './testing/server-builds';
import { takeIsolationAway } from './testing/without-isolation';

const { builds, renderer, pages } = rendererTest({ pageMs: 5_000, waitMs: 30_000 });

const of = (user: string) => asked('/mine', { isSignedIn: true, answers: { '/me': { name: `name-of-${user}` } } });
const keeper = () => builds.set({ account: pages({ '/mine': KEEPER }) });

type Drawn = [set: ReturnType<typeof keeper>, user: string];
const PEOPLE = ['ann', 'bob', 'cleo'];

/** Returns the HTML of a page, and the other users whose data it shows. */
async function draw(one: IsolatedRenderer, [set, user]: Drawn): Promise<{ html: string; others: string[] }> {
  const html = (await one.render(set, of(user), undefined, user))?.html ?? '';
  expect(html).toContain('<p>');
  return { html, others: PEOPLE.filter((other) => other !== user && html.includes(`name-of-${other}`)) };
}

describe.each([
  { how: 'the renderer keeps users apart', isIsolated: true },
  // This case proves that the tests detect missing isolation.
  { how: 'the renderer mixes users when isolation is disabled', isIsolated: false },
])('$how', ({ how, isIsolated }) => {
  beforeEach(() => {
    if (!isIsolated) takeIsolationAway();
  });
  afterEach(() => jest.restoreAllMocks());

  it(`${how} in successive and concurrent pages`, async () => {
    const one = renderer();
    const set = keeper();
    const inTurn = [await draw(one, [set, 'ann']), await draw(one, [set, 'bob'])];
    const atOnce = await Promise.all([...PEOPLE, ...PEOPLE].map((user) => draw(one, [set, user])));
    for (const pages of [inTurn, atOnce]) expect(pages.some(({ others }) => others.length > 0)).toBe(!isIsolated);
    // Data that the build keeps do remain for the same user.
    expect(atOnce[0]?.html).toContain('name-of-ann');
    expect(atOnce[1]?.html).toContain('name-of-bob');
  });

  it(`${how} on a canary, and after a rollback to releases that have rendered for others`, async () => {
    const one = renderer();
    const live = keeper();
    const canary = builds.set({ account: pages({ '/mine': KEEPER }, '3.0.0-33333333') });
    const drawAll = async (visits: Drawn[]) => {
      const shown: string[] = [];
      for (const visit of visits) shown.push(...(await draw(one, visit)).others);
      return shown.length > 0;
    };
    await drawAll([[live, 'ann']]);
    expect(
      await drawAll([
        [canary, 'ann'],
        [canary, 'bob'],
      ]),
    ).toBe(!isIsolated);
    // The canary is rolled back.
    expect(
      await drawAll([
        [live, 'cleo'],
        [live, 'ann'],
      ]),
    ).toBe(!isIsolated);
  });

  it(`${how} in public pages`, async () => {
    const one = renderer();
    const set = keeper();
    await draw(one, [set, 'ann']);
    expect((await one.render(set, asked('/mine')))?.html.includes('name-of-ann')).toBe(!isIsolated);
  });
});

it('a page has no clock finer than a millisecond, and no thread to count with, to read processor state that others left behind', async () => {
  const one = renderer();
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
    expect((await one.render(set, of('ann'), undefined, user))?.html).toContain('clocks: ; threads: undefined,0');
});

it('a page behind the guard is not rendered without a user', async () => {
  const one = renderer();
  const set = keeper();
  expect((await one.render(set, asked('/mine')))?.html).toContain('<p>');
  for (const [entry] of Object.values(set.map.microFrontends))
    for (const route of entry?.extras.remote?.routes ?? []) route.flags = { requiresLogin: true };
  expect(await one.render(set, asked('/mine'))).toBeUndefined();
});

it('users share one process, and a further user needs no new one', async () => {
  const one = renderer();
  const set = keeper();
  await one.render(set, of('first'), undefined, 'first');
  const before = renderingProcesses();
  for (const user of ['second', 'third', 'fourth']) await one.render(set, of(user), undefined, user);
  expect(renderingProcesses()).toEqual(before);
});

it('a full process still renders for its user while another takes new users, and ends when both are full', async () => {
  const full = async () => ({
    ...(await launcher()),
    watch: (id: number) => {
      const watched = watchProcess(id);
      return watched && { ...watched, residentBytes: 120 * 1024 * 1024 };
    },
  });
  const one = renderer({ launcher: full, limits: { processes: 2, residentMegabytes: 100 } });
  const set = keeper();
  // Whether the user's isolate has kept data of earlier pages.
  const kept = async (user: string) => {
    const { html } = await draw(one, [set, user]);
    return html.includes(`name-of-${user}`);
  };
  expect([await kept('ann'), await kept('ann'), await kept('ann')]).toEqual([false, true, true]);
  expect(await kept('bob')).toBe(false);
  expect(await kept('ann')).toBe(false);
  expect(one.processes).toBeLessThanOrEqual(4);
});

it('processes for personal pages of the next releases start at once if they were needed before', async () => {
  const one = renderer();
  await one.render(keeper(), of('ann'), undefined, 'ann');
  const next = builds.set({ account: { version: '3.0.0-33333333', pages: { '/mine': KEEPER } } });
  await one.prepare(next, []);
  const started = one.processes;
  expect((await one.render(next, of('ann'), undefined, 'ann'))?.html).toContain('<p>');
  expect(one.processes).toBe(started);
});
