import { ChatServices } from '@shop/server/test/support/doubles/chat-services';
import { json } from '@shop/server/test/support/doubles/double';
import { StaffWebhook } from '@shop/server/test/support/doubles/webhook-receiver';
import { withDouble } from '@shop/server/test/support/with-double';
import { signedInStaff } from '../testing/staff';

withDouble('chats at /staff', new ChatServices(), (testApp, services) => {
  it('ops see the chats and send a test, on record, with the answer of the service and without a secret', async () => {
    const ops = await signedInStaff(testApp(), 'ops');
    const refusal = { ok: false, description: `Unauthorized: ${services.secrets.telegram}` };
    services.faults.set('telegram', json(401, refusal));
    const test = async (name: string) => (await ops.post('chats/test', { name })).data;
    expect(await test('dingtalk-zh')).toEqual({ accepted: true, answer: 'ok' });
    const refused = { accepted: false, answer: 'HTTP 401 Unauthorized: ***' };
    expect(await test('telegram-en')).toEqual(refused);
    expect((await ops.post('chats/test', { name: 'other' })).code).toBe(404);
    expect(services.accepted).toEqual([{ form: 'dingtalk', text: '测试消息：商城的通知会发到这里。' }]);
    await testApp().db.run(
      `insert into notices (channel, kind, about, data, state, tries, detail, ended_at)
       values ('chat', 'staff_order', 'a', '{"to": "slack-en"}', 'sent', 1, '', now()),
              ('chat', 'staff_order', 'b', '{"to": "slack-en"}', 'waiting', 2, 'HTTP 400 invalid_payload', null)`,
    );
    const { data: chats } = await ops.get('chats');
    expect(chats.find(({ name }: { name: string }) => name === 'slack-en')).toEqual({
      name: 'slack-en',
      form: 'slack',
      host: services.address,
      language: 'en',
      events: ['order', 'to-deliver', 'order-on-hold', 'low-stock', 'cost-above-price', 'refund', 'release'],
      waiting: 1,
      sent_at: expect.stringMatching(/Z$/),
      fault: 'HTTP 400 invalid_payload',
    });
    const entries = await testApp().db.rows("select actor, subject, detail from audit_log where action = 'chat.test'");
    expect(entries).toEqual([
      { actor: ops.actor, subject: 'dingtalk-zh', detail: { accepted: true, answer: 'ok' } },
      { actor: ops.actor, subject: 'telegram-en', detail: refused },
    ]);
    const shown = JSON.stringify([chats, entries]);
    for (const secret of Object.values(services.secrets)) expect(shown).not.toContain(secret);
  });
});

withDouble('webhooks at /staff', new StaffWebhook(), (testApp, webhook) => {
  it('ops send a signed test to a webhook, and see its state without its address', async () => {
    const ops = await signedInStaff(testApp(), 'ops');
    const [{ name }] = (await ops.get('chats')).data;
    webhook.failing = 1;
    expect((await ops.post('chats/test', { name })).data).toEqual({ accepted: false, answer: 'HTTP 503' });
    expect((await ops.post('chats/test', { name })).data).toEqual({ accepted: true, answer: '' });
    expect(webhook.accepted).toEqual([{ id: '0', kind: 'test', at: expect.stringMatching(/Z$/) }]);
    const { data, text } = await ops.get('chats');
    expect(data).toMatchObject([{ form: 'webhook', host: webhook.address, language: null, waiting: 0 }]);
    expect(text).not.toContain('hidden');
  });
});
