import type { StaffInvite, StaffInviteSums } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, Tag, type Tone, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api, useApi } from '../api';
import { type Column, ListTable, RowLink, TextTable } from '../list-table';
import { Loaded, Select, useAction } from '../parts';
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
  const columns = useColumns();
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
      <ListTable
        label={t('title')}
        query={{ ...query, data: query.data?.list }}
        empty={t('empty')}
        lines={4}
        columns={columns}
        keyOf={({ invitee }) => invitee.id}
      />
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
            <TextTable
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

function useColumns(): Column<StaffInvite>[] {
  const { t } = useTexts();
  return [
    {
      head: t('invitee'),
      cell: ({ invitee }) => (
        <RowLink href={`#/shopper/${invitee.id}`}>{invitee.phone || invitee.sign_in_email || t('gone')}</RowLink>
      ),
    },
    {
      head: t('inviter'),
      cell: ({ inviter }) => (
        <RowLink href={`#/shopper/${inviter.id}`}>{inviter.phone || inviter.sign_in_email || t('gone')}</RowLink>
      ),
    },
    { head: t('why'), cell: ({ reasons }) => reasons.map((reason) => t(`reasons.${reason}`)).join(' · ') },
    { head: t('registered'), cell: ({ registered_at }) => formatDate(registered_at) },
    { head: t('counted'), cell: ({ counted, orders, percent }) => t('countedOf', { counted, orders, percent }) },
    { head: t('rewards'), cell: ({ sums }) => sums.length > 0 && <SumsText sums={sums} /> },
    { head: t('state'), cell: (invite) => <State invite={invite} />, kind: 'sign' },
    { head: t('acts'), cell: (invite) => <Decision invite={invite} />, kind: 'acts' },
  ];
}

function State({ invite: { state, decided_by, decided_at } }: { invite: StaffInvite }) {
  const { t } = useTexts();
  return (
    <>
      <Tag tone={tones[state]}>{t(`states.${state}`)}</Tag>
      {decided_by && decided_at && (
        <p className="hint">{t('decided', { name: decided_by, time: formatDate(decided_at) })}</p>
      )}
    </>
  );
}

function Decision({ invite: { invitee, state } }: { invite: StaffInvite }) {
  const { t } = useTexts();
  const { busy, run } = useAction();
  const decide = async (counts: boolean) => {
    const ask = { title: t('refuseAsk'), content: t('refuseHint'), confirmText: t('refuse'), danger: true };
    if (!counts && !(await confirm(ask))) return;
    await run(async () => {
      await api('POST invites/decide', { id: invitee.id, counts });
      toast.success(t('done'));
    });
    await invalidate(['invites']);
  };
  return (
    <>
      {state !== 'counts' && (
        <Button loading={busy} onClick={() => void decide(true)}>
          {t('release')}
        </Button>
      )}{' '}
      {state !== 'refused' && (
        <Button kind="danger" loading={busy} onClick={() => void decide(false)}>
          {t('refuse')}
        </Button>
      )}
    </>
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
