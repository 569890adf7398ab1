import { endHolds } from '@shop/server/holds/holds.service';
import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { auditEntries, withStaff } from '../testing/staff';
import type { StaffHoldSettings } from './holds.service';
import type { QueueOrder } from './queue.service';

const settings: StaffHoldSettings = {
  enabled: true,
  from: { CNY: '20.00', USD: '' },
  new_account_hours: null,
  codes_per_hour: null,
  countries: '',
  networks: false,
  minutes: 30,
  at_end: 'release',
};

onEveryDatabase(
  'holds at /staff',
  (testApp) => {
    const manager = withStaff(testApp, 'manager');
    const seller = withStaff(testApp, 'seller');
    const money = withStaff(testApp, 'money');
    beforeEach(async () => expect((await save(settings)).code).toBe(200));
    afterEach(() => testApp().check());
    const save = async (value: unknown) => {
      const { revision } = (await manager.get('hold-settings/shop')).data;
      return manager.save('hold-settings', 'shop', value, revision);
    };
    const stateOf = async (user: User, orderNo: string) => (await user.get(`order/info?order_no=${orderNo}`)).data;
    const queued = async (orderNo: string): Promise<QueueOrder | undefined> =>
      (await seller.get('queue')).data.orders.find((order: QueueOrder) => order.order_no === orderNo);

    it('staff see the reasons of a hold in the queue, and release or refund the order once, audited', async () => {
      const user = await testApp().user(50_000);
      const good = await user.bought({ quantity: 2 });
      const bad = await user.bought({ quantity: 3 });
      const unpaid = (await user.order()).data.order_no;
      expect(await queued(good)).toMatchObject({ kind: 'held', held: ['amount'], amount: '20.00' });

      expect((await seller.post('holds/release', { order_no: good })).code).toBe(200);
      expect((await seller.post('holds/release', { order_no: good })).code).toBe(43020);
      expect(await stateOf(user, good)).toMatchObject({ status: 30, held: null, cards_count: 2 });
      expect(await queued(good)).toBeUndefined();

      const key = randomNumber();
      const refunds = await Promise.all([
        seller.post('holds/refund', { order_no: bad, key }),
        seller.post('holds/refund', { order_no: bad, key }),
      ]);
      for (const { code, data } of refunds) expect([code, data.state, data.amount]).toEqual([200, 'done', '30.00']);
      expect(await stateOf(user, bad)).toMatchObject({ status: 60, held: null });
      expect(await stateOf(user, unpaid)).toMatchObject({ status: 10, close_reason: 3 });
      expect((await seller.post('holds/refund', { order_no: good, key: randomNumber() })).code).toBe(43020);

      expect(await user.balance()).toBe('480.00');
      const ofOrders = "subject = any ($1) and action like 'order.re%'";
      expect(await auditEntries(testApp(), ofOrders, [good, bad])).toMatchObject([
        { actor: seller.actor, action: 'order.release' },
        { actor: seller.actor, action: 'order.refund' },
      ]);
    });

    it('a refund of an order on hold waits for a second staff member above the shop’s amount, and blocks the release', async () => {
      const user = await testApp().user(50_000);
      const orderNo = await user.bought({ quantity: 10 });
      const unpaid = (await user.order()).data.order_no;
      const refund = { order_no: orderNo, key: randomNumber() };
      const requested = await seller.post('holds/refund', refund);
      expect(requested.data).toMatchObject({ state: 'second', amount: '100.00' });
      expect((await seller.post('holds/release', { order_no: orderNo })).code).toBe(43020);
      await testApp().db.run('update orders set held_until = clock_timestamp() where order_no = $1', [orderNo]);
      await endHolds(testApp().context);
      expect((await stateOf(user, orderNo)).status).toBe(12);
      const [waiting] = (await money.get('refunds')).data;
      expect(await stateOf(user, unpaid)).toMatchObject({ status: 10, close_reason: 0 });
      expect((await money.post('refunds/agree', { id: waiting.id })).data.state).toBe('done');
      expect(await stateOf(user, orderNo)).toMatchObject({ status: 60, held: null });
      expect(await stateOf(user, unpaid)).toMatchObject({ status: 10, close_reason: 3 });
      const later = (await user.order()).data.order_no;
      expect((await seller.post('holds/refund', refund)).data.state).toBe('done');
      expect(await stateOf(user, later)).toMatchObject({ status: 10, close_reason: 0 });
    });

    it('managers set the hold rules, within their limits, and an empty rule is off', async () => {
      for (const wrong of [
        { minutes: 31 },
        { minutes: 4 },
        { from: { CNY: '0.00', USD: '' } },
        { countries: 'China' },
        { at_end: 'keep' },
      ])
        expect([wrong, (await save({ ...settings, ...wrong })).code]).toEqual([wrong, 40001]);
      const value = { ...settings, from: { CNY: '', USD: '' }, countries: 'CN,HK' };
      expect((await save(value)).data.value).toEqual({ ...value, countries: 'CN, HK' });
      const user = await testApp().user(50_000);
      expect((await stateOf(user, await user.bought({ quantity: 10 }))).status).toBe(30);
    });
  },
  () => ({ STAFF_REFUND_ABOVE: 'CNY=60.00' }),
);
