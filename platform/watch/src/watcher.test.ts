import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { liveVersion, mapSource, openStore, promote, promoteTogether, rollback, type Store } from '@platform/releases';
import { publishLive, publishSample, type Sample, scratch } from '@platform/releases/testing';
import { HealthCounts } from './health-counts';
import { toContext } from './health-event';
import type { HealthStore } from './health-store';
import { readHealth } from './health-view';
import { failingWebhooks, recordEvent, sendWebhooks } from './release-events';
import { memoryHealthStore } from './testing/memory-health-store';
import { Watcher } from './watcher';

let store: Store;
beforeEach(async () => {
  store = openStore({ place: await scratch() });
});

function visit(counts: HealthCounts, version: string, networks: number, kind: 'visit' | 'render'): void {
  for (let network = 0; network < networks; network += 1) {
    const event = { name: 'catalog', version, visit: network.toString(16).padStart(16, '0'), kind };
    counts.add(event, { network: `${kind} ${network}`, context: toContext({ language: 'en' }), traffic: 100 });
  }
}

it('the watcher rolls back a failing release once, and notifies a receiver with a signature', async () => {
  const one = await publishLive(store, { text: 'one' });
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
  const step = { ...shown, traffic: 100, control: false, path: 'price>order', minute: new Date(clock).toISOString() };
  jest.spyOn(health, 'stepMinutes').mockResolvedValueOnce([
    { ...step, visits: 10, reached: 1 },
    { ...step, visits: 30, reached: 3 },
  ]);
  const { releases, watched } = await readHealth(health, await store.readMap('production'), [shown], { urls: [] });
  expect(releases.get(`catalog@${two}`)).toMatchObject({
    visits: 600,
    failures: 300,
    funnel: [{ path: 'price>order', visits: 40, reached: 4 }],
  });
  expect(releases.get(`catalog@${two}`)?.segments.map(({ group }) => group)).toEqual(['en', 'phone', 'guest']);
  expect(watched.get('catalog')).toMatchObject({
    verdict: 'bad',
    why: expect.stringContaining('50.0 % of 600 visits'),
  });
  expect(await watcher.look()).toMatchObject([{ kind: 'rollback', name: 'catalog', version: two }]);
  expect(await watcher.look()).toEqual([]);
  expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(one);
  const { changed, ops } = await store.readMap('production');
  expect([changed.action, ops.frozen.catalog]).toMatchObject(['rollback', [{ version: two, by: 'watcher' }]]);
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

describe('failing live release', () => {
  let clock: number;
  let health: HealthStore;
  let watcher: Watcher;
  beforeEach(() => {
    clock = Date.parse('2026-01-01T08:00:30Z');
    health = memoryHealthStore(() => clock);
    const webhooks = { urls: ['https://ops.example/hook'], secret: 'a secret' };
    watcher = new Watcher({ store, source: mapSource(store, 'production'), health, webhooks });
  });

  async function report(version: string, kind: 'visit' | 'render'): Promise<void> {
    const counts = new HealthCounts('a secret', () => clock);
    visit(counts, version, 300, kind);
    await counts.flush(health);
    clock += 60_000;
  }
  async function goLive(given: Sample): Promise<string> {
    const version = await publishLive(store, given);
    await watcher.look();
    await report(version, 'visit');
    return version;
  }
  const live = async () => liveVersion(await store.readMap('production'), 'catalog');

  it('a failing live release stays, with one alert to ops, if the live shell cannot run the previous one', async () => {
    const shell = (version: string) => publishSample(store, { name: 'shell', provides: { react: version } });
    await promote(store, { by: 'ann', name: 'shell', version: await shell('19.3.1') });
    await goLive({ text: 'one' });
    const two = await publishSample(store, { text: 'two', needs: { react: '^20.0.0' } });
    const releases = [
      { name: 'shell', version: await shell('20.0.0') },
      { name: 'catalog', version: two },
    ];
    await promoteTogether(store, { by: 'ann', releases });
    await watcher.look();
    await report(two, 'render');
    const recordEvent = jest.spyOn(health, 'recordEvent');
    const why = expect.stringMatching(/^100\.0 % of 300 visits failed .* could not be rolled back: .*singletons/);
    expect(await watcher.look()).toMatchObject([{ kind: 'alert', name: 'catalog', version: two, why }]);
    expect(recordEvent).toHaveBeenCalledWith(expect.objectContaining({ kind: 'alert', why }), [expect.any(String)]);
    expect(await watcher.look()).toEqual([]);
    const map = await store.readMap('production');
    expect([liveVersion(map, 'catalog'), map.ops.frozen]).toEqual([two, {}]);
  });

  it('a failing live release is reported once while the store accepts no change, and rolled back when it does', async () => {
    const one = await goLive({ text: 'one' });
    const two = await goLive({ text: 'two' });
    await report(two, 'render');
    const putNew = jest.spyOn(store.blobs, 'putNew');
    for (let attempt = 0; attempt < 2; attempt += 1) putNew.mockRejectedValueOnce(new Error(`503, request ${attempt}`));
    expect(await watcher.look()).toMatchObject([{ kind: 'alert', why: expect.stringContaining('503') }]);
    expect(await watcher.look()).toEqual([]);
    expect(await watcher.look()).toMatchObject([{ kind: 'rollback', version: two }]);
    expect(await live()).toBe(one);
  });

  it('a failing live release is rolled back after a rollback by a user too', async () => {
    const [one, two, three] = [await goLive({ text: '1' }), await goLive({ text: '2' }), await goLive({ text: '3' })];
    await rollback(store, { by: 'ann', name: 'catalog', from: three });
    await watcher.look();
    await report(two, 'render');
    expect(await watcher.look()).toMatchObject([{ kind: 'rollback', version: two }]);
    expect(await live()).toBe(one);
  });

  it('a failing live release is only reported after a rollback by the watcher, because the cause is elsewhere', async () => {
    await goLive({ text: '1' });
    const [two, three] = [await goLive({ text: '2' }), await goLive({ text: '3' })];
    await report(three, 'render');
    expect(await watcher.look()).toMatchObject([{ kind: 'rollback', version: three }]);
    await watcher.look();
    await report(two, 'render');
    expect(await watcher.look()).toMatchObject([
      { kind: 'alert', version: two, why: expect.stringContaining('nothing was changed: 100.0 % of 300') },
    ]);
    expect(await live()).toBe(two);
  });
});

it('the watcher keeps a message until its receiver accepts it, and reports a receiver that does not', async () => {
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
    expect(await health.claimMessages(['another receiver'], 30, 10)).toEqual([]);
    clock += seconds * 1000;
  }
  expect(await failingWebhooks(health, webhooks)).toEqual([
    { place: 1, messages: 1, since: '2026-01-01T08:00:00.000Z', error: 'ECONNREFUSED' },
  ]);
});
