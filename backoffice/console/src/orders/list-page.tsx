import type { ListedOrder, StaffOrdersQuery } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, queryClient, useListQuery } from '@shop/shared/query';
import { api, useApi } from '../api';
import { faultsOf } from '../kit/form';
import { type Column, PagedTable, TextTable } from '../kit/list-table';
import { Fault, Loaded } from '../kit/parts';
import { go } from '../location';
import { ExportOrders } from './export-orders';
import { useOrderColumns } from './find-page';
import { type Filter, fieldName, filterOf, OrdersFilter, placeOf } from './list-filter';
import { useTexts } from './list-texts';

const FRESH_MS = 10_000;

const ordersQuery = (filter: Filter, language: string) => ({
  ...listQueryOptions(
    ['orders', 'GET orders', filter, language],
    async (page, cursor) => {
      const { list, next } = await api('GET orders', { ...(filter as StaffOrdersQuery), cursor });
      return { list, total: 0, page, limit: list.length, has_more: next !== null, next: next ?? undefined };
    },
    ({ order_no }) => order_no,
  ),
  staleTime: FRESH_MS,
});

/** `#/orders`, or with conditions: `#/orders/goods=<key>/state=paid/sort=oldest`. */
export function OrdersPage({ place }: { place: string[] }) {
  const { t, language } = useTexts();
  const filter = filterOf(place);
  const list = useListQuery(ordersQuery(filter, language));
  const { sort: _sort, ...conditions } = filter;
  const sums = useApi('GET orders/sums', conditions as StaffOrdersQuery);
  const faults = Object.entries(faultsOf(list.error ?? sums.error));
  const columns: Column<ListedOrder>[] = [
    ...useOrderColumns(),
    { head: t('buyer'), cell: ({ contact }) => contact, kind: 'sign' },
    { head: t('field.method'), cell: ({ pay_method }) => pay_method, kind: 'sign' },
  ];
  const show = async (next: Filter) => {
    await queryClient.infiniteQuery(ordersQuery(next, language));
    go(placeOf(next));
  };
  return (
    <>
      <h1>{t('nav.orders')}</h1>
      <OrdersFilter filter={filter} onShow={show} />
      {faults.length > 0 ? (
        <Fault>
          {[t('badFilter'), ...faults.map(([name, message]) => `${fieldName(name)}: ${message}`)].join(' · ')}
        </Fault>
      ) : (
        <>
          <Loaded query={sums}>
            {(total) => (
              <TextTable
                title={t('count', { count: total.orders })}
                head={[t('field.currency'), t('nav.group.orders'), t('paid'), t('refunded')]}
                rows={total.sums.map(({ currency, orders, paid, refunded }) => [
                  currency,
                  String(orders),
                  money(paid, currency),
                  money(refunded, currency),
                ])}
              />
            )}
          </Loaded>
          <ExportOrders filter={filter} />
          <PagedTable
            label={t('nav.orders')}
            list={list}
            more={t('more')}
            empty={t('empty')}
            columns={columns}
            keyOf={({ order_no }) => order_no}
          />
        </>
      )}
    </>
  );
}
