import '../account.css';
import type { Invite, InvitedUser } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { get, getQuery, isApiError } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { QrCode } from '@shop/shared/payment';
import { listQueryOptions, prefetch, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { useHydrating } from '@shop/shared/routing';
import { Button, Card, CopyButton, Empty, LoadMore, PageBody, Section, Tag, type Tone, Waiting } from '@shop/shared/ui';
import { useState } from 'react';
import { useTexts } from '../texts';

const api = '/api/front/user/invite';

const inviteQuery = getQuery(api, ['account', 'invite']);

const invitedPeopleQuery = listQueryOptions(['account', 'invited-people'], (page, cursor) =>
  get(`${api}/people`, { page, cursor }, { quiet: true }),
);

export function loader(): void {
  prefetch(inviteQuery);
  prefetchList(invitedPeopleQuery);
}

export function Component() {
  const { t } = useTexts();
  const invite = useQuery(inviteQuery);
  const people = useListQuery(invitedPeopleQuery);
  const refresh = () => Promise.allSettled([invite.refetch(), people.refresh()]);
  return (
    <PageBody>
      {isApiError(invite.error, ErrorCode.NotFound) ? (
        <Empty art="box" title={t('invite.off')} description={t('invite.offHint')} />
      ) : invite.data ? (
        <div className="account-columns ui-stack ui-gap-4">
          <LinkCard invite={invite.data} />
          <Section title={t('invite.people', { count: invite.data.people })}>
            {people.items.length > 0 ? (
              <Card>
                <ul className="account-list">
                  {people.items.map((user, index) => (
                    <User key={`${user.registered_at} ${index}`} user={user} />
                  ))}
                </ul>
                <LoadMore list={people} />
              </Card>
            ) : people.error || people.isLoading ? (
              <Waiting query={{ error: people.error, refetch: people.refresh }} heights={[180]} />
            ) : (
              <Empty art="box" title={t('invite.empty')} description={t('invite.emptyHint')} />
            )}
          </Section>
        </div>
      ) : (
        <Waiting query={{ error: invite.error, refetch: refresh }} heights={[132, 260]} />
      )}
    </PageBody>
  );
}

function LinkCard({ invite }: { invite: Invite }) {
  const { t } = useTexts();
  const origin = useHydrating() ? '' : window.location.origin;
  const [isCodeShown, setIsCodeShown] = useState(false);
  const { invite_code, coupon, coupons } = invite;
  const link = `${origin}/invite?invite_code=${invite_code}`;
  return (
    <Card className="ui-stack ui-gap-4">
      <h2 className="account-strong">{t('invite.title')}</h2>
      <ul className="ui-muted account-terms">
        <li>{t('invite.terms', { coupon })}</li>
        <li>{t('invite.fair')}</li>
      </ul>
      {coupons > 0 ? <p>{t('invite.coupons', { count: coupons })}</p> : null}
      <p className="account-link" translate="no">
        {link}
      </p>
      <div className="ui-row ui-wrap ui-gap-2">
        <CopyButton text={link} label={t('invite.copy')} kind="primary" size="m" />
        {!isCodeShown && (
          <Button kind="secondary" onClick={() => setIsCodeShown(true)}>
            {t('invite.picture')}
          </Button>
        )}
      </div>
      {isCodeShown ? (
        <div className="account-qr">
          <QrCode text={link} label={t('invite.pictureLabel')} />
        </div>
      ) : null}
    </Card>
  );
}

const tones: Record<InvitedUser['state'], Tone> = { waiting: 'accent', rewarded: 'success', refused: 'neutral' };

function User({ user }: { user: InvitedUser }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const { name, state, registered_at } = user;
  return (
    <li className="account-movement">
      <div className="ui-grow">
        <strong>{name || t('invite.gone')}</strong> <Tag tone={tones[state]}>{t(`invite.state.${state}`)}</Tag>
        <p className="ui-muted">
          <time dateTime={registered_at}>{t('invite.registered', { date: formatDate(registered_at) })}</time>
        </p>
      </div>
    </li>
  );
}
