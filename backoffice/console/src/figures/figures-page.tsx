import type { FigureDay, Figures, FigureTotal, StaffReconciliation } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { useQuery } from '@shop/shared/query';
import { Button, Empty, ErrorState } from '@shop/shared/ui';
import { type ReactNode, useId, useState } from 'react';
import { api } from '../api';
import { saveFile, toCsv } from '../csv';
import { ActForm } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { Field, Loading, Rows, Select, Table } from '../parts';
import { BarChart, type Series } from './bar-chart';
import { useTexts } from './texts';

const DAYS = 30;
const STOCK_DAYS = 14;

const localDay = (daysAgo: number) => {
  const day = new Date();
  day.setDate(day.getDate() - daysAgo);
  return formatDate(day.toISOString(), 'yyyy-MM-dd');
};
const minutes = (seconds: number | null) => (seconds === null ? '' : (seconds / 60).toFixed(1));

/** What the shop sold, owes and lacks, by day and currency. Days are those of this device's clock. */
export function FiguresPage() {
  const { t, language } = useTexts();
  const [span, setSpan] = useState({ from: localDay(DAYS - 1), to: localDay(0) });
  const [currency, setCurrency] = useState<Currency>('CNY');
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['figures', span, language],
    queryFn: () => api('GET figures', { ...span, offset: -new Date().getTimezoneOffset() }),
    enabled: span.from !== '' && span.to !== '',
    placeholderData: (before: Figures | undefined) => before,
  });
  const total = data?.totals.find((one) => one.currency === currency);
  const currencyOptions = currencies.map((value) => ({ value, label: value }));
  return (
    <>
      <h1>{t('title')}</h1>
      <div className="card row">
        <Field
          label={t('from')}
          type="date"
          value={span.from}
          max={span.to}
          onValue={(from) => setSpan({ ...span, from })}
        />
        <Field label={t('to')} type="date" value={span.to} min={span.from} onValue={(to) => setSpan({ ...span, to })} />
        <Select
          label={t('currency')}
          value={currency}
          options={currencyOptions}
          onValue={(value) => setCurrency(value)}
        />
        <p className="hint">{t('days')}</p>
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={8} />}
      {data && total && !error && (
        <div className="stack figures" aria-busy={isFetching}>
          <Totals total={total} />
          <Days days={data.days.filter((one) => one.currency === currency)} total={total} span={span} />
          <Stock stock={data.stock} />
          <Reconciled reconciled={data.reconciled} />
          <Compare day={span.to} />
          {data.late.length > 0 && (
            <Table
              title={t('late')}
              head={[t('orderNo'), t('supplier'), t('paidAt')]}
              rows={data.late.map((one) => [one.order_no, `${one.supplier} ${one.detail}`, formatDate(one.paid_at)])}
            />
          )}
        </div>
      )}
    </>
  );
}

function Totals({ total }: { total: FigureTotal }) {
  const { t } = useTexts();
  const amount = (text: string) => money(text, total.currency);
  const facts = [
    [t('net'), amount(total.net)],
    [t('orders'), String(total.orders)],
    [t('failed_payments'), `${total.failed_payments} / ${total.payments}`],
    [t('median_seconds'), total.median_seconds === null ? '—' : minutes(total.median_seconds)],
    [t('liabilities'), amount(total.liabilities)],
  ] as const;
  return (
    <dl className="card pair tight wide totals">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface DayFigure {
  name: 'turnover' | 'orderCount' | 'cash' | 'failedPayments' | 'delivery' | 'wallets';
  columns: ReadonlyArray<Exclude<keyof FigureDay & keyof FigureTotal, 'currency'>>;
  /** How many of them are drawn; all of them stand in the table. */
  drawn: number;
  isMoney?: boolean;
}
const dayFigures: DayFigure[] = [
  { name: 'turnover', columns: ['sales', 'refunds', 'net'], drawn: 2, isMoney: true },
  { name: 'orderCount', columns: ['orders'], drawn: 1 },
  { name: 'cash', columns: ['received', 'paid_out'], drawn: 2, isMoney: true },
  { name: 'failedPayments', columns: ['failed_payments', 'payments'], drawn: 1 },
  { name: 'delivery', columns: ['median_seconds', 'p95_seconds', 'delivered'], drawn: 2 },
  { name: 'wallets', columns: ['liabilities'], drawn: 1, isMoney: true },
];

function Days({ days, total, span }: { days: FigureDay[]; total: FigureTotal; span: { from: string; to: string } }) {
  const { t } = useTexts();
  return dayFigures.map(({ name, columns, drawn, isMoney }) => {
    const textsOf = (one: FigureDay | FigureTotal) =>
      columns.map((column) =>
        column === 'median_seconds' || column === 'p95_seconds' ? minutes(one[column]) : String(one[column]),
      );
    const series: Series[] = columns.slice(0, drawn).map((column, at) => ({
      label: t(column),
      // For the drawing only: sums are the server's.
      values: days.map((day) => (textsOf(day)[at] ? Number(textsOf(day)[at]) : null)),
    }));
    const format = (value: number) => (isMoney ? money(value.toFixed(2), total.currency) : String(value));
    return (
      <Figure
        key={name}
        title={t(name)}
        file={`${name}-${total.currency}-${span.from}-${span.to}`}
        head={[t('day'), ...columns.map((column) => t(column))]}
        rows={[...days.map((day) => [day.day, ...textsOf(day)]), [t('all'), ...textsOf(total)]]}
      >
        <BarChart title={t(name)} names={days.map((one) => one.day)} series={series} format={format} />
      </Figure>
    );
  });
}

function Stock({ stock }: Pick<Figures, 'stock'>) {
  const { t } = useTexts();
  return (
    <Figure
      title={t('stock')}
      file="stock"
      head={[t('goods'), t('spec'), t('left'), t('soldPerDay'), t('daysLeft')]}
      rows={stock.map((one) => [
        one.name,
        one.spec,
        String(one.left),
        String(one.sold_per_day),
        one.days_left === null ? '' : String(one.days_left),
      ])}
    >
      {stock.length === 0 ? (
        <Empty title={t('enough')} />
      ) : (
        <ul className="list meters">
          {stock.slice(0, 10).map((one) => (
            <li key={`${one.goods_id} ${one.spec}`}>
              <span className="cut">
                {one.name} {one.spec}
              </span>
              <meter min={0} max={STOCK_DAYS} low={STOCK_DAYS / 2} value={one.days_left ?? 0}>
                {one.days_left}
              </meter>
              <span>{one.left === 0 ? t('out') : t('lasts', { left: one.left, days: one.days_left ?? 0 })}</span>
            </li>
          ))}
        </ul>
      )}
    </Figure>
  );
}

function Reconciled({ reconciled }: Pick<Figures, 'reconciled'>) {
  const { t } = useTexts();
  const days = [...new Set(reconciled.map((one) => one.day))];
  const methods = [...new Set(reconciled.map((one) => one.method))];
  const differences = (day: string, method: string) =>
    reconciled.find((one) => one.day === day && one.method === method)?.differences ?? null;
  return (
    <Figure
      title={t('reconciliation')}
      file="reconciliation"
      head={[t('day'), t('method'), t('entries'), t('differences'), t('runAt')]}
      rows={reconciled.map((one) => [
        one.day,
        one.method,
        String(one.entries),
        String(one.differences),
        formatDate(one.run_at),
      ])}
    >
      {days.length === 0 ? (
        <Empty title={t('noBills')} />
      ) : (
        <BarChart
          title={t('reconciliation')}
          names={days}
          series={methods.map((method) => ({ label: method, values: days.map((day) => differences(day, method)) }))}
          format={String}
        />
      )}
    </Figure>
  );
}

const dayField: FieldSpec<{ day: string }, 'day'>[] = [{ kind: 'date', name: 'day', label: 'day', required: true }];

/** Compares the providers' lists of a day with the ledger now. */
function Compare({ day }: { day: string }) {
  const { t } = useTexts();
  const [found, setFound] = useState<StaffReconciliation[]>();
  const head = (['method', 'difference', 'number', 'payment', 'listed', 'booked'] as const).map((name) => t(name));
  return (
    <section className="card">
      <ActForm
        className="row"
        fields={dayField}
        t={t}
        start={{ day }}
        onceSent={{}}
        submit={t('compare')}
        kind="secondary"
        onSubmit={async (wanted) => setFound(await api('POST reconcile', wanted))}
      />
      {found && (
        <Table
          title={t('compared', { count: found.reduce((sum, { entries }) => sum + entries, 0) })}
          head={head}
          rows={found.flatMap(({ method, differences }) =>
            differences.map(({ kind, entry, number, payment_no, listed, booked, currency }) => [
              ...[method, `${entry}: ${kind}`, number, payment_no],
              ...[listed, booked].map((amount) => (amount === null ? '' : `${amount} ${currency}`)),
            ]),
          )}
        />
      )}
    </section>
  );
}

function Figure(props: { title: string; file: string; head: string[]; rows: string[][]; children: ReactNode }) {
  const { title, file, head, rows, children } = props;
  const { t } = useTexts();
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {rows.length > 0 && (
        <div className="row figure__foot">
          <details className="grow">
            <summary>{t('table')}</summary>
            <Rows labelledBy={id} head={head} rows={rows} />
          </details>
          <Button kind="secondary" onClick={() => saveFile(`${file}.csv`, toCsv([head, ...rows]))}>
            CSV
          </Button>
        </div>
      )}
    </section>
  );
}
