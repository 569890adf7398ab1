import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { serveSuppliers } from '@shop/server/suppliers/suppliers.service';
import { deliver } from '@shop/server/test/support/money-back';
import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { heldBack } from '@shop/server/test/support/waiting-calls';
import { auditEntries, type StaffMember, sendToSupplier, signedInStaff, viewCodes, withStaff } from '../testing/staff';
import { walletAction } from '../testing/values';

onEveryDatabase(
  'refunds at /staff',
  (testApp) => {
    const ann = withStaff(testApp, 'money');
    const ben = withStaff(testApp, 'money');
    beforeAll(() => testApp().setCounter(null));
    afterEach(() => testApp().check());
    const buy = async (quantity: number): Promise<[User, string]> => {
      const user = await testApp().user(20_000);
      return [user, await user.bought({ quantity })];
    };
    const boughtDirect = async (): Promise<[User, string]> => {
      const user = await testApp().user(20_000);
      const body = { ...testApp().orderBody('direct'), fields: { uid: 'fang' }, quantity: 10 };
      return [user, await user.bought(body)];
    };
    const refundOf = (order_no: string, more: object = {}) => ({
      order_no,
      target: 'wallet',
      reason: 'a promise to Fang',
      key: randomNumber(),
      ...more,
    });
    const waiting = async (member: StaffMember, order: string) =>
      (await member.get('refunds')).data.find((refund: { order_no: string }) => refund.order_no === order);
    const entries = (order: string) =>
      auditEntries(testApp(), "subject = $1 and action like any (array['refund.%', 'order.refund'])", order);

    it('a partial refund is paid at once, once per key, and never above the rest', async () => {
      const [user, order] = await buy(3);
      const part = refundOf(order, { amount: '5.50' });
      for (let time = 0; time < 2; time++)
        expect((await ann.post('refunds', part)).data).toEqual({ state: 'done', amount: '5.50', currency: 'CNY' });
      expect(await user.balance()).toBe('175.50');
      expect((await ann.post('refunds', refundOf(order, { amount: '24.51' }))).code).toBe(43023);
      for (const amount of ['0', '0.00', '-1', '1.234', 'x'])
        expect((await ann.post('refunds', refundOf(order, { amount }))).code).not.toBe(200);
      expect((await ann.post('refunds', refundOf(order, { target: 'source', amount: '1' }))).code).toBe(45010);
      expect((await ann.post('refunds', refundOf('A'.repeat(20)))).code).toBe(43404);
      expect((await ann.post('refunds', refundOf(order))).data).toMatchObject({ state: 'done', amount: '24.50' });
      expect(await user.balance()).toBe('200.00');
      const entry = { actor: ann.actor, action: 'order.refund' };
      expect(await entries(order)).toMatchObject([entry, entry]);
    });

    it('a refund above the amount waits for a second staff member, also if parts add up to it', async () => {
      const [user, order] = await buy(8);
      expect((await ann.post('refunds', refundOf(order, { amount: '40.00' }))).data.state).toBe('done');
      const rest = refundOf(order, { amount: '20.00' });
      for (let time = 0; time < 2; time++)
        expect((await ann.post('refunds', rest)).data).toEqual({ state: 'second', amount: '20.00', currency: 'CNY' });
      expect((await ben.post('refunds', refundOf(order, { amount: '1.00' }))).code).toBe(46020);
      const refund = await waiting(ann, order);
      expect(refund).toMatchObject({ amount: '20.00', reason: 'a promise to Fang', asked_by: ann.name, mine: true });
      expect(await waiting(ben, order)).toMatchObject({ mine: false, name: 'Genshin Impact' });
      expect((await ann.post('refunds/agree', { id: refund.id })).code).toBe(46021);
      expect(await user.balance()).toBe('160.00');
      const agreed = await Promise.all([0, 1].map(() => ben.post('refunds/agree', { id: refund.id })));
      expect(agreed.map((answer) => answer.code).sort()).toEqual([200, 404]);
      expect(await user.balance()).toBe('180.00');
      expect((await ben.post('refunds/agree', { id: refund.id })).code).toBe(404);
      expect(await waiting(ann, order)).toBeUndefined();
      expect((await ann.post('refunds', rest)).data).toMatchObject({ state: 'done', amount: '20.00' });
      const { key: refund_no } = rest;
      const asked = { refund_no, amount: 2000, target: 'wallet', reason: 'a promise to Fang' };
      expect(await entries(order)).toEqual([
        { actor: ann.actor, action: 'order.refund', detail: expect.any(Object) },
        { actor: ann.actor, action: 'refund.ask', detail: asked },
        { actor: ben.actor, action: 'refund.agree', detail: { refund_no } },
        { actor: ben.actor, action: 'order.refund', detail: expect.any(Object) },
      ]);
      const ofBuyer = await auditEntries(testApp(), "action like 'refund.%' and user_id = $1", user.id);
      expect(ofBuyer).toHaveLength(2);
    });

    it('a refund of units or of selected codes pays their share, and waits above the amount', async () => {
      const [user, order] = await buy(10);
      const codes = async () => (await ann.get(`order/${order}`)).data.codes as { id: number; number: string }[];
      const before = await codes();
      expect(before.map(({ number }) => /^••••.{0,4}$/.test(number))).toEqual(Array(10).fill(true));
      const units = refundOf(order, { quantity: 1 });
      for (let time = 0; time < 2; time++)
        expect((await ann.post('refunds', units)).data).toEqual({ state: 'done', amount: '10.00', currency: 'CNY' });
      const [first, , third, ...others] = (await codes()).map(({ id }) => id);
      expect((await ann.post('refunds', refundOf(order, { codes: [first, third] }))).data.amount).toBe('20.00');
      for (const more of [{ quantity: 3 }, { codes: others.slice(0, 3) }]) {
        const refund = refundOf(order, more);
        for (let time = 0; time < 2; time++)
          expect((await ann.post('refunds', refund)).data).toMatchObject({ state: 'second', amount: '30.00' });
        const { id, amount } = await waiting(ben, order);
        expect([amount, (await ben.post('refunds/agree', { id })).data.state]).toEqual(['30.00', 'done']);
      }
      expect(await codes()).toEqual([before[1]]);
      expect(await user.balance()).toBe('190.00');
      expect((await user.info(order)).data).toMatchObject({ cards_count: 1, refunded_amount: '90.00' });
    });

    it('the daily limit of a staff member counts wallet credits, refunds and coupons together', async () => {
      const cay = await signedInStaff(testApp(), 'money');
      const { id } = await testApp().user();
      const credit = async () => (await cay.post('wallet', walletAction(id, 'credit', '40.00'))).data.state;
      const coupon = async () => (await cay.post('shopper/coupon', { id, coupon: 'reduction' })).code;
      const refunded = async (order: string, more?: object) =>
        (await cay.post('refunds', refundOf(order, more))).data.state;
      await testApp().addCoupon({ key: 'reduction', reduce: 2500, min: 3000 });
      await testApp().db.run(
        "insert into staff_gifts (staff_id, currency, amount) select id, 'CNY', 492000 from staff_people where name = $1",
        [cay.name],
      );
      for (let time = 0; time < 2; time++) expect(await refunded((await buy(4))[1])).toBe('done');
      const [, order] = await buy(4);
      expect([await credit(), await refunded(order, { amount: '20.01' })]).toEqual(['second', 'second']);
      expect(await coupon()).toBe(46021);
      await cay.post('refunds/refuse', { id: (await waiting(cay, order)).id });
      await testApp().db.run(
        "update staff_gifts set at = at - interval '1 day' where staff_id = (select id from staff_people where name = $1)",
        [cay.name],
      );
      expect([await coupon(), await credit()]).toEqual([200, 'done']);
    });

    it('concurrent partial refunds above the amount wait for a second staff member', async () => {
      const [user, order] = await buy(8);
      const parts = ['40.00', '20.00'];
      // Both wait for the order's lock, so neither is made before the other is requested.
      const answers = await heldBack(
        testApp().db,
        (sql) => sql.row('select 1 from orders where order_no = $1 for update', [order]),
        ...parts.map((amount) => () => ann.post('refunds', refundOf(order, { amount }))),
      );
      expect(answers.map((answer) => answer.data.state).sort()).toEqual(['done', 'second']);
      const made = answers.find((answer) => answer.data.state === 'done')?.data.amount;
      expect(await user.balance()).toBe(made === '40.00' ? '160.00' : '140.00');
      await ben.post('refunds/refuse', { id: (await waiting(ben, order)).id });
    });

    it('an impossible refund fails at once instead of waiting for a second staff member', async () => {
      const [user, order] = await buy(8);
      expect((await ann.post('refunds', refundOf(order, { amount: '60.00', target: 'source' }))).code).toBe(45010);
      expect((await ann.post('refunds', refundOf(order, { amount: '80.01' }))).code).toBe(43023);
      await testApp().db.run('update orders set disputed = true where order_no = $1', [order]);
      expect((await ann.post('refunds', refundOf(order, { amount: '60.00' }))).code).toBe(43024);
      await testApp().db.run('update orders set disputed = false where order_no = $1', [order]);
      expect([await waiting(ben, order), await user.balance()]).toEqual([undefined, '120.00']);
    });

    it('a key belongs to its refund while the refund waits and afterwards', async () => {
      const [, order] = await buy(8);
      const [, otherOrder] = await buy(8);
      const first = refundOf(order, { amount: '60.00' });
      expect((await ann.post('refunds', first)).data.state).toBe('second');
      for (const change of [{ amount: '70.00' }, { quantity: 1 }, { target: 'source' }, { order_no: otherOrder }])
        expect((await ann.post('refunds', { ...first, ...change })).code).toBe(40902);
      const { id } = await waiting(ben, order);
      expect((await ben.post('refunds/agree', { id })).data).toMatchObject({ state: 'done', amount: '60.00' });
      expect((await ann.post('refunds', { ...first, amount: '70.00' })).code).toBe(40902);
      expect((await ann.post('refunds', first)).data).toMatchObject({ state: 'done', amount: '60.00' });
    });

    it('a refund that is refused or withdrawn pays nothing', async () => {
      const [user, order] = await buy(6);
      const first = refundOf(order);
      await ann.post('refunds', first);
      expect((await ben.post('refunds/refuse', { id: (await waiting(ben, order)).id })).code).toBe(200);
      expect((await ann.post('refunds', first)).data.state).toBe('refused');
      await ann.post('refunds', refundOf(order));
      const { id } = await waiting(ann, order);
      expect((await ann.post('refunds/refuse', { id })).code).toBe(200);
      expect((await ben.post('refunds/agree', { id })).code).toBe(404);
      expect(await user.balance()).toBe('140.00');
      expect(await testApp().db.rows("select 1 from staff_refunds where reason <> ''")).toEqual([]);
    });

    it('a failed refund leaves the supplier’s request unchanged', async () => {
      const [buyer, order] = await boughtDirect();
      const request = `from supplier_requests where order_id = (select id from orders where order_no = '${order}')`;
      await sendToSupplier(testApp(), order);
      await viewCodes(testApp(), order);
      const part = refundOf(order, { amount: '6.00', not_delivered: true });
      expect((await ann.post('refunds', part)).code).toBe(46013);
      expect(await testApp().db.one(`select state, tries ${request}`)).toEqual({ state: 1, tries: 3 });
      const denied = "select 1 from audit_log where action = 'order.not-delivered' and subject = $1";
      expect(await testApp().db.row(denied, [order])).toBeUndefined();
      expect((await ann.post('refunds', { ...part, revealed_ok: true })).data.state).toBe('done');
      expect(await testApp().db.one(`select state ${request}`)).toEqual({ state: 3 });
      expect(await testApp().db.row(denied, [order])).toBeDefined();
      expect(await buyer.balance()).toBe('146.00');
    });

    const views = { code: 46013, data: { first: expect.any(String), times: 1 } };
    const open = { code: 43022, data: { tries: 3, detail: 'pending' } };
    describe.each<[string, () => Promise<[User, string]>, typeof viewCodes, object, object]>([
      ['the buyer has viewed the codes', () => buy(6), viewCodes, views, { revealed_ok: true }],
      ['the supplier may deliver', boughtDirect, sendToSupplier, open, { not_delivered: true }],
    ])('a refund if %s', (_name, bought, happens, refusal, confirmed) => {
      it('waits only with the confirmation that an immediate one needs', async () => {
        const [user, order] = await bought();
        await happens(testApp(), order);
        const refund = refundOf(order);
        expect(await ann.post('refunds', refund)).toMatchObject(refusal);
        expect(await waiting(ben, order)).toBeUndefined();
        expect((await ann.post('refunds', { ...refund, ...confirmed })).data.state).toBe('second');
        const { id } = await waiting(ben, order);
        expect((await ben.post('refunds/agree', { id })).data.state).toBe('done');
        expect(await user.balance()).toBe('200.00');
      });

      it('meanwhile, and approved, keeps waiting until the second staff member confirms it', async () => {
        const [user, order] = await bought();
        await ann.post('refunds', refundOf(order));
        await happens(testApp(), order);
        const { id } = await waiting(ben, order);
        expect(await ben.post('refunds/agree', { id })).toMatchObject(refusal);
        expect([(await waiting(ben, order)).id, await user.balance()]).toEqual([id, '140.00']);
        expect((await ben.post('refunds/agree', { id, ...confirmed })).data.state).toBe('done');
        expect(await user.balance()).toBe('200.00');
      });
    });

    it('a waiting refund blocks the delivery of its order, and a refund from the queue', async () => {
      const seller = await signedInStaff(testApp(), 'seller');
      const user = await testApp().user(20_000);
      const order_no = await user.bought({ ...testApp().orderBody('manual'), quantity: 3 });
      await seller.post('queue/take', { order_no });
      const refusal = { order_no, reason: 'sold out', key: randomNumber() };
      expect((await seller.post('queue/refund', refusal)).data).toMatchObject({ state: 'second', amount: '60.00' });
      const otherSeller = await signedInStaff(testApp(), 'seller');
      await otherSeller.post('queue/take', { order_no });
      expect((await seller.post('queue/refund', refusal)).data.state).toBe('second');
      expect((await otherSeller.post('queue/deliver', { order_no, note: 'x' })).code).toBe(46020);
      const { id } = await waiting(ben, order_no);
      expect((await ben.post('refunds/agree', { id })).data).toMatchObject({ state: 'done' });
      expect(await user.balance()).toBe('200.00');
    });

    it('a waiting refund stops the supplier, also after the claim ends, until it is refused', async () => {
      const seller = await signedInStaff(testApp(), 'seller');
      const [user, order] = await boughtDirect();
      const status = async () => (await user.info(order)).data.status;
      const serve = async () => {
        await testApp().db.run(
          `update supplier_requests set next_at = now() - interval '1 minute'
            where next_at < 'infinity' and order_id = (select id from orders where order_no = $1)`,
          [order],
        );
        await serveSuppliers(testApp().context);
      };
      await seller.post('queue/take', { order_no: order });
      const refusal = { order_no: order, reason: 'sold out', key: randomNumber() };
      expect((await seller.post('queue/refund', refusal)).data.state).toBe('second');
      await serve();
      expect(await status()).toBe(12);
      await seller.post('queue/take', { order_no: order });
      expect((await seller.post('queue/give-back', { order_no: order })).code).toBe(200);
      await serve();
      await expect(deliver(testApp().context, order)).rejects.toMatchObject({ code: 46020 });
      expect(await status()).toBe(12);
      await ben.post('refunds/refuse', { id: (await waiting(ben, order)).id });
      await serve();
      expect(await status()).toBe(30);
    });

    it('refunds and wallet actions keep no text about an erased user', async () => {
      const [user, order] = await buy(6);
      expect((await ann.post('wallet', walletAction(user.id, 'freeze', '1.00'))).data.state).toBe('done');
      await ann.post('refunds', refundOf(order));
      await testApp().db.withTransaction(async (sql) => {
        await sql.script('savepoint before');
        await sql.run('update wallets set balance = 0, frozen = 0 where user_id = $1', [user.id]);
        await sql.run('update orders set hidden_at = now() where user_id = $1', [user.id]);
        await sql.run("select account_erase($1, 'gone', 'test', '')", [user.id]);
        expect(await sql.row("select 1 from staff_refunds where position('Fang' in reason) > 0")).toBeUndefined();
        const texts = "select 1 from staff_wallet_acts where user_id = $1 and reason <> ''";
        expect(await sql.row(texts, [user.id])).toBeUndefined();
        await sql.script('rollback to savepoint before');
      });
      await ben.post('refunds/refuse', { id: (await waiting(ben, order)).id });
    });
  },
  () => ({ STAFF_REFUND_ABOVE: 'CNY=50.00' }),
);
