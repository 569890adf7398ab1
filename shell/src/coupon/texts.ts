import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('shell', {
  coupon: {
    title: ['送你一张优惠券', 'A coupon for you'],
    receive: ['立即领取', 'Claim'],
    later: ['以后再说', 'Later'],
    success: ['领取成功', 'Claimed successfully'],
    fail: ['领取失败', 'Claim failed'],
    view: ['查看', 'View'],
    close: ['关闭', 'Close'],
    allGoods: ['全部商品可用', 'All products'],
    someGoods: ['指定商品可用', 'Selected products'],
    noThreshold: ['无门槛', 'No minimum'],
    threshold: ['满 {{amount}} 可用', 'On orders of {{amount}} or more'],
    validDays: ['领取后 {{days}} 天内有效', 'Valid for {{days}} days once claimed'],
    window: ['{{start}} - {{end}}', '{{start}} - {{end}}'],
    receivedAt: ['领取时间 {{time}}', 'Claimed {{time}}'],
    failedText: [
      '{{time}} 没有领到，可能已领完或已领取过。',
      '{{time}}: not claimed. It may be gone, or you already have it.',
    ],
  },
});
