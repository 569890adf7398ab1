import type { Session } from '@shop/server/wire';
import { del, getQuery } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { useSingleFlight } from '@shop/shared/payment';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import { Button, Card, confirm, Empty, PageBody, Section, Tag, toast, Waiting } from '@shop/shared/ui';
import { useRef, useState } from 'react';
import { useTexts } from '../texts';
import '../account.css';

const api = '/api/front/user/sessions';

const sessionsQuery = getQuery(api, ['account', 'sessions']);

export const loader = () => prefetch(sessionsQuery);

const keyOf = (which: Session | 'others') => (which === 'others' ? which : which.id);

export function Component() {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const sessions = useQuery(sessionsQuery);
  const others = sessions.data?.list.filter((session) => !session.current) ?? [];
  const heading = useRef<HTMLSpanElement>(null);
  const [chosen, setChosen] = useState('');
  const ending = useSingleFlight(async (which: Session | 'others') => {
    setChosen(keyOf(which));
    try {
      await (which === 'others' ? del(`${api}/others`) : del(api, { id: which.id }));
      toast.success(t('sessions.ended'));
      // The focused button disappears with its device, so the focus moves to the heading.
      heading.current?.focus();
    } finally {
      // A failed call may have reached the server, so the list is refetched then too.
      await invalidate(sessionsQuery.queryKey);
    }
  });
  const stateOf = (which: Session | 'others') => ({
    loading: ending.isPending && chosen === keyOf(which),
    disabled: ending.isPending && chosen !== keyOf(which),
  });
  const end = async (which: Session | 'others') => {
    const sure = await confirm({
      title: which === 'others' ? t('sessions.endOthersTitle') : t('sessions.endTitle', { device: nameOf(which) }),
      content: t('sessions.endContent'),
      confirmText: t('sessions.end'),
    });
    if (sure) await ending.run(which);
  };
  const nameOf = ({ browser, system }: Session) =>
    browser && system ? t('sessions.device', { browser, system }) : browser || system || t('sessions.unknownDevice');

  const card = (session: Session) => (
    <Card key={session.id} className="account-row ui-row ui-spread ui-wrap">
      <div className="ui-grow">
        <p className="account-strong">{nameOf(session)}</p>
        <p className="ui-muted">{t('sessions.seen', { time: formatDate(session.seen_at) })}</p>
        <p className="ui-muted">{t('sessions.signedIn', { time: formatDate(session.created_at) })}</p>
      </div>
      {session.current ? (
        <Tag tone="success">{t('sessions.current')}</Tag>
      ) : (
        <Button
          kind="secondary"
          aria-label={t('sessions.endDevice', { device: nameOf(session) })}
          {...stateOf(session)}
          onClick={() => void end(session)}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Card>
  );
  return (
    <PageBody narrow>
      {sessions.data ? (
        <div className="ui-stack ui-gap-4">
          {sessions.data.list.filter((session) => session.current).map(card)}
          <Section
            title={
              <span ref={heading} tabIndex={-1}>
                {t('sessions.others')}
              </span>
            }
          >
            {others.length > 0 ? (
              <>
                <ul className="ui-stack">
                  {others.map((session) => (
                    <li key={session.id}>{card(session)}</li>
                  ))}
                </ul>
                <Button kind="danger" block {...stateOf('others')} onClick={() => void end('others')}>
                  {t('sessions.endOthers')}
                </Button>
              </>
            ) : (
              <Empty title={t('sessions.noOthers')} description={t('sessions.noOthersHint')} />
            )}
          </Section>
          <p className="ui-muted">{t('sessions.hint')}</p>
        </div>
      ) : (
        <Waiting query={sessions} heights={[104, 104, 104]} />
      )}
    </PageBody>
  );
}
