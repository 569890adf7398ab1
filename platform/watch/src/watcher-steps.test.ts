import { canaryEntry, mapSource, openStore, promote, type StepRule, type Store } from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import { HealthCounts } from './health-counts';
import { toContext } from './health-event';
import type { HealthStore } from './health-store';
import { readHealth } from './health-view';
import { releasesOfVisit } from './step-counts';
import { memoryHealthStore } from './testing/memory-health-store';
import { Watcher } from './watcher';

const rule: StepRule = { from: 'page', to: 'done' };
let store: Store;
let clock: number;
let health: HealthStore;
let watcher: Watcher;
let two: string;
let visits = 0;

async function start(...steps: StepRule[]): Promise<void> {
  store = openStore({ place: await scratch() });
  clock = Date.parse('2026-01-01T08:00:30Z');
  health = memoryHealthStore(() => clock);
  watcher = new Watcher({ store, source: mapSource(store, 'production'), health });
  const one = await publishLive(store, { text: 'one', steps });
  two = await publishSample(store, { text: 'two', steps });
  await promote(store, { by: 'ann', name: 'catalog', version: two, canary: [50, 100] });
  await watcher.look();
  clock += 11 * 60_000;
  const counts = new HealthCounts('a secret', () => clock);
  for (let network = 0; network < 60; network += 1)
    for (const version of [one, two]) {
      const event = { name: 'catalog', version, visit: network.toString(16).padStart(16, '0'), kind: 'visit' } as const;
      counts.add(event, { network: `${network}`, context: toContext({}), traffic: 50 });
    }
  await counts.flush(health);
}

async function visit(count: number, reachedByCanary: number, reachedByOthers: number): Promise<void> {
  const map = await store.readMap('production');
  for (const [visitor, reached] of [
    [10, reachedByCanary],
    [60, reachedByOthers],
  ] as const) {
    const noted = Array.from({ length: count }, (_, index) => ({
      visit: `v${++visits}`,
      network: `n${visits}`,
      rev: map.rev,
      age: 0,
      segment: ['en'],
      steps: index < reached ? ['page', 'done'] : ['page'],
      releases: releasesOfVisit(map, map, { visitor }),
    }));
    await health.addSteps(noted);
  }
}
const canary = async () => canaryEntry(await store.readMap('production'), 'catalog')?.metadata.version;
const watched = async () => {
  const { watched: states } = await readHealth(health, await store.readMap('production'), [], { urls: [] });
  return states.get('catalog');
};

it('a healthy canary is raised only after its steps are judged good', async () => {
  await start(rule);
  await visit(100, 5, 5);
  expect(await watcher.look()).toEqual([]);
  expect(await watched()).toMatchObject({
    verdict: 'well',
    steps: [{ path: 'page>done', verdict: 'inconclusive' }],
    next: { waitsFor: expect.stringMatching(/^about \d+ more minutes at the present traffic/) },
  });
  await visit(2_000, 100, 100);
  expect(await watcher.look()).toMatchObject([{ kind: 'canary-step', version: two }]);
});

it('a canary is rolled back and frozen if no visit completes a path with it', async () => {
  await start(rule);
  await visit(1_000, 0, 50);
  expect(await watcher.look()).toMatchObject([
    { kind: 'canary-back', version: two, why: expect.stringMatching(/^page → done: 0\.0 % of 1000 visits/) },
  ]);
  expect(await canary()).toBeUndefined();
  expect((await store.readMap('production')).ops.frozen.catalog).toMatchObject([{ version: two, by: 'watcher' }]);
});

it('a dry-run rule reports once what it would have done, and blocks nothing', async () => {
  await start({ ...rule, dryRun: true });
  await visit(1_000, 0, 50);
  expect(await watcher.look()).toMatchObject([
    { kind: 'alert', why: expect.stringMatching(/^would have been rolled back \(dry run\): page → done/) },
    { kind: 'canary-step', version: two },
  ]);
  expect((await watcher.look()).filter(({ kind }) => kind === 'alert')).toEqual([]);
});

describe('fall in all releases', () => {
  async function fall(reached: number): Promise<void> {
    await start({ ...rule, dryRun: true });
    await visit(1_000, 200, 200);
    clock += 100 * 60_000;
    await visit(500, reached, reached);
  }
  const alerts = async () => (await watcher.look()).filter(({ kind }) => kind === 'alert').map(({ why }) => why);

  it('a fall in all releases raises one alert that blames no release', async () => {
    await fall(10);
    expect(await alerts()).toEqual([expect.stringMatching(/^page → done fell with every release alike/)]);
    clock += 60_000;
    expect(await alerts()).toEqual([]);
  });

  it('no fall is reported while as many visits complete the path as before', async () => {
    await fall(100);
    expect(await alerts()).toEqual([]);
  });
});
