import type { GoodsInfo, GoodsListItem, OrderPreview } from '@shop/server/wire';

const specOf = (id: number, value: string, price: string, stock_state: number): GoodsInfo['specs'][number] => ({
  id,
  name: `${value} 结晶`,
  face_value: value,
  price,
  original_price: price,
  stock_state,
  max_qty: 5,
});

export function goodsFixture(changes: Partial<GoodsInfo> = {}): GoodsInfo {
  return {
    id: 7,
    name: '原神',
    image: '/media/a.webp',
    images: ['/media/a.webp'],
    category_id: 1,
    tags: ['热卖'],
    status: 1,
    recharge_type: 1,
    description_html: '<p>说明</p>',
    notice: '请核对地区',
    redeem: [],
    spec_type: 1,
    specs: [specOf(71, '60', '6.00', 1), specOf(72, '300', '30.00', 2), specOf(73, '648', '64.80', 0)],
    custom: null,
    fields: [],
    limits: { min: 1, max: 10, per_user: 0, per_day: 0, used: 0 },
    need_verify_account: false,
    sold: 0,
    delivery_seconds: null,
    currency: 'CNY',
    ...changes,
  };
}

export function aTopUp(changes: Partial<GoodsInfo> = {}): GoodsInfo {
  return goodsFixture({
    recharge_type: 2,
    fields: [
      {
        key: 'uid',
        label: 'UID',
        type: 'number',
        required: true,
        pattern: '[1-9]\\d{8}',
        max_len: 9,
        options: [],
        remember: true,
      },
      {
        key: 'server',
        label: '服务器',
        type: 'select',
        required: true,
        options: [
          { value: 'cn', label: '天空岛' },
          { value: 'os', label: '国际服' },
        ],
        remember: true,
      },
    ],
    ...changes,
  });
}

export function aPreview(changes: Partial<OrderPreview> = {}): OrderPreview {
  return {
    currency: 'CNY',
    unit_price: '6.00',
    quantity: 1,
    original_amount: '6.00',
    coupon_discount: '0.00',
    total_amount: '6.00',
    breakdown: [
      { kind: 'goods', label: '商品金额', amount: '6.00' },
      { kind: 'total', label: '合计', amount: '6.00' },
    ],
    coupon: null,
    available: [],
    unavailable: [],
    offer: null,
    balance: '100.00',
    balance_enough: true,
    price_version: 'v1',
    ...changes,
  };
}

export function aGoods(changes: Partial<GoodsListItem> = {}): GoodsListItem {
  return {
    id: 7,
    name: '原神',
    image: '/media/a.webp',
    initial: 'Y',
    category_id: 1,
    recharge_types: [1],
    min_price: '6.00',
    prices_differ: true,
    currency: 'CNY',
    tags: [],
    sold_out: false,
    ...changes,
  };
}
