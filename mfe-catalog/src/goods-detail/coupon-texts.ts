import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts: useCouponTexts } = createTexts(
  'catalog-coupons',
  pairs({
    title: ['优惠券', 'Coupon'],
    signIn: ['登录后使用', 'Sign in to use'],
    choose: ['选择优惠券', 'Choose a coupon'],
    usable: ['{{count}} 张可用', '{{count}} available'],
    noneUsable: ['暂无可用', 'None available'],
    available: ['可用（{{count}}）', 'Available ({{count}})'],
    unusable: ['不可用（{{count}}）', 'Not available ({{count}})'],
    best: ['最优惠', 'Best value'],
    until: ['有效期至 {{date}}', 'Valid until {{date}}'],
    none: ['不使用优惠券', 'No coupon'],
    held: ['“{{name}}”已用于待付款订单', '“{{name}}” is in an unpaid order'],
    onBuy: ['购买时自动领取', 'Claimed when you buy'],
    claimed: ['已领取“{{name}}”', '“{{name}}” claimed'],
    total: ['券后合计', 'Total with coupon'],
    saved: ['已省 {{amount}}', 'You save {{amount}}'],
  }),
);
