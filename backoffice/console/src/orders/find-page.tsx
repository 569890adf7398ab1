import type { Closing, FoundOrder, FoundUser } from '@shop/backoffice/wire';
import { OrderStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Empty, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { SearchForm } from '../kit/action-form';
import { type Column, ListTable, RowLink, TableOf } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';
import { listText } from './list-filter';

const LEAST_LETTERS = 4;

export function FindPage({ place: [words = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const me = useMe();
  const isSearch = words.length >= LEAST_LETTERS;
  const query = useApi('GET find', { q: words }, { inOneLanguage: true, enabled: isSearch });
  return (
    <>
      <h1>{t('nav.find')}</h1>
      <SearchForm
        t={t}
        words={words}
        label="find.label"
        hint="find.hint"
        minLength={LEAST_LETTERS}
        maxLength={80}
        spellCheck={false}
        autoFocus={words === ''}
        required
        place="find"
      />
      {words === '' && mayUse(me, 'accounts') && <Closings />}
      <div aria-live="polite" aria-busy={query.isLoading} className="list">
        {isSearch && (
          <Loaded query={query}>
            {({ orders, people }) => (
              <>
                {orders.length + people.length === 0 && (
                  <Empty title={t('find.nothing')} description={t('find.nothingText')} art="search" />
                )}
                {people.length > 0 && <UsersTable people={people} />}
                {orders.length > 0 && <OrdersTable orders={orders} isOnly={people.length === 0} />}
              </>
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

/** Closed accounts, with the open matters that block their erasure. The list loads on request only, because each access is audited. */
function Closings() {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const query = useApi('GET closures', {}, { enabled: isOpen });
  const users = query.data?.map(({ user, ...closing }) => ({ ...user, ...closing }));
  const blockerOf = (name: string) => t(`closures.blockers.${name as 'balance'}`);
  const columns: Column<FoundUser & Omit<Closing, 'user'>>[] = [
    ...useUserColumns(),
    { head: t('closures.erasedAt'), cell: ({ erased_at }) => formatDate(erased_at) },
    { head: t('closures.waitsFor'), cell: ({ waits_for }) => waits_for.map(blockerOf).join(', ') },
  ];
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('closures.title')}</summary>
      {isOpen && (
        <ListTable
          label={t('closures.title')}
          query={{ ...query, data: users }}
          empty={t('none')}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
    </details>
  );
}

const states = {
  [OrderStatus.Unpaid]: { name: 'unpaid', tone: 'neutral' },
  [OrderStatus.Paid]: { name: 'paid', tone: 'warning' },
  [OrderStatus.Finished]: { name: 'delivered', tone: 'success' },
  [OrderStatus.Refunded]: { name: 'refunded', tone: 'neutral' },
} as const;
type OrderState = Pick<FoundOrder, 'status' | 'closed'>;
const stateOf = ({ status, closed }: OrderState) =>
  closed ? ({ name: 'closed', tone: 'neutral' } as const) : states[status as OrderStatus];
export const stateText = (order: OrderState): string => listText(`state.${stateOf(order).name}`);

/** The focus lets Enter open the only order of a search. */
const focus = (link: HTMLAnchorElement | null) => link?.focus();

export function useOrderColumns(isOnly = false): Column<FoundOrder>[] {
  const { t } = useTexts();
  return [
    {
      head: t('product'),
      cell: ({ order_no, name }) => (
        <RowLink ref={isOnly ? focus : undefined} href={`#/order/${order_no}`} note={order_no}>
          {name}
        </RowLink>
      ),
    },
    { head: t('order.value'), cell: ({ face_value, quantity }) => `${face_value} × ${quantity}`, kind: 'sign' },
    { head: t('queue.amount'), cell: ({ amount, currency }) => money(amount, currency), kind: 'number' },
    { head: t('order.made'), cell: ({ created_at }) => formatDate(created_at) },
    {
      head: t('status'),
      cell: (order) => <Tag tone={stateOf(order).tone}>{stateText(order)}</Tag>,
      kind: 'sign',
    },
  ];
}

/** With `isOnly`, a single order is the result of the search. */
export function OrdersTable({ orders, isOnly = false }: { orders: FoundOrder[]; isOnly?: boolean }) {
  const { t } = useTexts();
  const columns = useOrderColumns(isOnly && orders.length === 1);
  return <TableOf label={t('nav.group.orders')} columns={columns} rows={orders} keyOf={({ order_no }) => order_no} />;
}

function useUserColumns(): Column<FoundUser>[] {
  const { t } = useTexts();
  return [
    {
      head: t('user.name'),
      cell: ({ id, nickname }) => <RowLink href={`#/shopper/${id}`}>{nickname || t('user.noName')}</RowLink>,
    },
    {
      head: t('user.signIn'),
      cell: ({ phone, sign_in_email }) => phone || sign_in_email || t('user.noPhone'),
      kind: 'sign',
    },
    { head: t('user.email'), cell: ({ email }) => email, kind: 'sign' },
    { head: t('user.joined'), cell: ({ created_at }) => formatDate(created_at, 'day') },
    {
      head: t('status'),
      cell: ({ is_usable }) => !is_usable && <Tag tone="danger">{t('people.disabled')}</Tag>,
      kind: 'sign',
    },
  ];
}

export function UsersTable({ people }: { people: FoundUser[] }) {
  const { t } = useTexts();
  return <TableOf label={t('user.list')} columns={useUserColumns()} rows={people} keyOf={({ id }) => id} />;
}
