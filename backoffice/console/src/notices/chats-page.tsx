import type { StaffCalls } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { ActionButton } from '../kit/action-form';
import { type Column, ListTable } from '../kit/list-table';
import { useTexts } from './chats-texts';

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
        lines={4}
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
