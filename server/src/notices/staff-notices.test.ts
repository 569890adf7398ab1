import { createHmac } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse } from '../../test/support/doubles/double';
import { withDouble } from '../../test/support/with-double';
import { endHolds } from '../holds/holds.service';
import { collectOrderNotices } from './collect-notices.service';
import { sendNotices } from './send-notices.service';
import { collectLowStock } from './staff-notices.service';

const SECRET = 's'.repeat(40);

class StaffWebhook extends Double {
  readonly received: Array<Record<string, unknown>> = [];
  status = 200;
  env(): NodeJS.ProcessEnv {
    return {
      STAFF_MAIL_TO: 'ann@shop.example, bob@shop.example',
      STAFF_WEBHOOK_URL: `${this.endpoint}/hook?key=secret`,
      STAFF_WEBHOOK_SECRET: SECRET,
    };
  }
  protected answer({ headers, body }: DoubleRequest): DoubleResponse {
    const signature = createHmac('sha256', SECRET)
      .update(`${headers['x-shop-timestamp']}\n/hook\n${body}`)
      .digest('hex');
    if (headers['x-shop-signature'] !== signature) {
      this.refusals.push('wrong signature');
      return { status: 403 };
    }
    if (this.status === 200) this.received.push(JSON.parse(body));
    return { status: this.status };
  }
}

withDouble('notices to staff', new StaffWebhook(), (testApp, webhook) => {
  const mails = async (to: string) => JSON.parse((await testApp().get(`/dev/mails.json?to=${to}`)).text);
  beforeAll(() => collectOrderNotices(testApp().context));
  beforeEach(() => {
    webhook.received.length = 0;
  });
  afterEach(() => expect(webhook.refusals).toEqual([]));

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
    expect(webhook.received.map(({ order_no, waits, kind }) => ({ order_no, waits, kind }))).toEqual([
      { order_no: card, waits: false, kind: 'order' },
      { order_no: manual, waits: true, kind: 'order' },
    ]);
    expect(webhook.received[1]).toMatchObject({
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
    expect(JSON.stringify([webhook.received, await mails('ann@shop.example')])).not.toContain(user.phone);
  });

  it('staff get one mail and webhook for an order on hold, and the mail for a delivery only after the release', async () => {
    const { context, db } = testApp();
    await db.run("insert into hold_settings values (true, true, 1, null, null, null, '{}', false, 30, 'release')");
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
    expect(webhook.received.map(({ order_no, kind }) => `${order_no} ${kind}`).sort()).toEqual(
      orders.flatMap((orderNo) => [`${orderNo} order`, `${orderNo} order-on-hold`]).sort(),
    );
    expect(webhook.received.find(({ kind }) => kind === 'order-on-hold')).toMatchObject({
      amount: expect.any(String),
      until: expect.any(String),
    });
    await db.run('update orders set held_until = clock_timestamp() where held_until is not null');
    await endHolds(context);
    expect(await subjectsOf()).toEqual(['新订单待处理 · Order to deliver', onHold, onHold]);
    expect(webhook.received).toHaveLength(4);
    await db.run('delete from hold_settings');
  });

  it('staff notices report low stock once a day', async () => {
    await testApp().setStock(3);
    for (let turn = 0; turn < 2; turn++) {
      await collectLowStock(testApp().context);
      await sendNotices(testApp().context);
    }
    const low = webhook.received.filter(({ kind }) => kind === 'low-stock');
    expect(low.filter(({ spec, goods }) => spec === 'a' && goods === 'card')).toMatchObject([{ pieces: 3 }]);
    expect(new Set(low.map(({ goods, spec }) => `${goods}/${spec}`)).size).toBe(low.length);
    const subjects = (await mails('ann@shop.example')).map(({ subject }: { subject: string }) => subject);
    expect(subjects.filter((subject: string) => subject.startsWith('库存不足'))).toHaveLength(low.length);
  });

  it('staff notices are retried while a receiver fails, and stored without its address', async () => {
    const user = await testApp().user(100_000);
    await user.bought(testApp().orderBody('manual'));
    webhook.status = 500;
    await collectOrderNotices(testApp().context);
    await expect(sendNotices(testApp().context)).rejects.toThrow('HTTP 500');
    webhook.status = 200;
    expect(webhook.received).toEqual([]);
    await testApp().db.run("update notices set due_at = now() where state = 'waiting'");
    await sendNotices(testApp().context);
    expect(webhook.received).toHaveLength(1);
    expect(JSON.stringify(await testApp().db.rows('select * from notices'))).not.toContain('secret');
  });
});
