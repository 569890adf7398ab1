import type { FigureDay, Figures, FigureTotal, StaffReconciliation } from '@shop/server/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Button, Empty, ErrorState } from '@shop/shared/ui';
import { type ReactNode, useId, useState } from 'react';
import { api } from '../api';
import { saveFile, toCsv } from '../csv';
import { money } from '../format';
import { Fault, Field, Loading, Rows, Select, Table, useFormAct } from '../parts';
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
        <div className="figures" aria-busy={isFetching}>
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
    [t('failed'), `${total.failed_payments} / ${total.payments}`],
    [t('median'), total.median_seconds === null ? '—' : minutes(total.median_seconds)],
    [t('liabilities'), amount(total.liabilities)],
  ] as const;
  return (
    <dl className="card totals">
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
  /** Drawn; all of them stand in the table. */
  drawn: number[];
  columns: Array<{ label: string; value(one: FigureDay | FigureTotal): string }>;
}

function Days({ days, total, span }: { days: FigureDay[]; total: FigureTotal; span: { from: string; to: string } }) {
  const { t } = useTexts();
  const column = (label: string, value: (one: FigureDay | FigureTotal) => string) => ({ label, value });
  const figures: DayFigure[] = [
    {
      name: 'turnover',
      drawn: [0, 1],
      columns: [
        column(t('sales'), (one) => one.sales),
        column(t('refunds'), (one) => one.refunds),
        column(t('net'), (one) => one.net),
      ],
    },
    { name: 'orderCount', drawn: [0], columns: [column(t('orders'), (one) => String(one.orders))] },
    {
      name: 'cash',
      drawn: [0, 1],
      columns: [column(t('received'), (one) => one.received), column(t('paidOut'), (one) => one.paid_out)],
    },
    {
      name: 'failedPayments',
      drawn: [0],
      columns: [
        column(t('failed'), (one) => String(one.failed_payments)),
        column(t('tried'), (one) => String(one.payments)),
      ],
    },
    {
      name: 'delivery',
      drawn: [0, 1],
      columns: [
        column(t('median'), (one) => minutes(one.median_seconds)),
        column(t('p95'), (one) => minutes(one.p95_seconds)),
        column(t('delivered'), (one) => String(one.delivered)),
      ],
    },
    { name: 'wallets', drawn: [0], columns: [column(t('liabilities'), (one) => one.liabilities)] },
  ];
  const unit = { turnover: true, cash: true, wallets: true, orderCount: false, failedPayments: false, delivery: false };
  return figures.map(({ name, drawn, columns }) => {
    const series: Series[] = drawn.flatMap((at) => {
      const one = columns[at];
      // For the drawing only: sums are the server's.
      const numberOf = (day: FigureDay) => (one?.value(day) ? Number(one.value(day)) : null);
      return one ? [{ label: one.label, values: days.map(numberOf) }] : [];
    });
    const format = (value: number) => (unit[name] ? money(value.toFixed(2), total.currency) : String(value));
    return (
      <Figure
        key={name}
        title={t(name)}
        file={`${name}-${total.currency}-${span.from}-${span.to}`}
        head={[t('day'), ...columns.map((one) => one.label)]}
        rows={[
          ...days.map((day) => [day.day, ...columns.map((one) => one.value(day))]),
          [t('all'), ...columns.map((one) => one.value(total))],
        ]}
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
        <ul className="meters">
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

/** Compares the providers' lists of a day with the ledger now. */
function Compare({ day: first }: { day: string }) {
  const { t } = useTexts();
  const [day, setDay] = useState(first);
  const [found, setFound] = useState<StaffReconciliation[]>();
  const { busy, fault, act } = useFormAct();
  const head = (['method', 'difference', 'number', 'payment', 'listed', 'booked'] as const).map((name) => t(name));
  return (
    <form
      className="card row"
      onSubmit={(event) => {
        event.preventDefault();
        void act(async () => setFound(await api('POST reconcile', { day })));
      }}
    >
      <Field label={t('day')} type="date" value={day} onValue={setDay} required />
      <Button type="submit" kind="secondary" loading={busy}>
        {t('compare')}
      </Button>
      {fault && <Fault>{fault}</Fault>}
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
    </form>
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
