import { CouponExpireType, CouponStatus, GoodsStatus, SUCCESS_CODE } from '@shop/shared/domain';
import type { Static } from 'typebox';
import { createUser } from '../accounts/auth/auth.service';
import { hashPassword } from '../accounts/auth/passwords';
import type { FieldSchema } from '../catalogue/field.schemas';
import { fitsPattern } from '../catalogue/goods-fields';
import type { AppContext } from '../context';
import { giveCoupon } from '../coupons/coupons.service';
import { cancelOrder } from '../orders/change-order.service';
import { createOrder } from '../orders/place-order.service';
import { previewOrder } from '../orders/quote.service';
import { handlePaymentNotice, payByBalance, paymentByNo } from '../payments/payments.service';
import { randomNumber, sha256 } from '../platform/crypto/tokens';
import { CardState } from '../platform/db/named-numbers';
import { messageOf } from '../platform/http/errors';
import type { View } from '../platform/http/request';
import type { Currency } from '../platform/http/schemas';
import { SandboxPayments } from '../providers/sandbox';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { createRecharge } from '../wallet/recharge/recharge.service';

type Field = Static<typeof FieldSchema>;

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
  const order = async (rechargeType: number, currency: Currency, index: number, coupon: 'best' | 'none') => {
    const goods = await db.row<{ id: number; spec_id: number; fields: Field[] }>(
      `select g.id, s.id as spec_id, g.fields from goods g join goods_specs s on s.goods_id = g.id and s.active
         join prices p on p.spec_id = s.id and p.currency = $2 and p.price between 100 and 6000
        where g.recharge_type = $1 and g.status = ${GoodsStatus.OnShelf} and not g.need_verify_account
          and (case when $1 = 1 then exists (select 1 from card_codes c where c.spec_id = s.id and c.state = ${CardState.Free})
               else coalesce(s.stock, 1) > 0 end)
        order by g.sort, g.id, s.sort limit 1 offset $3`,
      [rechargeType, currency, index],
    );
    if (!goods) return undefined;
    const body = { goods_id: goods.id, spec_id: goods.spec_id, quantity: 1, coupon };
    const { price_version } = await previewOrder(db, viewer, body, view(currency));
    const filled = { ...body, price_version, fields: sampleFields(goods.fields) };
    return createOrder(context, viewer, filled, view(currency), keyed('order'), '127.0.0.1')
      .then(({ response }) => response.data.order_no)
      .catch(() => undefined); // a form that a sample can't fill
  };
  const pay = (orderNo: string) => payByBalance(context, orderNo, keyed('pay'), null);

  const finished = [
    await order(1, 'CNY', 0, 'best'),
    await order(1, 'USD', 3, 'none'),
    await order(2, 'CNY', 0, 'none'),
  ];
  for (const orderNo of finished) if (orderNo) await pay(orderNo);
  await serveSuppliers(context);
  const refunded = await order(1, 'CNY', 8, 'none');
  if (refunded) {
    await pay(refunded);
    await db.one("select order_refund(id, $2, 'seed') from orders where order_no = $1", [refunded, '重复购买']);
  }
  const waiting = await order(4, 'CNY', 0, 'none');
  if (waiting) await pay(waiting);
  const cancelled = await order(1, 'CNY', 12, 'none');
  if (cancelled) await cancelOrder(db, viewer, cancelled);
  await db.one('select goods_count_sales()');
}

async function settle(context: AppContext, paymentNo: string): Promise<void> {
  const provider = context.providers.payments.find((candidate) => candidate instanceof SandboxPayments);
  const payment = await paymentByNo(context.db, paymentNo);
  if (!provider || !payment) return;
  const notice = provider.readNotice(JSON.stringify(provider.notice(payment, true)));
  if (notice) await handlePaymentNotice(context.db, provider.code, notice);
}

function sampleFields(fields: Field[]): Record<string, string> {
  const values: Record<string, string> = {};
  const candidates = [
    '100200300',
    '10020030',
    '1002003001',
    '13800000000',
    'player2026',
    'Player#1234',
    'demo@shop.example',
    'Player',
  ];
  for (const field of fields) {
    if (field.type === 'select') {
      const parent = values[field.depends_on ?? ''] ?? '';
      values[field.key] = field.options?.find((option) => !option.when || option.when.includes(parent))?.value ?? '';
    } else {
      values[field.key] = candidates.find((candidate) => fitsPattern(field.pattern ?? '.*', candidate)) ?? '';
    }
  }
  return values;
}
