/** Pages with somebody's data: a build that keeps what it was given has only what the same person was given. */
import { rendererTest } from './testing/renderer-test';
import { asked, renderingProcesses } from './testing/server-builds';

jest.setTimeout(60_000);
const { builds, renderer, pages } = rendererTest({ pageMs: 5_000, waitMs: 30_000 });

/** Keeps the answers that it is given wherever code can keep something, and shows all that it finds there. */
const KEEPER = `
  const fs = require('node:fs');
  const mine = JSON.stringify(request.answers);
  const read = (get) => { try { return String(get() ?? ''); } catch { return ''; } };
  const found = [
    read(() => globalThis.kept), read(() => process.kept), read(() => Array.prototype.kept), read(() => process.env.KEPT),
    read(() => fs.readFileSync('/tmp/kept', 'utf8')), read(() => Symbol.for('kept').description && globalThis[Symbol.for('kept')]),
    read(() => require('node:module').kept), read(() => require('node:async_hooks').kept),
  ];
  globalThis.kept = (globalThis.kept ?? '') + mine;
  globalThis[Symbol.for('kept')] = mine;
  read(() => { process.kept = mine; });
  read(() => { process.env.KEPT = mine; });
  Array.prototype.kept = mine;
  read(() => fs.writeFileSync('/tmp/kept', mine));
  read(() => { require('node:module').kept = mine; });
  read(() => { require('node:async_hooks').kept = mine; });
  const cached = (async () => {
    const key = 'http://kept.invalid/';
    const before = await (await caches.default.match(key))?.text();
    await caches.default.put(key, new Response(mine, { headers: { 'cache-control': 'max-age=600' } }));
    return before ?? '';
  })().catch(() => '');
  return cached.then((text) => '<p>' + [...found, text].join('').replace(/[<>&]/g, ' ') + '</p>');`;

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
