import { StaffWebhook } from '../../test/support/doubles/webhook-receiver';
import { withDouble } from '../../test/support/with-double';
import { endHolds } from '../holds/holds.service';
import { collectLowStock, collectOrderNotices } from './collect-notices.service';
import { sendNotices } from './send-notices.service';

withDouble('notices to staff', new StaffWebhook(), (testApp, webhook) => {
  const mails = async (to: string) => JSON.parse((await testApp().get(`/dev/mails.json?to=${to}`)).text);
  beforeAll(() => collectOrderNotices(testApp().context));
  beforeEach(() => webhook.reset());

  it('staff webhooks report every paid order and staff mail only those to deliver, once, without data of the shopper', async () => {
    const user = await testApp().user(100_000);
    await testApp().addStock(5);
    const card = await user.bought();
    const manual = await user.bought(testApp().orderBody('manual'));
    await user.order();
    for (let turn = 0; turn < 2; turn++) {
      await collectOrderNotices(testApp().context);
      await sendNotices(testApp().context);
    }
    expect(webhook.accepted.map(({ order_no, waits, kind }) => ({ order_no, waits, kind }))).toEqual([
      { order_no: card, waits: false, kind: 'order' },
      { order_no: manual, waits: true, kind: 'order' },
    ]);
    expect(webhook.accepted[1]).toMatchObject({
      amount: expect.stringMatching(/^\d+\.\d\d$/),
      currency: 'CNY',
      quantity: 1,
      goods: expect.any(String),
      spec: expect.stringMatching(/^[^{}"]+$/),
    });
    for (const to of ['ann@shop.example', 'bob@shop.example']) {
      const sent = await mails(to);
      expect(sent).toHaveLength(1);
      expect(sent[0].text).toContain(manual);
      expect(sent[0].subject).not.toMatch(/[{}"]/);
    }
    expect(JSON.stringify([webhook.accepted, await mails('ann@shop.example')])).not.toContain(user.phone);
  });

  it('staff get one mail and webhook for an order on hold, and the mail for a delivery only after the release', async () => {
    const { context } = testApp();
    await testApp().setHolds({ cny_from: 1 });
    const user = await testApp().user(100_000);
    await testApp().addStock(5);
    const orders = [await user.bought(), await user.bought(testApp().orderBody('manual'))];
    const subjectsOf = async () => {
      for (let turn = 0; turn < 2; turn++) {
        await collectOrderNotices(context);
        await sendNotices(context);
      }
      const sent: Array<{ subject: string; text: string }> = await mails('ann@shop.example');
      const about = sent.filter(({ text }) => orders.some((orderNo) => text.includes(orderNo)));
      return about.map(({ subject }) => subject.replace(/:.*/, '')).sort();
    };
    const onHold = '订单待核查 · Order on hold for review';
    expect(await subjectsOf()).toEqual([onHold, onHold]);
    expect(webhook.accepted.map(({ order_no, kind }) => `${order_no} ${kind}`).sort()).toEqual(
      orders.flatMap((orderNo) => [`${orderNo} order`, `${orderNo} order-on-hold`]).sort(),
    );
    expect(webhook.accepted.find(({ kind }) => kind === 'order-on-hold')).toMatchObject({
      amount: expect.any(String),
      until: expect.any(String),
    });
    await testApp().passHolds();
    await endHolds(context);
    expect(await subjectsOf()).toEqual(['新订单待处理 · Order to deliver', onHold, onHold]);
    expect(webhook.accepted).toHaveLength(4);
    await testApp().setHolds();
  });

  it('staff notices report low stock once a day', async () => {
    await testApp().setStock(3);
    for (let turn = 0; turn < 2; turn++) {
      await collectLowStock(testApp().context);
      await sendNotices(testApp().context);
    }
    const low = webhook.accepted.filter(({ kind }) => kind === 'low-stock');
    expect(low.filter(({ spec, goods }) => spec === 'a' && goods === 'card')).toMatchObject([{ pieces: 3 }]);
    expect(new Set(low.map(({ goods, spec }) => `${goods}/${spec}`)).size).toBe(low.length);
    const subjects = (await mails('ann@shop.example')).map(({ subject }: { subject: string }) => subject);
    expect(subjects.filter((subject: string) => subject.startsWith('库存不足'))).toHaveLength(low.length);
  });

  it('staff notices are retried while a receiver fails, and stored without its address', async () => {
    const user = await testApp().user(100_000);
    await user.bought(testApp().orderBody('manual'));
    webhook.failing = Number.POSITIVE_INFINITY;
    await collectOrderNotices(testApp().context);
    await expect(sendNotices(testApp().context)).rejects.toThrow('HTTP 503');
    webhook.failing = 0;
    expect(webhook.accepted).toEqual([]);
    await testApp().db.run("update notices set due_at = now() where state = 'waiting'");
    await sendNotices(testApp().context);
    expect(webhook.accepted).toHaveLength(1);
    expect(JSON.stringify(await testApp().db.rows('select * from notices'))).not.toContain('hidden');
  });
});
