import type { StaffInvite, StaffInviteSums } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, Tag, type Tone, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { Facts, List, Loaded, Select, Table, useAct } from '../parts';
import { mayUse, useMe } from '../session';
import { SettingsForm } from './settings-form';
import { useTexts } from './texts';

const states = ['all', 'held', 'counts', 'refused'] as const;
type Shown = (typeof states)[number];
const tones: Record<StaffInvite['state'], Tone> = { counts: 'success', held: 'warning', refused: 'neutral' };

/** `#/invites`, `#/invites/settings`. */
export function InvitesPage({ place: [what] }: { place: string[] }) {
  const isManager = mayUse(useMe());
  return what === 'settings' && isManager ? <SettingsForm /> : <Invites isManager={isManager} />;
}

function Invites({ isManager }: { isManager: boolean }) {
  const { t } = useTexts();
  const [shown, setShown] = useState<Shown>('held');
  const [page, setPage] = useState(1);
  const query = useApi('GET invites', { page, ...(shown !== 'all' && { state: shown }) });
  return (
    <>
      <div className="row">
        <h1 className="grow">{t('title')}</h1>
        {isManager && <a href="#/invites/settings">{t('settings')}</a>}
      </div>
      <Figures />
      <Select
        label={t('show')}
        value={shown}
        options={states.map((value) => ({ value, label: t(`states.${value}`) }))}
        onValue={(value) => {
          setShown(value);
          setPage(1);
        }}
      />
      <List query={{ ...query, data: query.data?.list }} empty={t('empty')} lines={4}>
        {(one) => <Invite key={one.invitee.id} invite={one} />}
      </List>
      <div className="row">
        {page > 1 && (
          <Button kind="secondary" onClick={() => setPage(page - 1)}>
            {t('newer')}
          </Button>
        )}
        {query.data?.has_more && (
          <Button kind="secondary" onClick={() => setPage(page + 1)}>
            {t('more')}
          </Button>
        )}
      </div>
    </>
  );
}

function Figures() {
  const { t } = useTexts();
  return (
    <Loaded query={useApi('GET invites/figures', {})} lines={2}>
      {({ sums, ...people }) => (
        <>
          <p>{t('people', people)}</p>
          {sums.length > 0 && (
            <Table
              title={t('figures')}
              head={[t('currency'), t('sumWaiting'), t('sumPaid'), t('sumTakenBack'), t('sumOwed')]}
              rows={sums.map(({ currency, waiting, paid, taken_back, owed }) => [
                currency,
                ...[waiting, paid, taken_back, owed].map((amount) => money(amount, currency)),
              ])}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

function Invite({ invite }: { invite: StaffInvite }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const { invitee, inviter, state, reasons, registered_at, counted, orders, percent, sums } = invite;
  const decide = async (counts: boolean) => {
    const ask = { title: t('refuseAsk'), content: t('refuseHint'), confirmText: t('refuse'), danger: true };
    if (!counts && !(await confirm(ask))) return;
    await act(async () => {
      await api('POST invites/decide', { id: invitee.id, counts });
      toast.success(t('done'));
    });
    await invalidate(['invites']);
  };
  return (
    <article className="card">
      <div className="row">
        <h2 className="grow">
          <a href={`#/shopper/${invitee.id}`}>{invitee.phone || t('gone')}</a>{' '}
          <a className="hint" href={`#/shopper/${inviter.id}`}>
            {t('of', { inviter: inviter.phone || t('gone') })}
          </a>
        </h2>
        <Tag tone={tones[state]}>{t(`states.${state}`)}</Tag>
      </div>
      <Facts
        of={[
          reasons.length > 0 ? [t('why'), reasons.map((reason) => t(`reasons.${reason}`)).join(' · ')] : undefined,
          [t('registered'), formatDate(registered_at)],
          [t('counted'), t('countedOf', { counted, orders, percent })],
          sums.length > 0 ? [t('rewards'), <SumsText key="sums" sums={sums} />] : undefined,
          invite.decided_by && invite.decided_at
            ? [t('decidedBy'), t('decided', { name: invite.decided_by, time: formatDate(invite.decided_at) })]
            : undefined,
        ]}
      />
      <div className="row">
        {state !== 'counts' && (
          <Button loading={busy} onClick={() => void decide(true)}>
            {t('release')}
          </Button>
        )}
        {state !== 'refused' && (
          <Button kind="danger" loading={busy} onClick={() => void decide(false)}>
            {t('refuse')}
          </Button>
        )}
      </div>
    </article>
  );
}

/** Without what is nothing. */
function SumsText({ sums }: { sums: StaffInviteSums[] }) {
  const { t } = useTexts();
  const texts = sums.flatMap(({ currency, waiting, paid, taken_back, owed }) =>
    (
      [
        ['waiting', waiting],
        ['paid', paid],
        ['takenBack', taken_back],
        ['owed', owed],
      ] as const
    ).flatMap(([key, amount]) => (Number(amount) > 0 ? [t(key, { amount: money(amount, currency) })] : [])),
  );
  return <>{texts.join(' · ') || '—'}</>;
}
