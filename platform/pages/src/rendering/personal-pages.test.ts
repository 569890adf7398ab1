/** Pages with somebody's data: a build that keeps what it was given has only what the same user was given. */
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

/** What a page shows, and whom of the others. */
async function draw(one: IsolatedRenderer, [set, user]: Drawn): Promise<{ html: string; others: string[] }> {
  const html = (await one.render(set, of(user), undefined, user))?.html ?? '';
  expect(html).toContain('<p>');
  return { html, others: PEOPLE.filter((other) => other !== user && html.includes(`name-of-${other}`)) };
}

describe.each([
  { how: 'keeps people apart', isIsolated: true },
  // That these tests notice it.
  { how: 'mixes them where isolation is taken away', isIsolated: false },
])('$how', ({ isIsolated }) => {
  beforeEach(() => {
    if (!isIsolated) takeIsolationAway();
  });
  afterEach(() => jest.restoreAllMocks());

  it('in turn and at once', async () => {
    const one = renderer();
    const set = keeper();
    const inTurn = [await draw(one, [set, 'ann']), await draw(one, [set, 'bob'])];
    const atOnce = await Promise.all([...PEOPLE, ...PEOPLE].map((user) => draw(one, [set, user])));
    for (const pages of [inTurn, atOnce]) expect(pages.some(({ others }) => others.length > 0)).toBe(!isIsolated);
    // What the build keeps does stay: for the same user.
    expect(atOnce[0]?.html).toContain('name-of-ann');
    expect(atOnce[1]?.html).toContain('name-of-bob');
  });

  it('on a canary, and after a rollback to what has drawn for others', async () => {
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
    // Rolled back.
    expect(
      await drawAll([
        [live, 'cleo'],
        [live, 'ann'],
      ]),
    ).toBe(!isIsolated);
  });

  it('from what everybody gets', async () => {
    const one = renderer();
    const set = keeper();
    await draw(one, [set, 'ann']);
    expect((await one.render(set, asked('/mine')))?.html.includes('name-of-ann')).toBe(!isIsolated);
  });
});

it('has no clock finer than a millisecond, and no thread to count with, by which to tell what others have left in the processor', async () => {
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

it('draws no page behind the guard for nobody', async () => {
  const one = renderer();
  const set = keeper();
  expect((await one.render(set, asked('/mine')))?.html).toContain('<p>');
  for (const [entry] of Object.values(set.map.microFrontends))
    for (const route of entry?.extras.remote?.routes ?? []) route.flags = { requiresLogin: true };
  expect(await one.render(set, asked('/mine'))).toBeUndefined();
});

it('needs no new process for a user, and one for many', async () => {
  const one = renderer();
  const set = keeper();
  await one.render(set, of('first'), undefined, 'first');
  const before = renderingProcesses();
  for (const user of ['second', 'third', 'fourth']) await one.render(set, of(user), undefined, user);
  expect(renderingProcesses()).toEqual(before);
});

it('goes on for a user in a full process while another takes new people, and ends it when both are full', async () => {
  const full = async () => ({
    ...(await launcher()),
    watch: (id: number) => {
      const watched = watchProcess(id);
      return watched && { ...watched, residentBytes: 120 * 1024 * 1024 };
    },
  });
  const one = renderer({ launcher: full, limits: { processes: 2, residentMegabytes: 100 } });
  const set = keeper();
  // What the user's isolate has kept of the pages before.
  const kept = async (user: string) => {
    const { html } = await draw(one, [set, user]);
    return html.includes(`name-of-${user}`);
  };
  expect([await kept('ann'), await kept('ann'), await kept('ann')]).toEqual([false, true, true]);
  expect(await kept('bob')).toBe(false);
  expect(await kept('ann')).toBe(false);
  expect(one.processes).toBeLessThanOrEqual(4);
});

it('starts what draws for people at once for the next releases, where it was needed before', async () => {
  const one = renderer();
  await one.render(keeper(), of('ann'), undefined, 'ann');
  const next = builds.set({ account: { version: '3.0.0-33333333', pages: { '/mine': KEEPER } } });
  await one.prepare(next, []);
  const started = one.processes;
  expect((await one.render(next, of('ann'), undefined, 'ann'))?.html).toContain('<p>');
  expect(one.processes).toBe(started);
});
