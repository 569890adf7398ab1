import { randomNumber } from '../../src/crypto/tokens';
import type { Database } from '../../src/db/database';

/** An order of one unit of the goods' first spec, paid from the wallet, without a server. */
export async function placeOrder(db: Database, userId: number, goodsKey: string): Promise<string> {
  const spec = await db.one<{ goods_id: number; id: number; price: number }>(
    `select s.goods_id, s.id, p.price from goods g join goods_specs s on s.goods_id = g.id
       join prices p on p.spec_id = s.id and p.currency = 'CNY' where g.key = $1 order by s.id limit 1`,
    [goodsKey],
  );
  const orderNo = randomNumber();
  const name = { 'zh-CN': goodsKey === 'hand' ? '人工' : goodsKey, en: goodsKey };
  await db.one('select * from order_place($1, $2, 5)', [
    JSON.stringify({
      order_no: orderNo,
      user_id: userId,
      goods_id: spec.goods_id,
      spec_id: spec.id,
      custom_value: null,
      quantity: 1,
      currency: 'CNY',
      unit_price: spec.price,
      original_amount: spec.price,
      coupon_discount: 0,
      total_amount: spec.price,
      user_coupon_id: null,
      snapshot: { name, image: '', face_value: name },
      fields_masked: [],
      fields_key: null,
      expire_seconds: 900,
    }),
    null,
  ]);
  await db.one('select * from order_pay_by_balance($1, $2)', [userId, orderNo]);
  return orderNo;
}
