import { CouponExpireType, CouponStatus, SUCCESS_CODE } from '@shop/shared/domain';
import { createUser } from '../accounts/auth/auth.service';
import { hashPassword } from '../accounts/auth/passwords';
import type { AppContext } from '../context';
import { giveCoupon } from '../coupons/coupons.service';
import { cancelOrder } from '../orders/change-order.service';
import { createOrder } from '../orders/place-order.service';
import { previewOrder } from '../orders/quote.service';
import { payByBalance } from '../payments/payments.service';
import { handlePaymentNotice } from '../payments/provider-notices.service';
import { remotePayment } from '../payments/remote-payment';
import { randomNumber, sha256 } from '../platform/crypto/tokens';
import { messageOf } from '../platform/http/errors';
import type { View } from '../platform/http/request';
import type { Currency } from '../platform/http/schemas';
import { SandboxPayments } from '../providers/sandbox';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { createRecharge } from '../wallet/recharge/recharge.service';

interface Choice {
  coupon?: 'best' | 'none';
  fields?: Record<string, string>;
}

export const DEMO_PHONE = '13800000000';
export const DEMO_PASSWORD = 'demo1234';

export async function seedDemo(context: AppContext): Promise<void> {
  const { db, config } = context;
  const account = await createUser(db, {
    phone: DEMO_PHONE,
    passwordHash: await hashPassword(DEMO_PASSWORD),
    nickname: '星点玩家',
  });
  if (!account) return;
  const viewer = { id: account.id, isVip: false, tokenHash: Buffer.alloc(0) };
  const view = (currency: Currency): View => ({ currency, viewer, locale: currency === 'CNY' ? 'zh-CN' : 'en' });

  for (const [currency, amount] of [
    ['CNY', '500.00'],
    ['USD', '100.00'],
  ] as const) {
    const recharge = await db.withTransaction((sql) =>
      createRecharge(context, sql, viewer, { amount, method: 'sandbox' }, view(currency)),
    );
    await settle(context, recharge.payment_no);
  }

  const coupons = await db.rows<{ id: number }>(
    `(select id from coupons where status = ${CouponStatus.Enabled} and not offer and (total is null or received < total)
         and (expire_type = ${CouponExpireType.AfterReceipt} or end_time > now()) order by id limit 4)
     union all
     (select id from coupons where expire_type = ${CouponExpireType.FixedWindow} and end_time <= now()
         and (total is null or received < total) order by id limit 1)`,
  );
  for (const { id } of coupons) await db.withTransaction((sql) => giveCoupon(sql, viewer.id, id, config.timeZone));

  const keyed = (route: string) => ({
    user: viewer.id,
    route: `seed/${route}`,
    key: randomNumber(),
    bodyHash: sha256(route),
    requestId: 'seed',
    message: messageOf(SUCCESS_CODE, 'zh-CN'),
  });
  const order = async (goodsKey: string, specKey: string, currency: Currency, choice: Choice = {}) => {
    const { coupon = 'none', fields = {} } = choice;
    const goods = await db.one<{ goods_id: number; spec_id: number }>(
      `select g.id as goods_id, s.id as spec_id from goods g join goods_specs s on s.goods_id = g.id
        where g.key = $1 and s.key = $2`,
      [goodsKey, specKey],
    );
    const body = { ...goods, quantity: 1, coupon };
    const { price_version } = await previewOrder(db, viewer, body, view(currency));
    const filled = { ...body, price_version, fields };
    const { response } = await createOrder(context, viewer, filled, view(currency), keyed('order'), '127.0.0.1');
    return response.data.order_no;
  };
  const pay = (orderNo: string) => payByBalance(context, orderNo, keyed('pay'), null);

  await pay(await order('genshin-card', '60', 'CNY', { coupon: 'best' }));
  await pay(await order('genshin-card', '3280', 'USD'));
  await pay(await order('love-deepspace', '60', 'CNY', { fields: { server: 'cn', uid: '1002003001' } }));
  await serveSuppliers(context);
  const refunded = await order('fantasy-westward-pc', '30', 'CNY');
  await pay(refunded);
  await db.one("select order_refund(id, $2, 'seed') from orders where order_no = $1", [refunded, '重复购买']);
  await pay(await order('youtube-premium', '1-month', 'CNY', { fields: { email: 'demo@shop.example' } }));
  await cancelOrder(db, viewer, await order('ps-plus', 'essential-1', 'CNY'));
  await db.one('select goods_count_sales()');
}

async function settle(context: AppContext, paymentNo: string): Promise<void> {
  const provider = context.providers.payments.find((candidate) => candidate instanceof SandboxPayments);
  const payment = await remotePayment(context, paymentNo);
  if (!provider || !payment) return;
  const notice = provider.readNotice(JSON.stringify(provider.notice(payment, true)));
  if (notice) await handlePaymentNotice(context.db, provider.code, notice);
}
