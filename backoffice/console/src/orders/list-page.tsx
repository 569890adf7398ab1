import type { ListedOrder, StaffOrdersQuery } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, queryClient, useListQuery } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, ask, dataOf, useApi } from '../api';
import { saveFile } from '../kit/files';
import { faultsOf } from '../kit/form';
import { type Column, PagedTable, TextTable } from '../kit/list-table';
import { Fault, Loaded, useAction } from '../kit/parts';
import { go } from '../location';
import { shopDay } from '../shop-time';
import { useOrderColumns } from './find-page';
import { type Filter, fieldName, filterOf, OrdersFilter, placeOf, useTexts } from './list-filter';

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
            empty={t('empty')}
            columns={columns}
            keyOf={({ order_no }) => order_no}
          />
        </>
      )}
    </>
  );
}

const MEGABYTE = 1_000_000;
const LINE_END = 10;

interface Progress {
  /** Orders received; NaN for a compressed file. */
  rows: number;
  total: number;
  megabytes: string;
}

/** Throws as `call` does, and if a text ends before its last row. */
async function receiveFile(path: string, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Blob> {
  const response = await ask(path, { signal });
  if (!response.headers.has('content-disposition') || !response.body) return dataOf<Blob>(response);
  const total = Number(response.headers.get('x-total-rows'));
  const reader = response.body.getReader();
  const parts: Array<Uint8Array<ArrayBuffer>> = [];
  let bytes = 0;
  // The first line has the headings.
  let rows = response.headers.get('content-type')?.startsWith('text/') ? -1 : Number.NaN;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    for (const byte of part.value) if (byte === LINE_END) rows += 1;
    onProgress({ rows, total, megabytes: (bytes / MEGABYTE).toFixed(1) });
  }
  if (rows < total) throw new Error('the file is incomplete');
  return new Blob(parts);
}

/** Saves all orders of the filter as a file. Leaving the page cancels it. */
function ExportOrders({ filter }: { filter: Filter }) {
  const { t } = useTexts();
  const { busy, fault, run } = useAction({ inline: true });
  const [progress, setProgress] = useState<Progress>();
  const controller = useRef<AbortController>(undefined);
  const cancel = useCallback(() => controller.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const save = async (format: string) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProgress(undefined);
    const query = new URLSearchParams({ ...filter, format });
    try {
      saveFile(`orders-${shopDay(0)}.${format}`, await receiveFile(`orders/export?${query}`, signal, setProgress));
      toast.success(t('exported'));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const { rows, total } = progress ?? { rows: Number.NaN, total: 0 };
  return (
    <div className="row">
      {['csv', 'xlsx'].map((format) => (
        <Button key={format} kind="secondary" disabled={busy} onClick={() => void run(() => save(format))}>
          {t('export', { format: format.toUpperCase() })}
        </Button>
      ))}
      {busy && (
        <>
          <p>
            <progress aria-label={t('progress')} {...(rows >= 0 && { value: rows, max: total })} />{' '}
            {progress && t(rows >= 0 ? 'rows' : 'megabytes', { ...progress })}
          </p>
          <Button kind="ghost" onClick={cancel}>
            {t('cancel')}
          </Button>
        </>
      )}
      {fault && <Fault>{`${fault} ${t('notSaved')}`}</Fault>}
    </div>
  );
}
