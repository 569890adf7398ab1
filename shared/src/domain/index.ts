export * from './error-codes';

export const OrderStatus = { Unpaid: 10, Paid: 12, Finished: 30, Refunded: 60 } as const;
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus];

export const DeliveryStatus = { Unpaid: 0, ToDeliver: 10, Delivered: 20 } as const;
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus];

/** Why an order was closed before it was paid; 0 while it is open. */
export const CloseReason = { Timeout: 1, User: 2, Risk: 3 } as const;

/** Recharge and log type of a wallet movement; 6 is a move between accounts of the shop, which no wallet shows. */
export const LedgerType = {
  Buy: 0,
  Recharge: 1,
  Refund: 2,
  Deduction: 3,
  Freeze: 4,
  Thaw: 5,
} as const;
export type LedgerType = (typeof LedgerType)[keyof typeof LedgerType];

export const SpecType = { FaceValues: 1, Custom: 2 } as const;
export type SpecType = (typeof SpecType)[keyof typeof SpecType];

export const RechargeType = { CardCode: 1, Direct: 2, Proxy: 3, Manual: 4 } as const;
export type RechargeType = (typeof RechargeType)[keyof typeof RechargeType];
const rechargeKinds = {
  [RechargeType.CardCode]: 'card',
  [RechargeType.Direct]: 'direct',
  [RechargeType.Proxy]: 'proxy',
  [RechargeType.Manual]: 'manual',
} as const;

/** The last part of the keys of its texts. Undefined for a recharge type that this release does not support. */
export const rechargeKind = (type: number | undefined): (typeof rechargeKinds)[RechargeType] | undefined =>
  rechargeKinds[type as RechargeType];

export const GoodsStatus = { OnShelf: 1, OffShelf: 2, VipShelf: 3 } as const;
export type GoodsStatus = (typeof GoodsStatus)[keyof typeof GoodsStatus];

export const StockState = { Out: 0, In: 1, Low: 2 } as const;
export type StockState = (typeof StockState)[keyof typeof StockState];

export const CouponType = { Reduction: 10, Discount: 20 } as const;
export const CouponExpireType = { AfterReceipt: 10, FixedWindow: 20 } as const;
export const CouponApplyRange = { AllGoods: 10, AssignedGoods: 20 } as const;
export const CouponStatus = { Enabled: 1, Disabled: 2 } as const;
export const CouponUseStatus = { Unused: 1, Used: 2, Expired: 3 } as const;

export const Sex = { Unknown: 0, Male: 1, Female: 2 } as const;
export type Sex = (typeof Sex)[keyof typeof Sex];

export const ZoneChannel = { Mobile: 0, Pc: 1, Oxk: 2, NewMobile: 3, NewPc: 4, NewOxk: 5 } as const;
export const CarouselChannel = { Mobile: 0, Pc: 1, Oxk: 2, OxkAd: 3, NewMobile: 4, NewPc: 5, NewOxk: 6 } as const;
export const ZoneTemplate = { IconGrid: 1, Scroller: 2, TwoColumns: 3, Banners: 4, Ranking: 5, Timed: 6 } as const;
export const LinkType = { None: 0, Goods: 1, List: 2, Article: 3, Web: 4 } as const;

/** Data of WalletProofRequired: the reason, and the accepted proofs; empty for an account without a phone and a password. */
export interface WalletProofRequest {
  reason: 'device' | 'amount';
  proofs: Array<'password' | 'verify'>;
}

/** Each currency has its own prices; nothing is converted (docs/product.md#languages). */
export type Currency = 'CNY' | 'USD';
export type Language = 'zh-CN' | 'en';
export const languages = ['zh-CN', 'en'] as const satisfies readonly Language[];
/** The default and the fallback language (docs/product.md#languages). */
export const defaultLanguage: Language = 'zh-CN';

/** The currency follows the language (docs/product.md#languages). */
export function currencyOf(language: Language): Currency {
  return language === 'en' ? 'USD' : 'CNY';
}

/** Title of the list of goods, in its document and in the bar: its filters, except an initial alone, which names nothing. */
export function goodsListTitle(limits: ReadonlyArray<string | undefined>, allGames: string): string {
  const names = limits.filter((name) => name !== undefined);
  return (names.some((name) => name.length > 1) ? names : [allGames, ...names]).join(' ');
}
