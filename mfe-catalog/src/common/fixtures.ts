import type { GoodsInfo, GoodsListItem, GoodsPage, OrderPreview } from '@shop/server/wire';

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
    specs: [
      { id: 71, name: '60 结晶', face_value: '60', price: '6.00', original_price: '6.48', stock_state: 1, max_qty: 5 },
      {
        id: 72,
        name: '300 结晶',
        face_value: '300',
        price: '30.00',
        original_price: '30.00',
        stock_state: 2,
        max_qty: 5,
      },
      {
        id: 73,
        name: '648 结晶',
        face_value: '648',
        price: '64.80',
        original_price: '64.80',
        stock_state: 0,
        max_qty: 5,
      },
    ],
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

export function aPage(list: GoodsListItem[], changes: Partial<GoodsPage> = {}): GoodsPage {
  return { list, total: list.length, page: 1, limit: 20, has_more: false, ...changes };
}
