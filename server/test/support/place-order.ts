import { placeOrder as createOrder } from '../../src/orders/place-order.service';
import { randomNumber } from '../../src/platform/crypto/tokens';
import type { Database } from '../../src/platform/db/database';

/** An order of one unit of the goods' first spec, paid from the wallet, without a server. */
export async function placeOrder(db: Database, userId: number, goodsKey: string): Promise<string> {
  const spec = await db.one<{ goods_id: number; id: number; price: number }>(
    `select s.goods_id, s.id, p.price from goods g join goods_specs s on s.goods_id = g.id
       join prices p on p.spec_id = s.id and p.currency = 'CNY' where g.key = $1 order by s.id limit 1`,
    [goodsKey],
  );
  const orderNo = randomNumber();
  const name = { 'zh-CN': goodsKey === 'hand' ? '人工' : goodsKey, en: goodsKey };
  const { terms } = await db.one<{ terms: string }>("select md5(order_terms($1, $2, 'CNY', false)::text) as terms", [
    spec.goods_id,
    spec.id,
  ]);
  const order = {
    route: 'test',
    key: orderNo,
    body_hash: Buffer.alloc(0),
    request_id: '',
    message: 'OK',
    user: userId,
    vip: false,
    network: null,
    order_no: orderNo,
    terms,
    goods: spec.goods_id,
    spec: spec.id,
    custom_value: null,
    quantity: 1,
    currency: 'CNY',
    unit_price: spec.price,
    original_amount: spec.price,
    coupon_discount: 0,
    total_amount: spec.price,
    user_coupon: null,
    snapshot: { name, image: '', face_value: name },
    fields_masked: '[]',
    fields_cipher: null,
    fields_key: null,
    expire_seconds: 900,
    max_unpaid: 5,
    max_held: null,
    max_closed: null,
  };
  await createOrder(db, order, null);
  await db.one('select * from order_pay_by_balance($1, $2)', [userId, orderNo]);
  return orderNo;
}
