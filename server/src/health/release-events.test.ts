import { recordEvent, sendWebhooks } from '@platform/watch';
import { onEveryDatabase } from '../../test/support/test-app';
import { Settings } from '../platform/settings/settings';
import { readWebhooks } from '../providers/webhook-settings';
import { healthStore } from './health-store';
import { receiverSecret as secret, WebhookReceiver } from './testing/webhook-receiver';

onEveryDatabase('a webhook', (testApp) => {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.close());
  beforeEach(async () => {
    await testApp().db.script('truncate release_webhooks, release_events');
    receiver.reset();
  });
  const event = {
    id: 'production:7',
    who: 'watcher',
    channel: 'production',
    kind: 'rollback' as const,
    name: 'catalog',
    version: '2.0.0',
    why: 'bad',
    evidence: { test: 'worse' },
  };
  const due = () => testApp().db.run("update release_webhooks set next_at = now() - interval '1 second'");
  const send = () => sendWebhooks(healthStore(testApp().db), receiver.webhooks);

  it('is sent again until the receiver takes it, with who, what and the evidence, signed', async () => {
    const { db } = testApp();
    receiver.failing = 2;
    expect(await recordEvent(healthStore(db), event, receiver.webhooks)).toBe(true);
    expect(await send()).toBe(0);
    expect(await send()).toBe(0);
    await due();
    expect(await send()).toBe(0);
    await due();
    expect(await send()).toBe(1);
    expect(receiver.taken).toEqual([{ at: expect.stringMatching(/^20.*Z$/), ...event }]);
    await due();
    expect(await send()).toBe(0);
  });

  it('waits longer after each failure, and says why without the address', async () => {
    const { db } = testApp();
    await recordEvent(healthStore(db), event, receiver.webhooks);
    const waits: number[] = [];
    for (const fail of [
      () => {
        receiver.failing = 1;
      },
      () => {
        receiver.unreachable = true;
      },
    ]) {
      fail();
      await send();
      const row = await db.one<{ wait: number; last_error: string; target: string }>(
        'select extract(epoch from next_at - now())::double precision as wait, last_error, target from release_webhooks',
      );
      waits.push(row.wait);
      expect(row.last_error).toMatch(/^(HTTP 503|ECONNRESET|UND_ERR_SOCKET)$/);
      expect(JSON.stringify(row)).not.toContain('hidden');
      await due();
    }
    expect(waits[1]).toBeGreaterThan((waits[0] ?? 0) + 5);
  });

  it('is sent once by several servers that work at the same time', async () => {
    const { db } = testApp();
    expect(
      await Promise.all(Array.from({ length: 4 }, () => recordEvent(healthStore(db), event, receiver.webhooks))),
    ).toHaveLength(4);
    const sent = await Promise.all(Array.from({ length: 4 }, send));
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(receiver.taken).toHaveLength(1);
  });
});

it.each([
  [{ RELEASE_WEBHOOK_URL: 'https://ops.example/a, https://ops.example/b', RELEASE_WEBHOOK_SECRET: secret }, []],
  [{}, []],
  [
    { RELEASE_WEBHOOK_URL: 'https://ops.example/a' },
    ['RELEASE_WEBHOOK_SECRET must be set: RELEASE_WEBHOOK_URL is set.'],
  ],
  [
    { RELEASE_WEBHOOK_URL: 'http://ops.example/private-part', RELEASE_WEBHOOK_SECRET: 'short' },
    [
      'RELEASE_WEBHOOK_URL must be https addresses, separated by commas.',
      'RELEASE_WEBHOOK_SECRET must be at least 32 characters long.',
    ],
  ],
])('settings %j in production have these problems', (env, expected) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  readWebhooks(settings, 'RELEASE');
  expect(settings.problems).toEqual(expected);
});
