import { pairTexts } from '../pair-texts';

export const { useTexts } = pairTexts('staff-chats', {
  hint: [
    '订单、库存和版本发布的通知会发到这些群。由运维在 STAFF_CHATS 和 STAFF_WEBHOOK_URL 中设置。',
    'Notices of orders, stock and releases go to these chats. An operator sets them in STAFF_CHATS and STAFF_WEBHOOK_URL.',
  ],
  empty: ['没有接收通知的群', 'No chats get notices'],
  chat: ['群', 'Chat'],
  language: { 'zh-CN': ['中文', 'Chinese'], en: ['英文', 'English'] },
  events: ['通知', 'Notices'],
  event: {
    order: ['全部已付款订单', 'All paid orders'],
    'to-deliver': ['待发货订单', 'Orders to deliver'],
    'order-on-hold': ['待核查订单', 'Orders on hold'],
    'low-stock': ['库存不足', 'Low stock'],
    'cost-above-price': ['成本过高停售', 'Off sale for cost'],
    refund: ['待处理退款', 'Refunds to complete'],
    release: ['版本发布', 'Releases'],
  },
  form: {
    slack: ['Slack 兼容', 'Slack-compatible'],
    dingtalk: ['钉钉', 'DingTalk'],
    feishu: ['飞书', 'Feishu'],
    telegram: ['Telegram', 'Telegram'],
    webhook: ['带签名的 Webhook', 'Signed webhook'],
  },
  sentAt: ['上次发出：{{at}}', 'Last sent {{at}}'],
  never: ['还没有发出过通知', 'Nothing sent yet'],
  waiting: ['{{count}} 条待发', '{{count}} waiting', '1 waiting'],
  fault: ['对方的回答：{{answer}}', 'The service answered: {{answer}}'],
  test: ['发送测试消息', 'Send a test'],
  testing: ['测试', 'Test'],
  accepted: ['{{name}} 已接受测试消息。', '{{name}} has accepted the test message.'],
  refused: ['{{name}} 没有接受测试消息：{{answer}}', '{{name}} hasn’t accepted the test message: {{answer}}'],
});
