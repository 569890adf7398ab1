import '../account.css';
import type { Session } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { useSingleFlight } from '@shop/shared/payment';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import {
  Button,
  Card,
  confirm,
  Empty,
  ErrorState,
  PageBody,
  PullToRefresh,
  Section,
  Skeleton,
  Tag,
  toast,
} from '@shop/shared/ui';
import { useTexts } from '../texts';
import { endOtherSessions, endSession, sessionsQuery } from './sessions.api';

export function loader(): null {
  prefetch(sessionsQuery);
  return null;
}

export function Component() {
  const { t } = useTexts();
  const sessions = useQuery(sessionsQuery);
  const others = sessions.data?.filter((session) => !session.current) ?? [];
  const ending = useSingleFlight(async (which: Session | 'others') => {
    try {
      await (which === 'others' ? endOtherSessions() : endSession(which.id));
      toast.success(t('sessions.ended'));
    } catch {
      // The http client has shown the error.
    }
    // Also after a failure: the call may have reached the server.
    await invalidate(sessionsQuery.queryKey);
  });
  const end = async (which: Session | 'others') => {
    const sure = await confirm({
      title: which === 'others' ? t('sessions.endOthersTitle') : t('sessions.endTitle', { device: nameOf(which) }),
      content: t('sessions.endContent'),
      confirmText: t('sessions.end'),
      cancelText: t('common.cancel'),
    });
    if (sure) await ending.run(which);
  };
  const nameOf = ({ browser, system }: Session) =>
    browser && system ? t('sessions.device', { browser, system }) : browser || system || t('sessions.unknownDevice');

  const card = (session: Session) => (
    <Card>
      <div className="account-row account-spread account-wrap">
        <div className="account-grow">
          <p className="account-strong">{nameOf(session)}</p>
          <p className="account-muted">{t('sessions.seen', { time: formatDate(session.seen_at) })}</p>
          <p className="account-muted">{t('sessions.signedIn', { time: formatDate(session.created_at) })}</p>
        </div>
        {session.current ? (
          <Tag tone="success">{t('sessions.current')}</Tag>
        ) : (
          <Button
            kind="secondary"
            aria-label={t('sessions.endDevice', { device: nameOf(session) })}
            onClick={() => void end(session)}
          >
            {t('sessions.end')}
          </Button>
        )}
      </div>
    </Card>
  );
  return (
    <PageBody narrow>
      <PullToRefresh onRefresh={() => sessions.refetch()}>
        {sessions.data ? (
          <div className="account-stack">
            {sessions.data
              .filter((session) => session.current)
              .map((session) => (
                <div key={session.id}>{card(session)}</div>
              ))}
            <Section title={t('sessions.others')}>
              {others.length > 0 ? (
                <>
                  <ul className="account-sessions">
                    {others.map((session) => (
                      <li key={session.id}>{card(session)}</li>
                    ))}
                  </ul>
                  <Button kind="danger" block onClick={() => void end('others')}>
                    {t('sessions.endOthers')}
                  </Button>
                </>
              ) : (
                <Empty title={t('sessions.noOthers')} description={t('sessions.noOthersHint')} />
              )}
            </Section>
            <p className="account-muted">{t('sessions.hint')}</p>
          </div>
        ) : sessions.error ? (
          <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
        ) : (
          <div className="account-stack">
            <Skeleton shape="card" height={104} />
            <Skeleton shape="card" height={104} />
            <Skeleton shape="card" height={104} />
          </div>
        )}
      </PullToRefresh>
    </PageBody>
  );
}
