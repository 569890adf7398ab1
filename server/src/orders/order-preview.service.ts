import { bestOffer, type Priced } from '../coupons/coupons.service';
import type { Sql } from '../platform/db/sql';
import { messageOf } from '../platform/http/errors';
import { toWire } from '../platform/http/money';
import type { View, Viewer } from '../platform/http/request';
import { orderText, partLabel } from './order-texts';
import type { OrderPreview, OrderPreviewBody, PreviewCoupon } from './orders.schemas';
import { quote } from './quote.service';

export async function previewOrder(
  sql: Sql,
  viewer: Viewer,
  body: OrderPreviewBody,
  view: View,
): Promise<OrderPreview> {
  const priced = await quote(sql, viewer.id, body, view);
  const { goods, unitPrice, quantity, parts, original, discount, total, coupon, coupons, balance } = priced;
  const offer = await bestOffer(sql, viewer.id, { goodsId: body.goods_id, amount: original }, view);
  const line = (kind: string, amount: number, label = orderText(kind, view.locale)) => ({
    kind,
    label,
    amount: toWire(amount),
  });
  return {
    currency: view.currency,
    unit_price: toWire(unitPrice),
    ...(parts.length > 0 && { list_price: toWire(goods.price ?? unitPrice) }),
    quantity,
    original_amount: toWire(original),
    coupon_discount: toWire(discount),
    total_amount: toWire(total),
    breakdown: [
      line('goods', priced.listAmount),
      ...parts.map((part) => line(part.kind, -part.amount, partLabel(part, view.locale))),
      ...(coupon ? [line('coupon', -discount, coupon.name)] : []),
      line('total', total),
    ],
    coupon: coupon ? previewCoupon(coupon) : null,
    available: coupons.filter((priced) => priced.fault === 0).map(previewCoupon),
    unavailable: coupons.flatMap((priced) =>
      priced.fault
        ? [{ ...previewCoupon(priced), reason: messageOf(priced.fault, view.locale), code: priced.fault }]
        : [],
    ),
    offer: offer
      ? {
          id: offer.id,
          name: offer.name,
          discount_amount: toWire(offer.discount),
          total_amount: toWire(original - offer.discount),
        }
      : null,
    balance: toWire(balance),
    balance_enough: balance >= total,
    price_version: priced.priceVersion,
  };
}

const previewCoupon = (priced: Priced): PreviewCoupon => ({
  user_coupon_id: priced.user_coupon_id,
  id: priced.id,
  name: priced.name,
  coupon_type: priced.coupon_type,
  discount_amount: toWire(priced.discount),
  end_time: new Date(priced.end_time).toISOString(),
});
