import { signedInStaff } from '@shop/backoffice/testing';
import { AlipayDouble } from '../../test/support/doubles/alipay';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import { paidBack } from '../../test/support/money-back';
import { paying } from '../../test/support/paying';
import type { User } from '../../test/support/test-app';
import { withDouble } from '../../test/support/with-double';
import { reconcile, reconcileDaily } from './reconcile.service';

const dayIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);

withDouble('reconciliation with Stripe', new StripeDouble(), (testApp, stripe) => {
  const today = dayIn(0);
  const ownIntents = new Set<string>();
  const intentOf = (paymentNo: string) => stripe.sessionOf(paymentNo).payment_intent ?? '';
  const differences = async () => (await reconcile(testApp().context, today))[0]?.differences;
  const { recharge, pay, notify } = paying(testApp, stripe);
  const paid = async (user: User, isReported = true) => {
    const no = await recharge(user);
    await pay(no);
    ownIntents.add(intentOf(no));
    if (isReported) await notify(stripe.notice(no));
    return no;
  };
  const listOwnEntries = () => {
    stripe.tamper = (entries) => entries.filter((entry) => ownIntents.has(entry.payment_intent ?? ''));
  };
  beforeEach(listOwnEntries);

  it('the Stripe list agrees with the ledger, with refunds from both sides', async () => {
    const user = await testApp().user();
    const [first, second] = [await paid(user), await paid(user)];
    await paidBack(testApp().context, first, 500);
    const event = stripe.refundEvent(second, 300);
    stripe.refundByHand(second, 300);
    await notify(event);
    expect(await reconcile(testApp().context, today)).toMatchObject([
      { method: 'stripe', entries: 4, differences: [] },
    ]);
  });

  it('reconciliation names each line that Stripe lost, doubled, changed or invented', async () => {
    const user = await testApp().user();
    const [lost, twice, changed] = [await paid(user), await paid(user), await paid(user)];
    const refundNo = await paidBack(testApp().context, twice, 500);
    stripe.tamper = (entries) =>
      entries
        .filter((entry) => ownIntents.has(entry.payment_intent ?? '') && entry.payment_intent !== intentOf(lost))
        .filter((entry) => entry.metadata.refund_no !== refundNo)
        .flatMap((entry) =>
          entry.payment_intent === intentOf(twice) ? [entry, { ...entry, id: `${entry.id}_2` }] : [entry],
        )
        .map((entry) => (entry.payment_intent === intentOf(changed) ? { ...entry, amount: 1999 } : entry))
        .concat(
          entries[0]?.object === 'charge' ? [{ ...entries[0], id: 'ch_foreign', payment_intent: 'pi_foreign' }] : [],
        );
    const actual = (await differences()) ?? [];
    expect(actual.map(({ kind, entry, number, listed, booked }) => [kind, entry, number, listed, booked])).toEqual(
      expect.arrayContaining([
        ['missing', 'payment', intentOf(lost), null, 2000],
        ['twice', 'payment', intentOf(twice), 2000, 2000],
        ['amount', 'payment', intentOf(changed), 1999, 2000],
        ['unknown', 'payment', 'pi_foreign', expect.any(Number), null],
        ['missing', 'refund', refundNo, null, 500],
      ]),
    );
    expect(actual).toHaveLength(5);
    const money = await signedInStaff(testApp(), 'money');
    const { data } = await money.post('reconcile', { day: today });
    expect(data).toMatchObject([{ method: 'stripe', entries: expect.any(Number) }]);
    expect(data[0].differences).toContainEqual(
      expect.objectContaining({ kind: 'amount', payment_no: changed, listed: '19.99', booked: '20.00' }),
    );
    expect((await money.post('reconcile', { day: '2026-02-30' })).code).toBe(46060);
  });

  it('reconciliation names a payment and a manual refund that Stripe never reported', async () => {
    const user = await testApp().user();
    const [unreported, byHand] = [await paid(user, false), await paid(user)];
    const id = `re_hand_${byHand}`;
    stripe.refunds.set(id, { id, payment_intent: intentOf(byHand), amount: 700, status: 'succeeded' });
    expect(await differences()).toMatchObject([
      { kind: 'unknown', entry: 'payment', number: intentOf(unreported) },
      { kind: 'not booked', entry: 'refund', number: id, payment_no: byHand, listed: 700, booked: 0 },
    ]);
    await notify(stripe.notice(unreported));
    stripe.refunds.delete(id);
    expect(await differences()).toEqual([]);
  });

  it('reconciliation names a refund that the shop booked as failed, one with another amount, and one that is listed twice', async () => {
    const user = await testApp().user();
    const payments = [await paid(user), await paid(user), await paid(user)];
    const [failed = '', changed = '', byHand = ''] = payments;
    const setState = (state: string, refundNo: string) =>
      testApp().db.run('update payment_refunds set state = $1 where refund_no = $2', [state, refundNo]);
    const [failedNo, changedNo] = [
      await paidBack(testApp().context, failed, 500),
      await paidBack(testApp().context, changed, 500),
    ];
    await setState('failed', failedNo);
    const id = `re_twice_${byHand}`;
    stripe.refunds.set(id, { id, payment_intent: intentOf(byHand), amount: 700, status: 'succeeded' });
    stripe.tamper = (entries) =>
      entries
        .filter((entry) => payments.map(intentOf).includes(entry.payment_intent ?? ''))
        .map((entry) => (entry.metadata.refund_no === changedNo ? { ...entry, amount: 499 } : entry))
        .flatMap((entry) => (entry.id === id ? [entry, entry] : [entry]));
    const actual = ((await differences()) ?? []).filter(({ payment_no }) => payments.includes(payment_no));
    stripe.refunds.delete(id);
    await setState('done', failedNo);
    expect(actual).toMatchObject([
      { kind: 'not booked', entry: 'refund', payment_no: failed, listed: 500, booked: null },
      { kind: 'amount', entry: 'refund', payment_no: changed, listed: 499, booked: 500 },
      { kind: 'not booked', entry: 'refund', number: id, listed: 700, booked: 0 },
      { kind: 'twice', entry: 'refund', number: id, listed: 700, booked: null },
    ]);
  });

  it('the reconciliation job runs once a day, and fails and counts in /metrics if something differs', async () => {
    await testApp().db.script('delete from reconciliations');
    const noon = Date.now() + 36 * 3_600_000;
    stripe.tamper = () => [];
    await expect(reconcileDaily(testApp().context, noon)).rejects.toThrow(
      new RegExp(`the lists of ${today} and the ledger differ \\(stripe: \\d+\\)`),
    );
    expect(await reconcileDaily(testApp().context, noon)).toBe(0);
    const metrics = await testApp().app.inject('/metrics');
    expect(metrics.body).toMatch(/shop_reconciliation_differences\{method="stripe"\} [1-9]/);
    listOwnEntries();
    await reconcile(testApp().context, today);
    expect((await testApp().app.inject('/metrics')).body).toContain(
      'shop_reconciliation_differences{method="stripe"} 0',
    );
  });
});

type Lines = string[];
const MOST_BYTES = 50 * 1024 * 1024;
let reads = 0;
/** The keys are the errors with which the shop refuses the bills. */
const spoiledBills = {
  wechat: {
    'does not have its hash': { tamper: (lines: Lines) => [...lines, ...(++reads % 2 ? [] : lines.slice(0, 1))] },
  },
  alipay: {
    'on another host': { billAddress: 'https://bills.example/bill.zip' },
    'unreadable line': { tamper: (lines: Lines) => lines.map((line) => line.replace('交易', '其他')) },
    'bill of Alipay is larger than 50 MB': { pack: () => Buffer.alloc(MOST_BYTES + 1) },
    'larger than 50 MB': {
      pack: (archive: Buffer) => {
        archive.writeUInt32LE(MOST_BYTES + 1, archive.indexOf('PK\x01\x02', 0, 'latin1') + 24);
        return archive;
      },
    },
  },
};

describe.each([new WechatPayDouble(), new AlipayDouble()])('reconciliation by $code', (example) => {
  withDouble<AlipayDouble | WechatPayDouble>('with a bill', example, (testApp, double) => {
    const today = dayIn(8);
    const { recharged } = paying(testApp, double);
    const ownPayments: string[] = [];
    const sound = {
      tamper: (lines: Lines) => lines.filter((line) => ownPayments.some((no) => line.includes(no))),
      billAddress: undefined,
      pack: (archive: Buffer) => archive,
    };

    it('the bill of the provider agrees with the ledger', async () => {
      const user = await testApp().user();
      for (let time = 0; time < 3; time++) ownPayments.push(await recharged(user));
      await paidBack(testApp().context, ownPayments[2] ?? '', 500);
      Object.assign(double, sound);
      const { code: method } = double;
      expect(await reconcile(testApp().context, today)).toMatchObject([{ method, entries: 4, differences: [] }]);
    });

    it('a bill that was changed in transit, is from another host, unreadable or too large is refused, and a day without trade is empty', async () => {
      for (const [error, changes] of Object.entries(spoiledBills[double.code])) {
        Object.assign(double, sound, changes);
        await expect(reconcile(testApp().context, today)).rejects.toThrow(error);
      }
      Object.assign(double, sound);
      expect(await reconcile(testApp().context, '2026-01-31')).toMatchObject([{ entries: 0, differences: [] }]);
    });
  });
});
