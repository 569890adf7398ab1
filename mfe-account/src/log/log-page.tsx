import '../account.css';
import type { BalanceLogQuery } from '@shop/server/wire';
import { get, getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { formatMoney } from '@shop/shared/money';
import { listQueryOptions, prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Chip, Empty, ErrorState, LoadMore, PageBody, Skeleton } from '@shop/shared/ui';
import { logTypeKeys, MovementList } from '../common/movement-list';
import { useTexts } from '../texts';

const api = '/api/front/user/balanceLog';

const logQuery = (filter: BalanceLogQuery) =>
  listQueryOptions(['account', 'log', filter], (page, cursor) =>
    get(api, { ...filter, page, cursor }, { quiet: true }),
  );

const logSummaryQuery = (filter: BalanceLogQuery) =>
  getQuery(api, ['account', 'log-summary', filter], { ...filter, limit: 1 });

const periods = ['last7', 'last30', 'thisMonth'] as const;

interface LogFilter {
  type: number | undefined;
  period: (typeof periods)[number] | undefined;
}

/** Reads the filter from the address; invalid values are ignored. */
function readFilter(search: URLSearchParams): LogFilter {
  const type = search.get('type') ?? '';
  return {
    type: Object.hasOwn(logTypeKeys, type) ? Number(type) : undefined,
    period: periods.find((period) => period === search.get('period')),
  };
}

/** Query for the server: whole days in the user's time zone, sent as an instant. */
function toQuery({ type, period }: LogFilter): BalanceLogQuery {
  return { ...(type === undefined ? {} : { type }), ...(period ? { start: startOf(period) } : {}) };
}

/** Browser only: an address with a period is not rendered on the server (`query` of the route). */
function startOf(period: (typeof periods)[number]): string {
  const today = new Date();
  const days = { last7: 7, last30: 30, thisMonth: today.getDate() }[period];
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).toISOString();
}

export const loader = ({ request }: LoaderArguments) =>
  prefetchList(logQuery(toQuery(readFilter(new URL(request.url).searchParams))));

export const Component = observer(function LogPage() {
  const { t } = useTexts();
  const { currency } = useSession();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const types = Object.entries(logTypeKeys).flatMap(([type, key]) => (key ? [[Number(type), key] as const] : []));
  const log = useListQuery(logQuery(toQuery(filter)));
  const { data: { summary } = {}, refetch: refetchSummary } = useQuery(logSummaryQuery(toQuery(filter)));
  const apply = (next: Partial<LogFilter>) => {
    const { type, period } = { ...filter, ...next };
    setSearch(
      { ...(type === undefined ? {} : { type: String(type) }), ...(period ? { period } : {}) },
      { replace: true },
    );
  };
  const filtered = filter.type !== undefined || filter.period !== undefined;
  const refresh = () => Promise.allSettled([log.refresh(), refetchSummary()]);
  return (
    <PageBody className="account-columns ui-stack ui-gap-4">
      <div className="ui-stack ui-gap-4">
        <fieldset className="account-chips ui-row ui-gap-2" aria-label={t('log.filter')}>
          <Chip selected={filter.type === undefined} onClick={() => apply({ type: undefined })}>
            {t('common.all')}
          </Chip>
          {types.map(([type, key]) => (
            <Chip key={key} selected={filter.type === type} onClick={() => apply({ type })}>
              {t(key)}
            </Chip>
          ))}
        </fieldset>
        <fieldset className="account-chips ui-row ui-gap-2" aria-label={t('log.dates')}>
          <Chip selected={filter.period === undefined} onClick={() => apply({ period: undefined })}>
            {t('log.anyDate')}
          </Chip>
          {periods.map((period) => (
            <Chip key={period} selected={filter.period === period} onClick={() => apply({ period })}>
              {t(`log.${period}`)}
            </Chip>
          ))}
        </fieldset>
        <section className="account-card account-row ui-row ui-spread ui-wrap" aria-label={t('log.summary')}>
          <div>
            <p>{t('log.income')}</p>
            <strong translate="no">{summary ? formatMoney(summary.income, currency) : '—'}</strong>
          </div>
          <div>
            <p>{t('log.expense')}</p>
            <strong translate="no">{summary ? formatMoney(summary.expense, currency) : '—'}</strong>
          </div>
        </section>
      </div>
      {log.isLoading ? (
        <Skeleton shape="card" height={480} />
      ) : log.items.length > 0 ? (
        <div>
          <Card>
            <p className="ui-muted">{t('log.count', { count: log.total })}</p>
            <MovementList items={log.items} />
          </Card>
          <LoadMore list={log} />
        </div>
      ) : log.error ? (
        <ErrorState error={log.error} onRetry={() => void refresh()} />
      ) : filtered ? (
        <Empty
          art="search"
          title={t('log.emptyTitle')}
          description={t('log.emptyHint')}
          action={<Button onClick={() => setSearch({}, { replace: true })}>{t('log.reset')}</Button>}
        />
      ) : (
        <Empty
          art="wallet"
          title={t('wallet.emptyTitle')}
          description={t('wallet.emptyHint')}
          action={<Button to={linkTo('recharge')}>{t('centre.recharge')}</Button>}
        />
      )}
    </PageBody>
  );
});
