import { canaryInMap, emptyMap, promoteInMap, type ReleaseMap, type StepRule } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import type { HealthStore } from './health-store';
import { releasesOfVisit, stepRules } from './step-counts';
import { memoryHealthStore } from './testing/memory-health-store';
import { VisitSteps } from './visit-steps';
import { type Visit, VisitTokens } from './visit-token';

const by = { by: 'ann', at: '2026-01-01T00:00:00Z' };
const steps: StepRule[] = [{ from: 'page', to: 'done' }];
const one = manifestOf({ name: 'catalog', text: 'one', steps });
const two = manifestOf({ name: 'catalog', text: 'two' });
const live = promoteInMap(emptyMap(), one, null, by);
const canary = canaryInMap(live, two, one, 20, by);

let clock: number;
let health: HealthStore;
let server: VisitSteps;
beforeEach(() => {
  clock = Date.parse('2026-01-01T08:00:30Z');
  health = memoryHealthStore(() => clock);
  server = new VisitSteps('a secret', () => clock);
});

let ids = 0;
const visitOf = (visitor: number | null, map = canary): Visit => ({
  id: `v${++ids}`,
  rev: map.rev,
  visitor,
  isNew: true,
});
const segment = ['en'];
const note = (to: VisitSteps, visit: Visit, step: string, network: string = visit.id) =>
  to.note({ visit, network, step, segment });
const flush = (of = server, map: ReleaseMap = canary) =>
  of.flush(health, map, async (rev) => [live, canary].find((known) => known.rev === rev) ?? null);
const counted = async (version = one.version, control?: boolean) => {
  const selection = { id: 'x', name: 'catalog', version, control, shift: -3_600 };
  const rows = (await health.steps([selection])).filter(({ path }) => path === 'page>done');
  return Object.fromEntries(rows.map(({ word, visits, reached }) => [word, { visits, reached }]));
};

it('steps count once for each visit, even if two servers see them', async () => {
  const [visit, other] = [visitOf(50), new VisitSteps('a secret', () => clock)];
  for (const to of [server, other]) {
    note(to, visit, 'page');
    note(to, visit, 'page');
  }
  await flush();
  await flush(other);
  note(other, visit, 'done');
  await flush(other);
  note(server, visit, 'done');
  await flush();
  expect(await counted()).toEqual({ all: { visits: 1, reached: 1 }, en: { visits: 1, reached: 1 } });
});

it('steps count for the canary, an equal part of the others, and the rest, by the number of the document', async () => {
  for (const visitor of [0, 19.99, 20, 39.99, 40, 99]) note(server, visitOf(visitor), 'page');
  await flush();
  expect((await counted(two.version)).all).toEqual({ visits: 2, reached: 0 });
  expect((await counted(one.version, true)).all).toEqual({ visits: 2, reached: 0 });
  expect((await counted(one.version)).all).toEqual({ visits: 4, reached: 0 });
});

it('steps before the first step, and those of a visit without a number during a canary, do not count', async () => {
  const early = visitOf(50);
  note(server, early, 'done');
  note(server, early, 'page');
  note(server, visitOf(null), 'page');
  await flush();
  expect((await counted()).all).toEqual({ visits: 1, reached: 0 });
});

it('steps no longer count once the map gives the visitor another release than the document', async () => {
  const before = visitOf(5, live);
  note(server, before, 'page');
  await flush(server, live);
  note(server, before, 'done');
  await flush(server, canary);
  expect((await counted()).all).toEqual({ visits: 1, reached: 0 });
  expect((await counted(two.version)).all).toBeUndefined();
});

it('steps are judged for one visit of each network, and counted for five a minute', async () => {
  for (let index = 0; index < 20; index += 1) note(server, visitOf(50), 'page', 'one office');
  expect(server.size).toBe(5);
  await flush();
  expect((await counted()).all).toEqual({ visits: 1, reached: 0 });
  expect(await health.funnels(10)).toMatchObject([{ path: 'page>done', visits: 1 }]);
});

it('steps wait in a bounded queue while the store is away', async () => {
  const away = { addSteps: () => Promise.reject(new Error('no connection')) };
  const visit = visitOf(50);
  note(server, visit, 'page');
  await expect(server.flush(away, canary, async () => null)).rejects.toThrow('no connection');
  note(server, visit, 'done');
  for (let index = 0; index < 30_000; index += 1) note(server, visitOf(50), 'page');
  expect(server.size).toBe(20_000);
  await flush();
  expect((await counted()).all).toEqual({ visits: 20_000, reached: 1 });
});

it('steps have series for Prometheus', async () => {
  note(server, visitOf(5), 'page');
  await flush();
  expect(server.lines('site', canary)).toContain(
    `site_release_steps_total{name="catalog",version="${two.version}",role="canary",step="page"} 1`,
  );
});

it('a canary is judged by the rules of the live release, and the shell by the rules of all names', () => {
  const shell = promoteInMap(canary, manifestOf({ name: 'shell' }), null, by);
  expect(stepRules(canary, 'catalog')).toEqual(steps);
  expect(stepRules(shell, 'shell')).toEqual(steps);
  expect(releasesOfVisit(shell, shell, { visitor: 5 }).map(({ name }) => name)).toEqual(['catalog', 'shell']);
});

const tokens = new VisitTokens('a secret', () => clock);
const page = { rev: 41, visitor: 12.34, isNew: true };

it('a visit token identifies the document and a visit of its own', () => {
  const [first, second] = [tokens.issue('a', page), tokens.issue('a', page)];
  expect(tokens.read(first, 'a')?.visit).toMatchObject(page);
  expect(tokens.read(first, 'a')?.visit?.id).not.toBe(tokens.read(second, 'a')?.visit?.id);
  expect(tokens.read(tokens.issue('a', { ...page, visitor: null }), 'a')?.visit).toMatchObject({ visitor: null });
  expect(tokens.read(tokens.issue('a'), 'a')?.visit).toBeUndefined();
});

it('a visit token is invalid if any part of it is changed', () => {
  const parts = tokens.issue('a', page).split('.');
  for (const [index, part] of parts.entries()) {
    const changed = `${part.startsWith('1') ? '2' : '1'}${part.slice(1)}`;
    expect(tokens.read(parts.map((one, at) => (at === index ? changed : one)).join('.'), 'a')).toBeNull();
  }
  expect(tokens.read(parts.join('.'), 'another network')).toBeNull();
});
