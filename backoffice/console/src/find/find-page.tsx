import type { Closing, Found, FoundOrder, FoundPerson } from '@shop/server/wire';
import { OrderStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Button, Empty, ErrorState, Skeleton, Tag } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { call } from '../api';
import { money } from '../format';
import { go } from '../location';
import { Field, ListState } from '../parts';
import { useTexts as usePersonTexts } from '../refunds/texts';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';

export function FindPage({ query = '' }: { query?: string }) {
  const { t, language } = useTexts();
  const me = useMe();
  const [text, setText] = useState(query);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    setText(query);
    if (query === '') form.current?.querySelector('input')?.focus();
  }, [query]);
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: ['find', query, language],
    queryFn: () => call<Found>(`find?q=${encodeURIComponent(query)}`),
    enabled: query.length >= 4,
  });
  const only = data?.orders.length === 1 && data.people.length === 0 ? data.orders[0] : undefined;
  return (
    <>
      <h1>{t('find.title')}</h1>
      <form
        ref={form}
        className="card row search"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim().length >= 4) go(`find/${encodeURIComponent(text.trim())}`);
        }}
      >
        <div className="grow">
          <Field
            label={t('find.label')}
            hint={t('find.hint')}
            type="search"
            value={text}
            onValue={setText}
            minLength={4}
            maxLength={80}
            autoComplete="off"
            spellCheck={false}
            required
          />
        </div>
        <Button type="submit" icon="search">
          {t('find.submit')}
        </Button>
      </form>
      {query === '' && mayUse(me, 'money') && <Closings />}
      <div aria-live="polite" aria-busy={isLoading} className="list">
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {isLoading && <Skeleton lines={3} />}
        {data && data.orders.length + data.people.length === 0 && (
          <Empty title={t('find.nothing')} description={t('find.nothingText')} art="search" />
        )}
        {data?.people.map((person) => (
          <PersonItem key={person.id} person={person} />
        ))}
        {data?.orders.map((order) => (
          <OrderItem key={order.order_no} order={order} isOnly={order === only} />
        ))}
      </div>
    </>
  );
}

/** Accounts whose owners have closed them, with what has to be done before they are erased. Read when asked for: each look is on record. */
function Closings() {
  const { t } = usePersonTexts();
  const { t: shared } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ queryKey: ['closures'], queryFn: () => call<Closing[]>('closures'), enabled: isOpen });
  const blockerOf = (name: string) => t(`blockers.${name as 'balance'}`);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('closures')}</summary>
      {isOpen && <ListState query={query} isEmpty={query.data?.length === 0} empty={shared('none')} lines={2} />}
      {query.data?.map(({ person, erased_at, waits_for }) => (
        <div key={person.id}>
          <PersonItem person={person} />
          <p className="hint">
            {t('erasedAt', { day: formatDate(erased_at) })}
            {waits_for.length > 0 && ` · ${t('waitsFor', { what: waits_for.map(blockerOf).join(', ') })}`}
          </p>
        </div>
      ))}
    </details>
  );
}

/** Which words an order's state has. */
export function stateOf({ status, closed }: Pick<FoundOrder, 'status' | 'closed'>) {
  if (closed) return 'closed';
  if (status === OrderStatus.Unpaid) return 'unpaid';
  if (status === OrderStatus.Paid) return 'paid';
  return status === OrderStatus.Finished ? 'finished' : 'refunded';
}

export function OrderItem({ order, isOnly }: { order: FoundOrder; isOnly?: boolean }) {
  const { t } = useTexts();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Enter opens the only order that was found.
    if (isOnly) link.current?.focus();
  }, [isOnly]);
  const state = stateOf(order);
  return (
    <a ref={link} className="item" href={`#/order/${order.order_no}`}>
      <span className="item__line">
        <strong className="cut">{order.name}</strong>
        <Tag tone={state === 'paid' ? 'warning' : state === 'finished' ? 'success' : 'neutral'}>
          {t(`state.${state}`)}
        </Tag>
      </span>
      <span className="item__line hint">
        <span className="cut">
          {order.face_value} × {order.quantity} · {money(order.amount, order.currency)}
        </span>
        <span>{formatDate(order.created_at)}</span>
      </span>
    </a>
  );
}

export function PersonItem({ person }: { person: FoundPerson }) {
  const { t } = useTexts();
  return (
    <a className="item" href={`#/shopper/${person.id}`}>
      <span className="item__line">
        <strong className="cut">{person.nickname || t('person.noName')}</strong>
        {!person.is_usable && <Tag tone="danger">{t('person.disabled')}</Tag>}
      </span>
      <span className="item__line hint">
        <span className="cut">
          {person.phone || t('person.noPhone')} {person.email}
        </span>
        <span>{t('person.since', { day: formatDate(person.created_at, 'yyyy-MM-dd') })}</span>
      </span>
    </a>
  );
}
