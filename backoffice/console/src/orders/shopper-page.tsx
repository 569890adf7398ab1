import type { StaffShopper } from '@shop/backoffice/wire';
import { LedgerType } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Tag } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { noteRules } from '../generated/shoppers.rules';
import { ActForm } from '../kit/act-form';
import type { FieldSpec } from '../kit/fields';
import { TextTable } from '../kit/list-table';
import { Facts, Loaded, Note, Section } from '../kit/parts';
import { mayUse, useMe } from '../session';
import { type Key, useTexts } from '../texts';
import { AccountForm } from './account-form';
import { OrdersTable } from './find-page';
import { LevelForm } from './given-level-form';
import { PaymentsTable } from './order-page';
import { WalletForm } from './wallet-form';

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
  <Loaded query={useApi('GET shopper/:id', { id: Number(id) }, { inOneLanguage: true })} lines={8}>
    {(shopper) => <Shopper key={id} {...shopper} />}
  </Loaded>
);

function Shopper({ person, notes, payments, ...rest }: StaffShopper) {
  const { t } = useTexts();
  const mayAct = mayUse(useMe(), 'accounts');
  const wallets = rest.wallets.map(({ currency, balance, frozen, locked }) => {
    const value = (
      <>
        {money(balance, currency)} {frozen !== '0.00' && t('person.frozen', { amount: money(frozen, currency) })}{' '}
        {locked && <Tag tone="danger">{t('person.locked')}</Tag>}
      </>
    );
    return [t('person.wallet', { currency }), value] as const;
  });
  return (
    <>
      <h1>
        {person.nickname || t('person.noName')} {rest.is_vip && <Tag tone="accent">VIP</Tag>}{' '}
        {!person.is_usable && <Tag tone="danger">{t('person.disabled')}</Tag>}
      </h1>
      <section className="card">
        <Facts
          of={[
            person.sign_in_email
              ? [t('person.signInEmail'), person.sign_in_email]
              : [t('person.phone'), person.phone || '—'],
            [t('person.email'), person.email || '—'],
            [t('person.joined'), formatDate(person.created_at)],
            ...wallets,
          ]}
        />
      </section>
      <Notes person={person.id} notes={notes} />
      <LevelForm person={person} level={rest.level} />
      {mayAct && <WalletForm person={person} payments={payments} />}
      {mayAct && <AccountForm person={person} />}
      <Section title={t('person.orders')}>
        {rest.orders.length === 0 ? <p className="hint">{t('none')}</p> : <OrdersTable orders={rest.orders} />}
      </Section>
      <PaymentsTable payments={payments} />
      <TextTable
        title={t('person.ledger')}
        head={[t('order.at'), t('order.what'), t('queue.amount'), t('person.after'), t('queue.note')]}
        rows={rest.ledger.map((one) => [
          formatDate(one.at),
          t(ledgerKeys[one.type]),
          money(one.amount, one.currency, { sign: true }),
          money(one.balance_after, one.currency),
          [one.order_no, one.remark].filter(Boolean).join(' '),
        ])}
      />
      <TextTable
        title={t('person.coupons')}
        head={[t('person.coupon'), t('order.state'), t('person.until')]}
        rows={rest.coupons.map((one) => [
          one.name,
          t(`coupon.${couponStates[one.use_status as keyof typeof couponStates] ?? 'expired'}`),
          formatDate(one.end_time),
        ])}
      />
      <TextTable
        title={t('person.sessions')}
        head={[t('person.device'), t('person.signedIn'), t('person.seen')]}
        rows={rest.sessions.map((one) => [
          [one.browser, one.system].filter(Boolean).join(' · ') || '—',
          formatDate(one.created_at),
          formatDate(one.seen_at),
        ])}
      />
    </>
  );
}

const noteFields: FieldSpec<{ note: string }, Key>[] = [
  {
    kind: 'area',
    name: 'note',
    label: 'person.note',
    hint: 'person.noteHint',
    rows: 2,
    ...noteRules.note,
  },
];

function Notes({ person, notes }: { person: number; notes: StaffShopper['notes'] }) {
  const { t } = useTexts();
  return (
    <section className="card" aria-labelledby="notes-title">
      <h2 id="notes-title">{t('person.notes')}</h2>
      {notes.map((one) => (
        <Note key={one.id} by={one.by} at={one.at} text={one.note} />
      ))}
      <ActForm
        className="stack starts"
        layout="stack"
        fields={noteFields}
        t={t}
        start={{ note: '' }}
        draft={`shopper/${person}`}
        submit={t('person.addNote')}
        kind="secondary"
        done={t('person.noteAdded')}
        changes={['shopper']}
        onSubmit={({ note }) => api('POST shopper/note', { id: person, note: note.trim() })}
      />
    </section>
  );
}
