import type { FoundOrder, FoundPerson } from '@shop/backoffice/wire';
import { OrderStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Empty, Tag } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api';
import { SearchForm } from '../forms/search-form';
import { go } from '../location';
import { Item, List, Loaded } from '../parts';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';

const LEAST_LETTERS = 4;

export function FindPage({ place: [words = ''] }: { place: string[] }) {
  const { t } = useTexts();
  const me = useMe();
  const isAsked = words.length >= LEAST_LETTERS;
  const query = useApi('GET find', { q: words }, { inOneLanguage: true, enabled: isAsked });
  return (
    <>
      <h1>{t('find.title')}</h1>
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
        submit={t('find.submit')}
        onSearch={(wanted) => go(`find/${encodeURIComponent(wanted)}`)}
      />
      {words === '' && mayUse(me, 'money') && <Closings />}
      <div aria-live="polite" aria-busy={query.isLoading} className="list">
        {isAsked && (
          <Loaded query={query} lines={3}>
            {({ orders, people }) => (
              <>
                {orders.length + people.length === 0 && (
                  <Empty title={t('find.nothing')} description={t('find.nothingText')} art="search" />
                )}
                {people.map((person) => (
                  <PersonItem key={person.id} person={person} />
                ))}
                {orders.map((order) => (
                  <OrderItem key={order.order_no} order={order} isOnly={orders.length === 1 && people.length === 0} />
                ))}
              </>
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

/** Accounts whose owners have closed them, with what has to be done before they are erased. Read when asked for: each look is on record. */
function Closings() {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const query = useApi('GET closures', {}, { enabled: isOpen });
  const blockerOf = (name: string) => t(`closures.blockers.${name as 'balance'}`);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('closures.title')}</summary>
      {isOpen && (
        <List query={query} empty={t('none')} lines={2}>
          {({ person, erased_at, waits_for }) => (
            <div key={person.id}>
              <PersonItem person={person} />
              <p className="hint">
                {t('closures.erasedAt', { day: formatDate(erased_at) })}
                {waits_for.length > 0 && ` · ${t('closures.waitsFor', { what: waits_for.map(blockerOf).join(', ') })}`}
              </p>
            </div>
          )}
        </List>
      )}
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
  const tone = state === 'paid' ? 'warning' : state === 'finished' ? 'success' : 'neutral';
  return (
    <Item
      ref={link}
      href={`#/order/${order.order_no}`}
      title={order.name}
      tags={<Tag tone={tone}>{t(`state.${state}`)}</Tag>}
      note={`${order.face_value} × ${order.quantity} · ${money(order.amount, order.currency)}`}
      end={formatDate(order.created_at)}
    />
  );
}

export function PersonItem({ person }: { person: FoundPerson }) {
  const { t } = useTexts();
  return (
    <Item
      href={`#/shopper/${person.id}`}
      title={person.nickname || t('person.noName')}
      tags={!person.is_usable && <Tag tone="danger">{t('person.disabled')}</Tag>}
      note={`${person.phone || t('person.noPhone')} ${person.email}`}
      end={t('person.since', { day: formatDate(person.created_at, 'day') })}
    />
  );
}
