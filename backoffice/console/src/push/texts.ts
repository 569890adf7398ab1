import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'staff-push',
  pairs({
    title: ['推送', 'Push notifications'],
    here: ['在此浏览器接收推送', 'Push to this browser'],
    orders: ['有新订单待处理时推送。', 'You are told of new orders to deliver.'],
    stock: ['库存不足时推送。', 'You are told of low stock.'],
    both: ['有新订单待处理或库存不足时推送。', 'You are told of new orders to deliver and of low stock.'],
    until: [
      '关闭后台也会收到；退出登录或 14 天未登录后停止。',
      'Also while the console is closed; until you sign out, or have not signed in for 14 days.',
    ],
    unsupported: [
      '此浏览器不支持推送。iPhone 请先将后台添加到主屏幕。',
      'This browser has no push. On an iPhone, add the console to the Home Screen first.',
    ],
    blocked: [
      '推送已被浏览器拦截，请在浏览器设置中允许。',
      'Your browser blocks it. Allow it in the browser’s settings.',
    ],
    failed: ['推送未能开启，请稍后重试。', 'Push could not be switched on. Please try again later.'],
  }),
);
