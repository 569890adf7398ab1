import type { StaffShopper } from '@shop/backoffice/wire';
import { LedgerType } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { noteRules, refundRules } from '../generated/field-rules';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { TextTable } from '../kit/list-table';
import { Facts, Loaded, Note, Section } from '../kit/parts';
import { mayUse, useMe } from '../session';
import { type Key, useTexts } from '../texts';
import { OrdersTable } from './find-page';
import { PaymentsTable } from './order-page';
import { AccountForm, WalletForm } from './shopper-forms';

const ledgerKeys = {
  [LedgerType.Buy]: 'ledger.buy',
  [LedgerType.Recharge]: 'ledger.recharge',
  [LedgerType.Refund]: 'ledger.refund',
  [LedgerType.Deduction]: 'ledger.deduction',
  [LedgerType.Freeze]: 'ledger.freeze',
  [LedgerType.Thaw]: 'ledger.thaw',
} as const satisfies Record<LedgerType, Key>;
const couponStates = { 1: 'unused', 2: 'used', 3: 'expired' } as const;

export const ShopperPage = ({ place: [id] }: { place: string[] }) => (
  <Loaded query={useApi('GET shopper/:id', { id: Number(id) }, { inOneLanguage: true })}>
    {(shopper) => <Shopper key={id} {...shopper} />}
  </Loaded>
);

function Shopper({ user, notes, payments, ...rest }: StaffShopper) {
  const { t } = useTexts();
  const mayEdit = mayUse(useMe(), 'accounts');
  const wallets = rest.wallets.map(({ currency, balance, frozen, locked }) => {
    const value = (
      <>
        {money(balance, currency)} {frozen !== '0.00' && t('user.frozen', { amount: money(frozen, currency) })}{' '}
        {locked && <Tag tone="danger">{t('user.locked')}</Tag>}
      </>
    );
    return [t('user.wallet', { currency }), value] as const;
  });
  return (
    <>
      <h1>
        {user.nickname || t('user.noName')} {rest.is_vip && <Tag tone="accent">VIP</Tag>}{' '}
        {!user.is_usable && <Tag tone="danger">{t('people.disabled')}</Tag>}
      </h1>
      <section className="card">
        <Facts
          of={[
            user.sign_in_email ? [t('user.signInEmail'), user.sign_in_email] : [t('user.phone'), user.phone || '—'],
            [t('user.email'), user.email || '—'],
            [t('user.joined'), formatDate(user.created_at)],
            ...wallets,
          ]}
        />
      </section>
      <Notes user={user.id} notes={notes} />
      <LevelForm user={user} level={rest.level} />
      {mayEdit && <WalletForm user={user} payments={payments} />}
      {mayEdit && <AccountForm user={user} />}
      <Section title={t('user.orders')}>
        {rest.orders.length === 0 ? <p className="hint">{t('none')}</p> : <OrdersTable orders={rest.orders} />}
      </Section>
      <PaymentsTable payments={payments} />
      <TextTable
        title={t('user.ledger')}
        head={[t('at'), t('order.what'), t('queue.amount'), t('user.after'), t('queue.note')]}
        rows={rest.ledger.map((entry) => [
          formatDate(entry.at),
          t(ledgerKeys[entry.type]),
          money(entry.amount, entry.currency, { sign: true }),
          money(entry.balance_after, entry.currency),
          [entry.order_no, entry.remark].filter(Boolean).join(' '),
        ])}
      />
      <TextTable
        title={t('nav.coupons')}
        head={[t('user.coupon'), t('status'), t('validUntil')]}
        rows={rest.coupons.map((coupon) => [
          coupon.name,
          t(`coupon.${couponStates[coupon.use_status as keyof typeof couponStates] ?? 'expired'}`),
          formatDate(coupon.end_time),
        ])}
      />
      <TextTable
        title={t('user.sessions')}
        head={[t('user.device'), t('user.signedIn'), t('user.seen')]}
        rows={rest.sessions.map((session) => [
          [session.browser, session.system].filter(Boolean).join(' · ') || '—',
          formatDate(session.created_at),
          formatDate(session.seen_at),
        ])}
      />
    </>
  );
}

const noteFields: FieldSpec<{ note: string }, Key>[] = [
  { kind: 'area', name: 'note', label: 'user.note', hint: 'user.noteHint', ...noteRules.note },
];

function Notes({ user, notes }: { user: number; notes: StaffShopper['notes'] }) {
  const { t } = useTexts();
  return (
    <Section className="card" title={t('user.notes')}>
      {notes.map((note) => (
        <Note key={note.id} by={note.by} at={note.at} text={note.note} />
      ))}
      <ActionForm
        className="stack starts"
        layout="stack"
        fields={noteFields}
        t={t}
        start={{ note: '' }}
        draft={`shopper/${user}`}
        submit={t('user.addNote')}
        kind="secondary"
        done={t('user.noteAdded')}
        changes={['shopper']}
        onSubmit={({ note }) => api('POST shopper/note', { id: user, note: note.trim() })}
      />
    </Section>
  );
}

interface LevelGrant {
  /** An empty value withdraws the level. */
  level: string;
  until: string | null;
  reason: string;
}

const fields: FieldSpec<LevelGrant, Key>[] = [
  { kind: 'select', name: 'level', label: 'level.title' },
  { kind: 'time', name: 'until', label: 'validUntil', hint: 'level.untilHint' },
  { name: 'reason', label: 'reason', ...refundRules.reason },
];

function LevelForm({ user, level }: Pick<StaffShopper, 'user' | 'level'>) {
  const { t, language } = useTexts();
  const mayGrant = mayUse(useMe(), 'accounts');
  const { data: levels = [] } = useApi('GET levels', {}, { enabled: mayGrant });
  if (levels.length === 0 && !level.own && !level.given) return null;
  const { given } = level;
  const choices = levels.map(({ key, value }) => ({ value: key, label: value.name[language] }));
  const grant =
    given &&
    t(given.until ? 'level.givenUntil' : 'level.givenForGood', {
      ...given,
      at: formatDate(given.at),
      until: formatDate(given.until),
    });
  return (
    <Section className="card" title={t('level.title')}>
      <Facts
        of={[
          [t('level.own'), level.own?.name ?? t('level.none')],
          [t('level.given'), grant ?? t('level.none')],
        ]}
      />
      {mayGrant && choices.length > 0 && (
        <ActionForm
          className="stack starts"
          label={t('level.give')}
          fields={fields}
          t={t}
          start={{ level: choices[0]?.value ?? '', until: null, reason: '' } satisfies LevelGrant as LevelGrant}
          submit={t('wallet.send')}
          kind="secondary"
          done={t('account.done')}
          changes={['shopper']}
          choices={{ level: [...choices, { value: '', label: t('level.takeBack') }] }}
          onSubmit={({ level, until, reason }) =>
            api('POST shopper/level', {
              id: user.id,
              reason: reason.trim(),
              ...(level === '' ? { level: null, until: null } : { level, until }),
            })
          }
        />
      )}
    </Section>
  );
}
