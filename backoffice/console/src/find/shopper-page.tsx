import type { StaffShopper } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, ErrorState, Tag, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from '../api';
import { money } from '../format';
import { Area, Fault, Loading, Table, useFormAct } from '../parts';
import { WalletForm } from '../refunds/wallet-form';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';
import { AccountForm } from './account-form';
import { OrderItem } from './find-page';
import { PaymentsTable } from './payments-table';

const ledgerTypes = ['buy', 'recharge', 'refund', 'deduction', 'freeze', 'thaw'] as const;
const couponStates = { 1: 'unused', 2: 'used', 3: 'expired' } as const;

export function ShopperPage({ id }: { id: string }) {
  const { t, language } = useTexts();
  const mayAct = mayUse(useMe(), 'money');
  const { data, error, refetch } = useQuery({
    queryKey: ['shopper', id, language],
    queryFn: () => call<StaffShopper>(`shopper/${encodeURIComponent(id)}`),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return <Loading lines={8} />;
  }
  const { person } = data;
  return (
    <>
      <h1>
        {person.nickname || t('person.noName')} {data.is_vip && <Tag tone="accent">VIP</Tag>}{' '}
        {!person.is_usable && <Tag tone="danger">{t('person.disabled')}</Tag>}
      </h1>
      <section className="card">
        <dl className="facts">
          <dt>{t('person.phone')}</dt>
          <dd>{person.phone || '—'}</dd>
          <dt>{t('person.email')}</dt>
          <dd>{person.email || '—'}</dd>
          <dt>{t('person.joined')}</dt>
          <dd>{formatDate(person.created_at)}</dd>
          {data.wallets.map((wallet) => (
            <div key={wallet.currency}>
              <dt>{t('person.wallet', { currency: wallet.currency })}</dt>
              <dd>
                {money(wallet.balance, wallet.currency)}{' '}
                {wallet.frozen !== '0.00' && t('person.frozen', { amount: money(wallet.frozen, wallet.currency) })}{' '}
                {wallet.locked && <Tag tone="danger">{t('person.locked')}</Tag>}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Notes person={person.id} notes={data.notes} />
      {mayAct && <WalletForm person={person} payments={data.payments} />}
      {mayAct && <AccountForm person={person} />}
      <section className="list" aria-labelledby="orders-title">
        <h2 id="orders-title">{t('person.orders')}</h2>
        {data.orders.length === 0 && <p className="hint">{t('none')}</p>}
        {data.orders.map((order) => (
          <OrderItem key={order.order_no} order={order} />
        ))}
      </section>
      <PaymentsTable payments={data.payments} />
      <Table
        title={t('person.ledger')}
        head={[t('order.at'), t('order.what'), t('queue.amount'), t('person.after'), t('queue.note')]}
        rows={data.ledger.map((one) => [
          formatDate(one.at),
          t(`ledger.${ledgerTypes[one.type] ?? 'deduction'}`),
          money(one.amount, one.currency),
          money(one.balance_after, one.currency),
          [one.order_no, one.remark].filter(Boolean).join(' '),
        ])}
      />
      <Table
        title={t('person.coupons')}
        head={[t('person.coupon'), t('order.state'), t('person.until')]}
        rows={data.coupons.map((one) => [
          one.name,
          t(`coupon.${couponStates[one.use_status as keyof typeof couponStates] ?? 'expired'}`),
          formatDate(one.end_time),
        ])}
      />
      <Table
        title={t('person.sessions')}
        head={[t('person.device'), t('person.signedIn'), t('person.seen')]}
        rows={data.sessions.map((one) => [
          [one.browser, one.system].filter(Boolean).join(' · ') || '—',
          formatDate(one.created_at),
          formatDate(one.seen_at),
        ])}
      />
    </>
  );
}

function Notes({ person, notes }: { person: number; notes: StaffShopper['notes'] }) {
  const { t } = useTexts();
  const [note, setNote] = useState('');
  const { busy, fault, act } = useFormAct();
  const add = () =>
    act(async () => {
      await post('shopper/note', { id: person, note: note.trim() });
      setNote('');
      toast.success(t('person.noteAdded'));
      await invalidate(['shopper', String(person)]);
    });
  return (
    <section className="card" aria-labelledby="notes-title">
      <h2 id="notes-title">{t('person.notes')}</h2>
      {notes.map((one) => (
        <p key={one.id} className="pre">
          <span className="hint">
            {one.by} · {formatDate(one.at)}
          </span>
          <br />
          {one.note}
        </p>
      ))}
      <form
        className="deliver"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Area
          label={t('person.note')}
          hint={t('person.noteHint')}
          rows={2}
          value={note}
          onValue={setNote}
          maxLength={500}
          required
        />
        {fault && <Fault>{fault}</Fault>}
        <Button type="submit" kind="secondary" loading={busy} disabled={note.trim() === ''}>
          {t('person.addNote')}
        </Button>
      </form>
    </section>
  );
}
