import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, mapSource, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { HealthCounts } from './health-counts';
import { toContext } from './health-event';
import { readHealth } from './health-view';
import { failingWebhooks, recordEvent, sendWebhooks } from './release-events';
import { memoryHealthStore } from './testing/memory-health-store';
import { Watcher } from './watcher';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'));
  store = openStore({ place: folder });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** One visit of each network, by what it reports. */
function visit(counts: HealthCounts, version: string, networks: number, kind: 'visit' | 'render'): void {
  for (let network = 0; network < networks; network += 1) {
    const event = { name: 'catalog', version, visit: network.toString(16).padStart(16, '0'), kind };
    counts.add(event, { network: `${kind} ${network}`, context: toContext({ language: 'en' }), traffic: 100 });
  }
}

it('takes back a release that fails, once, and tells a receiver, signed', async () => {
  const one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog', version: one });
  const two = await publishSample(store, { text: 'two' });
  let clock = Date.parse('2026-01-01T08:00:30Z');
  const health = memoryHealthStore(() => clock);
  const counts = new HealthCounts('a secret', () => clock);
  const taken: unknown[] = [];
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { 'x-release-timestamp': time, 'x-release-signature': signature } = request.headers;
    const own = createHmac('sha256', 'a secret').update(`${time}\n/hook\n${body}`).digest('hex');
    taken.push(signature === own && JSON.parse(body));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const webhooks = { urls: [`http://127.0.0.1:${port}/hook`], secret: 'a secret' };

  const watcher = new Watcher({ store, source: mapSource(store, 'production'), health, webhooks });
  expect(await watcher.look()).toEqual([]);
  visit(counts, one, 600, 'visit');
  await counts.flush(health);
  clock += 60_000;
  await promote(store, { by: 'ann', name: 'catalog', version: two });
  expect(await watcher.look()).toEqual([]);
  clock += 60_000;
  visit(counts, two, 300, 'visit');
  visit(counts, two, 300, 'render');
  await counts.flush(health);
  const shown = { name: 'catalog', version: two };
  const { releases, watched } = await readHealth(health, await store.readMap('production'), [shown], { urls: [] });
  expect(releases.get(`catalog@${two}`)).toMatchObject({
    visits: 600,
    failures: 300,
    series: [...new Array(29).fill(null), 0.5],
  });
  expect(releases.get(`catalog@${two}`)?.segments.map(({ group }) => group)).toEqual(['en', 'phone', 'guest']);
  expect(watched.get('catalog')).toMatchObject({
    verdict: 'bad',
    why: expect.stringContaining('50.0 % of 600 visits'),
  });
  expect(await watcher.look()).toMatchObject([{ kind: 'rollback', name: 'catalog', version: two }]);
  expect(await watcher.look()).toEqual([]);
  expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(one);
  expect((await history(store)).map(({ action }) => action).slice(0, 2)).toEqual(['rollback', 'freeze']);
  expect(watcher.lines('demo', await store.readMap('production'))).toContain(
    'demo_watcher_acts_total{name="catalog",kind="rollback"} 1',
  );
  expect(await sendWebhooks(health, webhooks)).toBe(2);
  expect(await sendWebhooks(health, webhooks)).toBe(0);
  expect(taken).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ who: 'watcher', kind: 'rollback', version: two }),
      expect.objectContaining({ who: 'ann', kind: 'promote', version: two }),
    ]),
  );
  receiver.close();
});

it('keeps a message until its receiver takes it, and names a receiver that does not', async () => {
  let clock = Date.parse('2026-01-01T08:00:00Z');
  const health = memoryHealthStore(() => clock);
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const webhooks = { urls: [`http://127.0.0.1:${port}/hook`], secret: 'a secret' };
  const event = { ...{ id: 'production:2', who: 'ann', channel: 'production' }, kind: 'freeze' as const };
  const sent = { ...event, name: 'catalog', version: '', why: 'a try', evidence: {} };
  expect(await recordEvent(health, sent, webhooks)).toBe(true);
  expect(await recordEvent(health, sent, webhooks)).toBe(false);
  for (const seconds of [10, 20, 40]) {
    expect(await sendWebhooks(health, webhooks)).toBe(0);
    expect(await health.claimMessages(['nobody'], 30, 10)).toEqual([]);
    clock += seconds * 1000;
  }
  expect(await failingWebhooks(health, webhooks)).toEqual([
    { place: 1, messages: 1, since: '2026-01-01T08:00:00.000Z', error: 'ECONNREFUSED' },
  ]);
});
