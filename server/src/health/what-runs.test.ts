/** A server and what visitors run against it: it does not start without what that uses, and counts who uses what is to go. */
import { publishSample } from '@platform/releases/testing';
import { refuseWhatDoesNotFit } from '@shop/backoffice/ops/fits-what-runs';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { until } from '../../../scripts/jest/until';
import { onEveryDatabase } from '../../test/support/test-app';
import { buildApp } from '../app';
import calls from '../generated/calls.json';
import { HealthFixture } from './testing/health-fixture';

const call = 'GET /api/front/goods/info';
const uses = { calls: { [call]: { takes: { id: 'integer' }, answer: { '': 'object', name: 'string' } } } };
const { name: _, ...withoutName } = calls[call].answer;
const changed = { ...calls, [call]: { ...calls[call], answer: withoutName } };

onEveryDatabase('a server and what visitors run', (testApp) => {
  let shop: HealthFixture;
  let told: string[];
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp(), { uses });
    told = [];
  });
  const start = (server: typeof changed | typeof calls, isStrict = true) =>
    refuseWhatDoesNotFit(shop.db, {
      store: shop.store,
      channel: 'production',
      calls: server,
      isStrict,
      say: (line) => void told.push(line),
    });
  const report = (version: string, minutes: number) =>
    shop.db.run(
      `insert into release_minutes (name, version, minute, traffic, language, device, signed_in, visits, failures)
       values ('catalog', $1, now() - make_interval(mins => $2), 0, 'en', 'phone', false, 1, 0)`,
      [version, minutes],
    );

  it('fit where the server has all of it', async () => {
    await start(calls);
    expect(told).toEqual([]);
  });

  it('do not fit where a live release uses a field that is gone: both are named, and outside production it is told only', async () => {
    const fault = `This server does not have what visitors run: catalog@${shop.one} uses ${call}: "name", which is not answered any more.`;
    await expect(start(changed)).rejects.toThrow(fault);
    await start(changed, false);
    expect(told).toEqual([expect.stringContaining(fault)]);
  });

  it('wait for tabs that still run a release of before, until none has reported for two hours', async () => {
    const without = await publishSample(shop.store, { text: 'without' });
    await shop.promote({ version: without });
    await start(changed);
    await report(shop.one, 10);
    await expect(start(changed)).rejects.toThrow(
      new RegExp(
        `catalog@${shop.one} \\(not live any more; an open tab reported at .*\\) uses .* It can start when no tab runs these any more`,
      ),
    );
    await shop.db.run("update release_minutes set minute = minute - interval '2 hours'");
    await start(changed);
    expect(told).toEqual([]);
  });

  it('do not keep a server down whose store cannot be read', async () => {
    const readMap = () => Promise.reject(new Error('the bucket does not answer'));
    const store = { ...shop.store, readMap };
    const say = (line: string) => void told.push(line);
    await refuseWhatDoesNotFit(shop.db, { store, channel: 'production', calls: changed, isStrict: true, say });
    expect(told).toEqual(['What is live could not be compared with this server: the bucket does not answer']);
  });

  it('are counted by release where they use what is to go', async () => {
    await publishSample(shop.store, { name: 'shell' });
    await shop.promote({ name: 'shell' });
    const going = { ...calls, [call]: { ...calls[call], retires: { name: '2027-01-31' } } };
    const { plugins } = backOfficeWithReleases({ store: shop.store, watchEvery: 0, calls: going });
    const app = await buildApp({ ...testApp().context, plugins });
    const ask = (url: string, headers = {}) => app.inject({ url, headers, remoteAddress: '127.0.0.1' });
    const page = await ask('/home', { accept: 'text/html', 'sec-fetch-dest': 'document' });
    const cookie = [page.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0])
      .join('; ');
    await ask(`/api/front/goods/info?id=${testApp().goods.card.id}`, { cookie });
    await until('the call to be counted', async () =>
      (await ask('/metrics')).body.includes(
        `shop_retiring_calls_total{call="${call}",field="name",on="2027-01-31",release="catalog@${shop.one}"} 1`,
      ),
    );
    await app.close();
  });
});
