import { mapSource, promote, restore, rollback, runAction } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { failingWebhooks, sendWebhooks, Watcher } from '@platform/watch';
import type { HealthFixture } from '@platform/watch/testing';
import { receiverSecret, WebhookReceiver } from '../../test/support/doubles/webhook-receiver';
import { onEveryDatabase } from '../../test/support/test-app';
import { openHealth } from './testing/health-fixture';

onEveryDatabase('webhooks of release changes', (testApp) => {
  const receiver = new WebhookReceiver();
  let shop: HealthFixture;
  beforeAll(() => receiver.start());
  afterAll(() => receiver.close());
  beforeEach(async () => {
    shop = await openHealth(testApp());
    receiver.reset();
  });
  const server = () => {
    const { store, health } = shop;
    return new Watcher({ store, source: mapSource(store), health, webhooks: receiver.webhooks });
  };
  const due = () => testApp().db.run("update release_webhooks set next_at = now() - interval '1 second'");
  const send = (timeoutMs?: number) => sendWebhooks(shop.health, receiver.webhooks, timeoutMs);
  const reported = () => receiver.accepted.map(({ who, kind, name, version }) => [who, kind, name, version]);

  it('several servers report each release change of any author once, signed and without a secret', async () => {
    const servers = [server(), server()];
    const look = () => Promise.all(servers.map((server) => server.look()));
    await look();
    const ann = { by: 'ann', name: 'catalog' };
    await promote(shop.store, { ...ann, version: shop.two, traffic: 10 });
    await promote(shop.store, { ...ann, version: shop.two, why: 'the gate is green' });
    await rollback(shop.store, { by: '安 Ann (ops)', name: 'catalog' });
    const context = { by: 'ann', why: 'double charges', server: { routes: [], calls: [] } };
    for (const action of ['freeze', 'unfreeze', 'render-off'] as const)
      await runAction(shop.store, { action, name: 'catalog' }, context);
    await restore(shop.store, { by: 'ann', rev: 3 });
    await look();
    await look();
    expect((await Promise.all([send(), send(), send()])).reduce((sum, count) => sum + count)).toBe(7);
    expect(reported().sort()).toEqual(
      [
        ['ann', 'canary', 'catalog', shop.two],
        ['ann', 'promote', 'catalog', shop.two],
        ['安 Ann (ops)', 'rollback', 'catalog', shop.two],
        ['ann', 'freeze', 'catalog', ''],
        ['ann', 'unfreeze', 'catalog', ''],
        ['ann', 'render-off', 'catalog', ''],
        ['ann', 'restore', '*', ''],
      ].sort(),
    );
    expect(receiver.accepted).toContainEqual({
      id: 'production:3',
      at: expect.stringMatching(/^20.*Z$/),
      who: 'ann',
      channel: 'production',
      kind: 'promote',
      name: 'catalog',
      version: shop.two,
      why: 'the gate is green',
      evidence: { rev: 3, from: shop.one, to: shop.two, changed: expect.stringMatching(/^20.*Z$/) },
    });
    const sent = JSON.stringify(receiver.accepted);
    for (const secret of [receiverSecret, 'hidden', testApp().context.config.secret])
      expect(sent).not.toContain(secret);
    await look();
    await due();
    expect(await send()).toBe(0);
  });

  it.each([
    ['closes the connection', { unreachable: true }, /^(ECONNRESET|UND_ERR_SOCKET)$/],
    ['hangs', { fault: 'hangs' as const, answerWithinMs: 2_000 }, /^TimeoutError$/],
    ['redirects', { fault: 'redirects' as const }, /^HTTP 30\d$/],
    ['fails', { failing: 3 }, /^HTTP 503$/],
  ])(
    'a release is live at once while the receiver %s; the error is shown without its address, and the report sent later',
    async (_, { answerWithinMs, ...fault }: { answerWithinMs?: number; [fault: string]: unknown }, error) => {
      await server().look();
      Object.assign(receiver, fault);
      await shop.promote();
      expect(await shop.live()).toBe(shop.two);
      await server().look();
      const waits: number[] = [];
      for (let tries = 1; tries <= 3; tries += 1) {
        expect(await failingWebhooks(shop.health, receiver.webhooks)).toEqual([]);
        expect(await send(answerWithinMs)).toBe(0);
        expect(receiver.requests).toBe(tries);
        const { wait, ...row } = await testApp().db.one<{ wait: number }>(
          'select extract(epoch from next_at - now())::double precision as wait, last_error, target from release_webhooks',
        );
        waits.push(wait);
        expect(JSON.stringify(row)).not.toContain('hidden');
        await due();
      }
      expect(waits[1]).toBeGreaterThan((waits[0] ?? 0) + 5);
      expect(await failingWebhooks(shop.health, receiver.webhooks)).toEqual([
        { place: 1, messages: 1, since: expect.stringMatching(/^20.*Z$/), error: expect.stringMatching(error) },
      ]);
      receiver.reset();
      expect(await send()).toBe(1);
      expect(reported()).toEqual([['ann', 'promote', 'catalog', shop.two]]);
      expect(await failingWebhooks(shop.health, receiver.webhooks)).toEqual([]);
    },
  );

  it('the next server reports, exactly once, the release changes made while no server could', async () => {
    const first = server();
    await first.look();
    // Changes from before the first report are not reported.
    expect(await send()).toBe(0);
    await shop.promote();
    await first.look();
    await first.look();
    const three = await publishSample(shop.store, { text: 'three' });
    await shop.promote({ version: three });
    await shop.promote({ version: shop.one });
    await server().look();
    await send();
    expect(reported().sort()).toEqual(
      [shop.two, three, shop.one].map((version) => ['ann', 'promote', 'catalog', version]).sort(),
    );
  });
});
