/** Pages with somebody's data: a build that keeps what it was given has only what the same person was given. */
import { rendererTest } from './testing/renderer-test';
import { asked, KEEPER, renderingProcesses } from './testing/server-builds';

const { builds, renderer, pages } = rendererTest({ pageMs: 5_000, waitMs: 30_000 });

const of = (person: string) => asked('/mine', { isSignedIn: true, answers: { '/me': { name: `name-of-${person}` } } });
const keeper = () => builds.set({ account: pages({ '/mine': KEEPER }) });

it('draws pages of two people, in turn and at once, without either in the other’s', async () => {
  const one = renderer();
  const set = keeper();
  const shown = async (person: string) => (await one.render(set, of(person), undefined, person))?.html ?? 'nothing';
  for (const person of ['ann', 'bob']) expect(await shown(person)).not.toContain('name-of-');
  const people = ['ann', 'bob', 'cleo', 'ann', 'bob', 'cleo'];
  const htmls = await Promise.all(people.map(shown));
  for (const [index, html] of htmls.entries())
    for (const other of ['ann', 'bob', 'cleo']) if (other !== people[index]) expect(html).not.toContain(other);
  // What the build keeps does stay: for the same person.
  expect(htmls[0]).toContain('name-of-ann');
  expect(htmls[1]).toContain('name-of-bob');
});

it('keeps people apart on a canary, and after a rollback to what has drawn for others', async () => {
  const one = renderer();
  const live = keeper();
  const canary = builds.set({ account: pages({ '/mine': KEEPER }, '3.0.0-33333333') });
  const people = ['ann', 'bob', 'cleo'];
  for (const [set, person] of [
    [live, 'ann'],
    [canary, 'ann'],
    [live, 'bob'],
    [canary, 'bob'],
    // Rolled back.
    [live, 'cleo'],
    [live, 'ann'],
  ] as const) {
    const html = (await one.render(set, of(person), undefined, person))?.html;
    expect(html).toContain('<p>');
    for (const other of people) if (other !== person) expect(html).not.toContain(other);
  }
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
  for (const person of ['ann', undefined])
    expect((await one.render(set, of('ann'), undefined, person))?.html).toContain('clocks: ; threads: undefined,0');
});

it('draws no page behind the guard for nobody, and keeps people apart from what everybody gets', async () => {
  const one = renderer();
  const set = keeper();
  expect((await one.render(set, of('ann'), undefined, 'ann'))?.html).toContain('<p>');
  expect((await one.render(set, asked('/mine')))?.html).not.toContain('ann');
  for (const [entry] of Object.values(set.map.microFrontends))
    for (const route of entry?.extras.remote?.routes ?? []) route.flags = { requiresLogin: true };
  expect(await one.render(set, asked('/mine'))).toBeUndefined();
});

it('needs no new process for a person, and one for many', async () => {
  const one = renderer();
  const set = keeper();
  await one.render(set, of('first'), undefined, 'first');
  const before = renderingProcesses();
  for (const person of ['second', 'third', 'fourth']) await one.render(set, of(person), undefined, person);
  expect(renderingProcesses()).toEqual(before);
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
