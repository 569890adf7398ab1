import type { StaffCalls } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { ActionButton } from '../kit/action-form';
import { type Column, ListTable } from '../kit/list-table';
import { pairTexts } from '../pair-texts';

type Chat = StaffCalls['GET chats']['answer'][number];
/** The name of a webhook is made from its address and means nothing to its reader. */
const titleOf = ({ form, host, name }: Chat) => (form === 'webhook' ? host : name);

/** The group chats that get notices, whether they accept them, and a test of each. */
export function ChatsPage() {
  const { t } = useTexts();
  const columns: Column<Chat>[] = [
    {
      head: t('chat'),
      cell: (chat) => (
        <div className="cut">
          <strong>{titleOf(chat)}</strong>
          {chat.form !== 'webhook' && <p className="hint cut">{chat.host}</p>}
          <p className="hint">
            {t(`form.${chat.form}`)}
            {chat.language && ` · ${t(`language.${chat.language}`)}`}
          </p>
        </div>
      ),
    },
    {
      head: t('events'),
      cell: ({ events }) => (
        <span className="tags">
          {events.map((event) => (
            <Tag key={event}>{t(`event.${event}`)}</Tag>
          ))}
        </span>
      ),
    },
    {
      head: t('status'),
      cell: ({ waiting, sent_at, fault }) => (
        <>
          {sent_at ? t('sentAt', { at: formatDate(sent_at) }) : t('never')}{' '}
          {waiting > 0 && <Tag tone={fault ? 'warning' : 'neutral'}>{t('waiting', { count: waiting })}</Tag>}
          {fault && <p className="fault">{t('fault', { answer: fault })}</p>}
        </>
      ),
    },
    { head: t('testing'), cell: (chat) => <Test name={chat.name} title={titleOf(chat)} />, kind: 'sign' },
  ];
  return (
    <>
      <h1>{t('nav.notices')}</h1>
      <p className="hint">{t('hint')}</p>
      <ListTable
        label={t('nav.notices')}
        query={useApi('GET chats', {})}
        empty={t('empty')}
        columns={columns}
        keyOf={({ name }) => name}
      />
    </>
  );
}

function Test({ name, title }: { name: string; title: string }) {
  const { t } = useTexts();
  const [result, setResult] = useState<StaffCalls['POST chats/test']['answer']>();
  const send = async () => {
    setResult(undefined);
    setResult(await api('POST chats/test', { name }));
  };
  return (
    <>
      <ActionButton aria-label={`${t('test')}: ${title}`} action={send}>
        {t('test')}
      </ActionButton>
      {/* It is always rendered: a live region must be in the page before its text. */}
      <p role="status" className={result?.accepted ? 'hint' : 'fault'}>
        {result && t(result.accepted ? 'accepted' : 'refused', { name: title, answer: result.answer })}
      </p>
    </>
  );
}

const { useTexts } = pairTexts('staff-chats', {
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
