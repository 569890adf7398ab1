/** @jest-environment node */
import {
  CarouselChannel,
  CouponApplyRange,
  CouponExpireType,
  CouponStatus,
  CouponType,
  currencyOf,
  DeliveryStatus,
  defaultLanguage,
  GoodsStatus,
  LedgerType,
  languages,
  OrderStatus,
  RechargeType,
  Sex,
  SpecType,
  ZoneChannel,
  ZoneTemplate,
} from './';

/** The numbers of docs/product.md#enumerations, written once more: a slip in one of the two shows. */
it.each([
  ['Sex', Sex, { Unknown: 0, Male: 1, Female: 2 }],
  ['ZoneChannel', ZoneChannel, { Mobile: 0, Pc: 1, Oxk: 2, NewMobile: 3, NewPc: 4, NewOxk: 5 }],
  ['CarouselChannel', CarouselChannel, { Mobile: 0, Pc: 1, Oxk: 2, OxkAd: 3, NewMobile: 4, NewPc: 5, NewOxk: 6 }],
  ['OrderStatus', OrderStatus, { Unpaid: 10, Paid: 12, Finished: 30, Refunded: 60 }],
  ['DeliveryStatus', DeliveryStatus, { Unpaid: 0, ToDeliver: 10, Delivered: 20 }],
  ['LedgerType', LedgerType, { Buy: 0, Recharge: 1, Refund: 2, Deduction: 3, Freeze: 4, Thaw: 5 }],
  ['SpecType', SpecType, { FaceValues: 1, Custom: 2 }],
  ['RechargeType', RechargeType, { CardCode: 1, Direct: 2, Proxy: 3, Manual: 4 }],
  ['GoodsStatus', GoodsStatus, { OnShelf: 1, OffShelf: 2, VipShelf: 3 }],
  ['CouponType', CouponType, { Reduction: 10, Discount: 20 }],
  ['CouponExpireType', CouponExpireType, { AfterReceipt: 10, FixedWindow: 20 }],
  ['CouponApplyRange', CouponApplyRange, { AllGoods: 10, AssignedGoods: 20 }],
  ['CouponStatus', CouponStatus, { Enabled: 1, Disabled: 2 }],
] as const)('holds the numbers of %s', (_, ours, numbers) => {
  expect(ours).toEqual(numbers);
});

it('has the six templates of a zone', () => {
  expect(Object.values(ZoneTemplate)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('takes Chinese as the default language and the language’s own currency', () => {
  expect(defaultLanguage).toBe('zh-CN');
  expect([...languages].sort()).toEqual(['en', 'zh-CN']);
  expect(currencyOf('zh-CN')).toBe('CNY');
  expect(currencyOf('en')).toBe('USD');
});
