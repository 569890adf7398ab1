import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, mapSource, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import type { Tally } from './confidence';
import { GROUPS, type HealthStore, noVisits, type Tallies } from './health-store';
import type { RecordedEvent } from './release-event';
import { sendWebhooks } from './release-events';
import { Watcher } from './watcher';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'));
  store = openStore({ place: folder });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const everywhere = (tally: Tally) => Object.fromEntries(GROUPS.map((group) => [group, tally])) as Tallies;

/** In memory, with visits by version; every release is served for an hour. */
function memoryStore(visits: Record<string, Tally>): HealthStore & { recorded: RecordedEvent[] } {
  const recorded: RecordedEvent[] = [];
  const messages: Array<{ id: string; target: string }> = [];
  const tallies: HealthStore['votes'] = async (selections) =>
    new Map(selections.map(({ id, version }) => [id, everywhere(visits[version ?? ''] ?? noVisits().all)]));
  return {
    recorded,
    add: async () => {},
    recordPeriods: async (_, served) => served.map((one) => ({ ...one, since: 'an hour ago', seconds: 3_600 })),
    votes: tallies,
    counted: tallies,
    series: async () => new Map(),
    vitals: async () => new Map(),
    async recordEvent(event, targets) {
      if (recorded.some(({ id }) => id === event.id)) return false;
      recorded.push({ ...event, at: '2026-01-01T00:00:00Z' });
      messages.push(...targets.map((target) => ({ id: event.id, target })));
      return true;
    },
    events: async () => recorded,
    claimMessages: async () =>
      messages
        .splice(0)
        .flatMap(({ id, target }) =>
          recorded.filter((event) => event.id === id).map((event) => ({ ...event, target })),
        ),
    messageSent: async () => {},
    failingTargets: async () => [],
    toldUntil: async (_, rev) => rev,
    setToldUntil: async () => {},
  };
}

it('takes back a release that fails, once, and tells a receiver, signed', async () => {
  const one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog', version: one });
  const two = await publishSample(store, { text: 'two' });
  await promote(store, { by: 'ann', name: 'catalog', version: two });
  const health = memoryStore({ [one]: { visits: 200, failures: 1 }, [two]: { visits: 60, failures: 60 } });
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
  expect(await watcher.look()).toMatchObject([{ kind: 'rollback', name: 'catalog', version: two }]);
  expect(await watcher.look()).toEqual([]);
  expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(one);
  expect((await history(store)).map(({ action }) => action).slice(0, 2)).toEqual(['rollback', 'freeze']);
  expect(watcher.lines('demo', await store.readMap('production'))).toContain(
    'demo_watcher_acts_total{name="catalog",kind="rollback"} 1',
  );
  expect(await sendWebhooks(health, webhooks)).toBe(1);
  expect(taken).toMatchObject([{ who: 'watcher', kind: 'rollback', version: two }]);
  receiver.close();
});
