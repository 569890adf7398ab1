import { linkTo } from '@shop/shared/links';
import '../account.css';
import { formatMoney } from '@shop/shared/money';
import { prefetchList, useListQuery, useQuery } from '@shop/shared/query';
import { useSearchParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Chip, Empty, ErrorState, LoadMore, PageBody, Skeleton } from '@shop/shared/ui';
import { useState } from 'react';
import { logQuery, logSummaryQuery } from '../account.queries';
import { logTypeKeys, MovementList } from '../common/movement-list';
import { useTexts } from '../texts';
import { type LogFilter, lastDays, readFilter, toDay, toQuery, writeFilter } from './log-filter';

export function loader({ request }: LoaderArguments): null {
  prefetchList(logQuery(toQuery(readFilter(new URL(request.url).searchParams))));
  return null;
}

export const Component = observer(function LogPage() {
  const { t } = useTexts();
  const { currency } = useSession();
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  const types = Object.entries(logTypeKeys).flatMap(([type, key]) => (key ? [[Number(type), key] as const] : []));
  const log = useListQuery(logQuery(toQuery(filter)));
  const { data: summary, refetch: refetchSummary } = useQuery(logSummaryQuery(toQuery(filter)));
  const apply = (next: Partial<LogFilter>) => setSearch(writeFilter({ ...filter, ...next }), { replace: true });
  const filtered = filter.type !== undefined || filter.start !== '' || filter.end !== '';
  const refresh = () => Promise.allSettled([log.refresh(), refetchSummary()]);
  return (
    <PageBody>
      <div className="account-columns ui-stack ui-gap-4">
        <div className="ui-stack ui-gap-4">
          <fieldset className="account-methods ui-stack" aria-label={t('log.filter')}>
            <div className="account-chips">
              <Chip selected={filter.type === undefined} onClick={() => apply({ type: undefined })}>
                {t('common.all')}
              </Chip>
              {types.map(([type, key]) => (
                <Chip key={key} selected={filter.type === type} onClick={() => apply({ type })}>
                  {t(key)}
                </Chip>
              ))}
            </div>
          </fieldset>
          <DateFilter key={`${filter.start}|${filter.end}`} filter={filter} apply={apply} />
          <section className="account-card" aria-label={t('log.summary')}>
            <div className="account-row ui-row ui-spread ui-wrap">
              <div>
                <p>{t('log.income')}</p>
                <strong translate="no">{summary ? formatMoney(summary.income, currency) : '—'}</strong>
              </div>
              <div>
                <p>{t('log.expense')}</p>
                <strong translate="no">{summary ? formatMoney(summary.expense, currency) : '—'}</strong>
              </div>
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
      </div>
    </PageBody>
  );
});

function DateFilter({ filter, apply }: { filter: LogFilter; apply: (dates: Partial<LogFilter>) => void }) {
  const { t } = useTexts();
  const [start, setStart] = useState(filter.start);
  const [end, setEnd] = useState(filter.end);
  // biome-ignore lint/plugin: an address with dates, which this is compared with, is not rendered on the server (`query` of the route).
  const now = new Date();
  const today = toDay(now);
  const problem = start && end && end < start ? t('log.order') : start > today || end > today ? t('log.future') : '';
  const presets = [
    { key: 'log.last7', ...lastDays(7, now) },
    { key: 'log.last30', ...lastDays(30, now) },
    { key: 'log.thisMonth', start: `${today.slice(0, 8)}01`, end: today },
  ] as const;
  const preset = presets.some((item) => filter.start === item.start && filter.end === item.end);
  const [choosing, setChoosing] = useState(!preset && Boolean(filter.start || filter.end));
  const dayField = (label: string, value: string, onChange: (day: string) => void) => (
    <label className="account-field ui-stack ui-gap-1 ui-muted">
      {label}
      <input
        className="account-input"
        type="date"
        max={today}
        value={value}
        aria-invalid={Boolean(problem)}
        aria-describedby="account-dates-error"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
  return (
    <>
      <fieldset className="account-methods ui-stack" aria-label={t('log.dates')}>
        <div className="account-chips">
          <Chip selected={!choosing && !filter.start && !filter.end} onClick={() => apply({ start: '', end: '' })}>
            {t('log.anyDate')}
          </Chip>
          {presets.map((item) => (
            <Chip
              key={item.key}
              selected={!choosing && filter.start === item.start && filter.end === item.end}
              onClick={() => apply({ start: item.start, end: item.end })}
            >
              {t(item.key)}
            </Chip>
          ))}
          <Chip selected={choosing} onClick={() => setChoosing(!choosing)}>
            {t('log.customDates')}
          </Chip>
        </div>
      </fieldset>
      {choosing ? (
        <Card>
          <form
            className="ui-stack ui-gap-4"
            aria-label={t('log.customDates')}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!problem) apply({ start, end });
            }}
          >
            <div className="account-row ui-row ui-wrap">
              {dayField(t('log.from'), start, setStart)}
              {dayField(t('log.to'), end, setEnd)}
            </div>
            <p id="account-dates-error" className="account-error" role="status">
              {problem}
            </p>
            <Button type="submit" kind="secondary" disabled={start === filter.start && end === filter.end}>
              {t('log.apply')}
            </Button>
          </form>
        </Card>
      ) : null}
    </>
  );
}
