import { canaryEntry, type StepRule } from '@platform/releases';
import { readHealth } from './health-view';
import { releasesOfVisit } from './step-counts';
import { HealthFixture } from './testing/health-fixture';

const rule: StepRule = { from: 'page', to: 'done' };
let shop: HealthFixture;
let visits = 0;

async function start(...steps: StepRule[]): Promise<void> {
  shop = await HealthFixture.inMemory({ steps });
  await shop.promote({ version: shop.two, canary: [50, 100] });
  await shop.look();
  await shop.pass(11);
  await shop.report({ version: shop.one, visits: 60 }, { version: shop.two, visits: 60 });
}

async function visit(count: number, reachedByCanary: number, reachedByOthers: number): Promise<void> {
  const map = await shop.store.readMap();
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
    await shop.health.addSteps(noted);
  }
}
const canary = async () => canaryEntry(await shop.store.readMap(), 'catalog')?.metadata.version;
const watched = async () => {
  const { releases } = await readHealth(shop.health, await shop.store.readMap(), { urls: [] });
  return releases.find(({ role }) => role === 'canary')?.watched;
};

it('a healthy canary is raised only after its steps are judged good', async () => {
  await start(rule);
  await visit(100, 5, 5);
  expect(await shop.look()).toEqual([]);
  expect(await watched()).toMatchObject({
    verdict: 'well',
    next: { waitsFor: expect.stringMatching(/^about \d+ more minutes at the present traffic/) },
  });
  await visit(2_000, 100, 100);
  expect(await shop.look()).toMatchObject([{ kind: 'canary-step', version: shop.two }]);
});

it('a canary is rolled back and frozen if no visit completes a path with it', async () => {
  await start(rule);
  await visit(1_000, 0, 50);
  expect(await shop.look()).toMatchObject([
    { kind: 'canary-back', version: shop.two, why: expect.stringMatching(/^page → done: 0\.0 % of 1000 visits/) },
  ]);
  expect(await canary()).toBeUndefined();
  const { frozen } = (await shop.store.readMap()).ops;
  expect(frozen.catalog).toMatchObject([{ version: shop.two, by: 'watcher' }]);
});

it('a dry-run rule reports once what it would have done, and blocks nothing', async () => {
  await start({ ...rule, dryRun: true });
  await visit(1_000, 0, 50);
  expect(await shop.look()).toMatchObject([
    { kind: 'alert', why: expect.stringMatching(/^would have been rolled back \(dry run\): page → done/) },
    { kind: 'canary-step', version: shop.two },
  ]);
  expect((await shop.look()).filter(({ kind }) => kind === 'alert')).toEqual([]);
});
