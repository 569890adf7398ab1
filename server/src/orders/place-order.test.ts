import { ErrorCode } from '@shop/shared/domain';
import { onEveryDatabase } from '../../test/support/test-app';
import { sha256 } from '../platform/crypto/tokens';
import { createOrder } from './place-order.service';

onEveryDatabase('order_create', (testApp) => {
  it.each(['price', 'coupon', 'state of the coupon'])(
    'order_create does not rely on the %s that was read before',
    async (what) => {
      const { db } = testApp();
      const user = await testApp().user();
      const id = await testApp().addCoupon({ reduce: 300 });
      const [{ user_coupon_id }] = (await user.post('coupon/receive', { coupon_id: id })).data;
      const body = { ...testApp().orderBody('card'), user_coupon_id };
      const { price_version, total_amount } = (await user.post('order/preview', body)).data;
      expect(total_amount).toBe('7.00');
      const setPrice = (price: number) =>
        db.run("update prices set price = $2 where spec_id = $1 and currency = 'CNY'", [testApp().spec('card'), price]);
      const retrying = db.retrying.bind(db);
      const placing = jest.spyOn(db, 'retrying').mockImplementationOnce(async (work) => {
        if (what === 'price') await setPrice(1200);
        else if (what === 'state of the coupon') await db.run('update coupons set status = 2 where id = $1', [id]);
        else await db.run('update coupon_amounts set reduce_price = 200 where coupon_id = $1', [id]);
        return retrying(work);
      });
      const viewer = { id: user.id, isVip: false, tokenHash: sha256(user.token) };
      const call = { user: user.id, route: 'order', key: what, bodyHash: sha256(''), requestId: '', message: '' };
      const place = () =>
        createOrder(
          testApp().context,
          viewer,
          { ...body, price_version },
          { viewer, locale: 'en', currency: 'CNY' },
          call,
          '10.9.9.9',
        );
      const placed = place();
      const code = what === 'state of the coupon' ? ErrorCode.CouponNotValidNow : ErrorCode.PriceChanged;
      await expect(placed).rejects.toMatchObject({ code });
      expect(placing).toHaveBeenCalledTimes(1);
      placing.mockRestore();
      await setPrice(1000);
      await db.run('update coupons set status = 1 where id = $1', [id]);
      await db.run('update coupon_amounts set reduce_price = 300 where coupon_id = $1', [id]);
      expect((await place()).response).toMatchObject({ data: { total_amount: 700 } });
    },
  );
});
