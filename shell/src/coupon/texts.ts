import { createTexts } from '@shop/shared/i18n';

/** In the chunk of the dialogs that show them. */
export const { useTexts } = createTexts('shell', {
  'zh-CN': {
    coupon: {
      title: '送你一张优惠券',
      receive: '立即领取',
      later: '以后再说',
      success: '领取成功',
      fail: '领取失败',
      view: '查看',
      close: '关闭',
      allGoods: '全部商品可用',
      someGoods: '指定商品可用',
      noThreshold: '无门槛',
      threshold: '满 {{amount}} 可用',
      validDays: '领取后 {{days}} 天内有效',
      window: '{{start}} - {{end}}',
      receivedAt: '领取时间 {{time}}',
      failedText: '{{time}} 没有领到，可能已领完或已领取过。',
    },
  },
  en: {
    coupon: {
      title: 'A coupon for you',
      receive: 'Claim',
      later: 'Later',
      success: 'Receive succeeded',
      fail: 'Receive failed',
      view: 'View',
      close: 'Close',
      allGoods: 'All products',
      someGoods: 'Selected products',
      noThreshold: 'No minimum',
      threshold: 'On orders of {{amount}} or more',
      validDays: 'Valid for {{days}} days once claimed',
      window: '{{start}} - {{end}}',
      receivedAt: 'Claimed {{time}}',
      failedText: '{{time}}: not claimed. It may be gone, or you already have it.',
    },
  },
});
