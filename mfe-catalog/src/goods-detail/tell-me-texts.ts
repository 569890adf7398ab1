import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts } = createTexts(
  'catalog-tell-me',
  pairs({
    title: ['到货提醒我：', 'Tell me when it is back:'],
    on: ['到货后会发邮件告诉你', 'We will email you when it is back'],
    onPush: ['到货后会推送告诉你', 'We will tell you when it is back'],
    off: ['已取消到货提醒', 'You won’t be told'],
    noWay: ['还没有可用的通知方式', 'We can’t reach you yet'],
    noWayHint: [
      '请先在“通知设置”中确认邮箱或开启推送，再回来点一次。',
      'Confirm your email address or switch push on in your notice settings, then come back and tap it again.',
    ],
    toSettings: ['通知设置', 'Notice settings'],
    notNow: ['暂不', 'Not now'],
  }),
);
