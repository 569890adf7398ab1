import { StripeDouble } from '@shop/server/test/support/doubles/stripe';
import { paying } from '@shop/server/test/support/paying';
import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { withDouble } from '@shop/server/test/support/with-double';
import { auditEntries, type StaffMember, withStaff } from '../testing/staff';
import { walletAction } from '../testing/values';

onEveryDatabase(
  'wallet actions at /staff',
  (testApp) => {
    const ann = withStaff(testApp, 'money');
    const ben = withStaff(testApp, 'money');
    let user: User;
    beforeEach(async () => {
      user = await testApp().user(10_000);
    });
    afterEach(() => testApp().check());
    const actionOf = (kind: string, amount: string, more?: object) => walletAction(user.id, kind, amount, more);
    const send = async (body: object, member = ann) => (await member.post('wallet', body)).data?.state;
    const waiting = async () =>
      (await ben.get('wallet')).data.find((waitingAction: { user_id: number }) => waitingAction.user_id === user.id);
    const entries = () => auditEntries(testApp(), "user_id = $1 and action like 'wallet.%'", user.id);
    const by = (member: StaffMember, action: string) => ({ actor: member.actor, action });

    it('a wallet is credited, deducted from, frozen and thawed once per key, with a reason and an audit entry', async () => {
      const amounts = { credit: '5.00', deduct: '15', freeze: '30.5', thaw: '0.50' };
      for (const [kind, amount] of Object.entries(amounts)) {
        const body = actionOf(kind, amount);
        for (let time = 0; time < 2; time++) expect(await send(body)).toBe('done');
      }
      expect((await ann.get(`shopper/${user.id}`)).data.wallets).toContainEqual({
        currency: 'CNY',
        balance: '60.00',
        frozen: '30.00',
        locked: false,
      });
      expect(await entries()).toMatchObject(Object.keys(amounts).map((kind) => by(ann, `wallet.${kind}`)));
      const booked = 'select actor, remark from ledger_transactions where user_id = $1 order by id desc limit 1';
      const posted = { actor: ann.actor, remark: 'a promise to Fang' };
      expect(await testApp().db.one(booked, [user.id])).toEqual(posted);
    });

    it('a wallet action is refused above the balance, with a reused key, or with an invalid amount, reason or payment', async () => {
      const code = async (body: object) => (await ann.post('wallet', body)).code;
      expect(await code(actionOf('deduct', '100.01'))).toBe(45001);
      expect(await code(actionOf('thaw', '1.00'))).toBe(45001);
      const once = actionOf('credit', '1.00');
      expect(await code(once)).toBe(200);
      expect(await code({ ...once, amount: '2.00' })).toBe(40902);
      for (const amount of ['0', '0.00', '-1', '1.234', 'x'])
        expect(await code(actionOf('credit', amount))).toBe(40001);
      expect(await code(actionOf('credit', '1.00', { reason: ' ' }))).toBe(40001);
      expect(await code(actionOf('pay-back', '1.00'))).toBe(404);
      expect(await code(actionOf('pay-back', '1.00', { payment_no: 'A'.repeat(20) }))).toBe(404);
      expect(await code(actionOf('credit', '1.00', { id: 999_999_999 }))).toBe(404);
      expect(await user.balance()).toBe('101.00');
    });

    it('a wallet credit above the amount waits for a second staff member, also if credits add up to it', async () => {
      expect(await send(actionOf('credit', '40.00'))).toBe('done');
      const more = actionOf('credit', '20.00');
      for (let time = 0; time < 2; time++) expect(await send(more)).toBe('second');
      expect(await send(actionOf('deduct', '60.00'))).toBe('done');
      const { id, ...shown } = await waiting();
      expect(shown).toMatchObject({ kind: 'credit', amount: '20.00', asked_by: ann.name, mine: false });
      expect((await ann.post('wallet/agree', { id })).code).toBe(46021);
      expect(await user.balance()).toBe('80.00');
      const agreed = await Promise.all([0, 1].map(() => ben.post('wallet/agree', { id })));
      expect(agreed.map((answer) => answer.code).sort()).toEqual([200, 404]);
      expect(await user.balance()).toBe('100.00');
      expect([await waiting(), await send(more)]).toEqual([undefined, 'done']);
      expect(await entries()).toMatchObject([
        by(ann, 'wallet.credit'),
        by(ann, 'wallet.ask'),
        by(ann, 'wallet.deduct'),
        by(ben, 'wallet.agree'),
        by(ben, 'wallet.credit'),
      ]);
    });

    it('of two concurrent credits, one staff member makes one alone, and the other waits', async () => {
      const states = await Promise.all(Array.from({ length: 4 }, () => send(actionOf('credit', '30.00'))));
      expect(states.sort()).toEqual(['done', 'second', 'second', 'second']);
      expect(await user.balance()).toBe('130.00');
    });

    it('a waiting wallet action that is refused or withdrawn moves nothing', async () => {
      for (const member of [ann, ben]) {
        const body = actionOf('credit', '50.01');
        expect(await send(body)).toBe('second');
        expect((await member.post('wallet/refuse', { id: (await waiting()).id })).code).toBe(200);
        expect(await send(body)).toBe('refused');
      }
      expect([await user.balance(), await waiting()]).toEqual(['100.00', undefined]);
    });
  },
  () => ({ STAFF_REFUND_ABOVE: 'CNY=50.00' }),
);

withDouble(
  'recharge refunds at /staff',
  new StripeDouble(),
  (testApp, stripe) => {
    const { notify, recharged, balance } = paying(testApp, stripe);
    const ann = withStaff(testApp, 'money');
    const ben = withStaff(testApp, 'money');
    let user: User;
    let payment: string;
    beforeEach(async () => {
      user = await testApp().user();
      payment = await recharged(user);
    });
    afterEach(() => testApp().check());
    const actionOf = (kind: string, amount: string) =>
      walletAction(user.id, kind, amount, { currency: 'USD', ...(kind === 'pay-back' && { payment_no: payment }) });

    it('one staff member refunds a recharge up to the limit, including refunds by the provider, and waits above it', async () => {
      await notify(stripe.refundEvent(payment, 100));
      const first = actionOf('pay-back', '4.00');
      for (let time = 0; time < 2; time++) expect((await ann.post('wallet', first)).data.state).toBe('done');
      const cent = actionOf('pay-back', '0.01');
      expect((await ann.post('wallet', cent)).data.state).toBe('second');
      expect(await balance(user)).toBe('15.00');
      const [{ id }] = (await ben.get('wallet')).data;
      expect((await ann.post('wallet/agree', { id })).code).toBe(46021);
      expect((await ben.post('wallet/agree', { id })).data.state).toBe('done');
      expect((await ann.post('wallet', cent)).data.state).toBe('done');
      expect(await balance(user)).toBe('14.99');
    });

    it('an impossible recharge refund fails at once instead of waiting for a second staff member', async () => {
      await ann.post('wallet', actionOf('deduct', '15.00'));
      expect((await ann.post('wallet', actionOf('pay-back', '10.00'))).code).toBe(45001);
      expect((await ann.post('wallet', actionOf('pay-back', '20.01'))).code).toBe(43023);
      expect((await ben.get('wallet')).data).toEqual([]);
    });

    it('a recharge refund that the provider refuses returns to the wallet, and each refund is audited', async () => {
      const { payment_intent } = stripe.sessionOf(payment);
      const byHand = { id: 're_by_hand', payment_intent: payment_intent ?? '', amount: 1500 };
      stripe.refunds.set(byHand.id, { ...byHand, status: 'succeeded' });
      const returned = { state: 'returned', amount: '5.01', currency: 'USD' };
      const request = actionOf('pay-back', '5.01');
      expect((await ann.post('wallet', request)).data.state).toBe('second');
      const [{ id }] = (await ben.get('wallet')).data;
      expect((await ben.post('wallet/agree', { id })).data).toEqual(returned);
      expect(await balance(user)).toBe('20.00');
      expect((await ann.post('wallet', actionOf('pay-back', '5.00'))).data.state).toBe('done');
      expect(await balance(user)).toBe('15.00');
      expect((await ann.get(`shopper/${user.id}`)).data.payments).toMatchObject([
        { state: 'paid', amount: '20.00', paid_back: '5.00' },
      ]);
      const audit =
        "select actor, user_id from audit_log where action = 'payment.pay-back' and subject = $1 order by id";
      expect(await testApp().db.rows(audit, [payment])).toEqual(
        [ben, ann].map(({ name }) => ({ actor: `${name} (staff)`, user_id: user.id })),
      );
    });

    it('a disputed amount stays frozen, so that the dispute can end', async () => {
      const dispute = { id: `dp_${payment}`, amount: 1500 };
      await notify(stripe.disputeEvent(payment, 'created', dispute));
      expect((await ann.post('wallet', actionOf('freeze', '2.00'))).data.state).toBe('done');
      expect((await ann.post('wallet', actionOf('thaw', '2.01'))).code).toBe(43024);
      expect((await ann.post('wallet', actionOf('thaw', '2.00'))).data.state).toBe('done');
      expect((await notify(stripe.disputeEvent(payment, 'closed', { ...dispute, status: 'won' }))).status).toBe(200);
      expect(await balance(user)).toBe('20.00');
    });
  },
  { STAFF_REFUND_ABOVE: 'USD=5.00' },
);
