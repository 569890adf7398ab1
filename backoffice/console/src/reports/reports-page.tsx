import type { ReportDay, Reports, ReportTotal, StaffReconciliation } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { useQuery } from '@shop/shared/query';
import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { api } from '../api';
import { ActionForm } from '../kit/action-form';
import { currencyOptions, type FieldSpec } from '../kit/fields';
import { saveFile } from '../kit/files';
import { TextRows, TextTable } from '../kit/list-table';
import { Field, Loaded, Select } from '../kit/parts';
import { pairTexts } from '../pair-texts';
import { shopDay, shopTimeZone } from '../shop-time';

const DAYS = 30;
const marginColumns = ['product', 'currency', 'delivered', 'net', 'supplierCost', 'earned', 'margin'] as const;

export function ReportsPage() {
  const { t, language } = useTexts();
  const [span, setSpan] = useState({ from: shopDay(DAYS - 1), to: shopDay(0) });
  const [currency, setCurrency] = useState<Currency>('CNY');
  const report = useQuery({
    queryKey: ['reports', span, language],
    queryFn: () => api('GET reports', span),
    enabled: span.from !== '' && span.to !== '',
    placeholderData: (before: Reports | undefined) => before,
  });
  const total = report.data?.totals.find((total) => total.currency === currency);
  return (
    <>
      <h1>{t('nav.reports')}</h1>
      <div className="card row">
        <Field
          label={t('from')}
          type="date"
          value={span.from}
          max={span.to}
          onValue={(from) => setSpan({ ...span, from })}
        />
        <Field label={t('to')} type="date" value={span.to} min={span.from} onValue={(to) => setSpan({ ...span, to })} />
        <Select<Currency> label={t('currency')} value={currency} options={currencyOptions} onValue={setCurrency} />
        <p className="hint">
          {t('days', { zone: shopTimeZone() })}{' '}
          <a href={`#/orders/currency=${currency}/from=${span.from}/to=${span.to}`}>{t('placed')}</a>
        </p>
      </div>
      <Loaded query={report}>
        {(data) =>
          total && (
            <div className="stack" aria-busy={report.isFetching}>
              <Days days={data.days.filter((day) => day.currency === currency)} total={total} span={span} />
              {data.margins.length > 0 && (
                <TextTable
                  title={t('margins')}
                  head={marginColumns.map((name) => t(name))}
                  rows={data.margins.map(({ name, currency, orders, revenue, cost, earned, margin }) => [
                    name ?? t('all'),
                    currency,
                    String(orders),
                    ...[revenue, cost, earned].map((amount) => money(amount, currency)),
                    margin === null ? '' : `${margin} %`,
                  ])}
                />
              )}
              <TextTable
                title={t('reconciliation')}
                head={[t('day'), t('method'), t('entries'), t('differences'), t('runAt')]}
                rows={data.reconciled.map((difference) => [
                  difference.day,
                  difference.method,
                  String(difference.entries),
                  String(difference.differences),
                  formatDate(difference.run_at),
                ])}
              />
              <Compare day={span.to} />
              {data.late.length > 0 && (
                <TextTable
                  title={t('late')}
                  head={[t('orderNo'), t('supplier'), t('paidAt')]}
                  rows={data.late.map((order) => [
                    order.order_no,
                    `${order.supplier} ${order.detail}`,
                    formatDate(order.paid_at),
                  ])}
                />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

const columns = [
  ...(['orders', 'sales', 'refunds', 'net', 'received', 'paid_out'] as const),
  ...(['failed_payments', 'payments', 'liabilities'] as const),
];

function Days({ days, total, span }: { days: ReportDay[]; total: ReportTotal; span: { from: string; to: string } }) {
  const { t } = useTexts();
  const head = [t('day'), ...columns.map((column) => t(column))];
  const cells = (total: ReportTotal) => columns.map((column) => String(total[column]));
  const rows = [[t('all'), ...cells(total)], ...days.map((day) => [day.day, ...cells(day)])];
  const file = `reports-${total.currency}-${span.from}-${span.to}.csv`;
  return (
    <section className="list" aria-label={t('byDay')}>
      <div className="line">
        <h2>{t('byDay')}</h2>
        <Button kind="secondary" onClick={() => saveFile(file, CSV_MARK + csvRows([head, ...rows]))}>
          CSV
        </Button>
      </div>
      <div className="card">
        <BarChart
          title={t('salesByDay')}
          names={days.map((day) => day.day)}
          // Only the chart uses this number. The server computes all sums.
          values={days.map(({ sales }) => Number(sales))}
          format={(value) => money(value.toFixed(2), total.currency)}
        />
      </div>
      <TextRows label={t('byDay')} head={head} rows={rows} />
    </section>
  );
}

const dayField: FieldSpec<{ day: string }, 'day'>[] = [{ kind: 'date', name: 'day', label: 'day', required: true }];

function Compare({ day }: { day: string }) {
  const { t } = useTexts();
  const [results, setResults] = useState<StaffReconciliation[]>();
  const head = (['method', 'difference', 'number', 'payment', 'listed', 'booked'] as const).map((name) => t(name));
  return (
    <section className="card">
      <ActionForm
        className="row"
        fields={dayField}
        t={t}
        start={{ day }}
        onceSent={{}}
        submit={t('compare')}
        kind="secondary"
        onSubmit={async (input) => setResults(await api('POST reconcile', input))}
      />
      {results && (
        <TextTable
          title={t('compared', { count: results.reduce((sum, { entries }) => sum + entries, 0) })}
          head={head}
          rows={results.flatMap(({ method, differences }) =>
            differences.map(({ kind, entry, number, payment_no, listed, booked, currency }) => [
              method,
              `${entry}: ${kind}`,
              number,
              payment_no,
              ...[listed, booked].map((amount) => (amount === null ? '' : `${amount} ${currency}`)),
            ]),
          )}
        />
      )}
    </section>
  );
}

const { useTexts } = pairTexts('staff-reports', {
  days: ['按店铺时区（{{zone}}）划分日期，最多 92 天。', 'Days in the shop’s time zone ({{zone}}), 92 at most.'],
  day: ['日期', 'Day'],
  all: ['合计', 'Total'],
  byDay: ['每日报表', 'By day'],
  salesByDay: ['每日销售额', 'Sales by day'],
  sales: ['销售额', 'Sales'],
  refunds: ['退款', 'Refunds'],
  net: ['净营业额', 'Net turnover'],
  orders: ['付款订单', 'Paid orders'],
  placed: ['期间的订单', 'Orders of these days'],
  received: ['收款', 'Received'],
  paid_out: ['退回付款人', 'Paid back'],
  failed_payments: ['失败付款', 'Failed payments'],
  payments: ['付款总数', 'All payments'],
  liabilities: ['钱包余额', 'Held in wallets'],
  margins: ['供应商交付的毛利（按交付日期）', 'Margins of supplier deliveries, by day of delivery'],
  delivered: ['交付订单', 'Delivered orders'],
  supplierCost: ['成本', 'Cost'],
  earned: ['毛利', 'Margin'],
  margin: ['毛利率', 'Margin in %'],
  reconciliation: ['对账', 'Reconciliation'],
  entries: ['账单笔数', 'Entries'],
  differences: ['差异', 'Differences'],
  runAt: ['对账时间', 'Reconciled at'],
  compare: ['立即对账', 'Reconcile now'],
  compared: ['账单 {{count}} 笔，差异如下', '{{count}} entries; differences below', '1 entry; differences below'],
  difference: ['差异类型', 'Difference'],
  number: ['渠道单号', 'Provider reference'],
  payment: ['支付单号', 'Payment'],
  listed: ['账单金额', 'Provider amount'],
  booked: ['入账金额', 'Ledger amount'],
  late: ['退款后供应商仍发货的订单', 'Delivered by the supplier after a refund'],
  supplier: ['供应商', 'Supplier'],
});

interface BarChartProps {
  title: string;
  names: string[];
  values: number[];
  format(value: number): string;
}

const HEIGHT = 100;
const GAP = 0.2;

/** One bar per name. Screen readers read the table that the chart belongs to. */
function BarChart({ title, names, values, format }: BarChartProps) {
  const highest = Math.max(0, ...values);
  const scale = HEIGHT / (highest || 1);
  const middle = names[Math.floor((names.length - 1) / 2)];
  return (
    <figure className="chart">
      <div className="chart__scale" aria-hidden="true">
        <span>{format(highest)}</span>
        <span>{format(0)}</span>
      </div>
      <svg viewBox={`0 0 ${names.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {values.map((value, index) => (
          <rect
            key={names[index]}
            x={index + GAP / 2}
            width={1 - GAP}
            y={(highest - value) * scale}
            height={value * scale}
          >
            <title>{`${names[index]} · ${format(value)}`}</title>
          </rect>
        ))}
      </svg>
      <div className="line chart__names" aria-hidden="true">
        {[...new Set([names[0], middle, names.at(-1)])].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
    </figure>
  );
}
