import type { Figures, FigureTotal } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { openConsole, stubCalls } from '../testing/console';

const total = (currency: 'CNY' | 'USD', more: Partial<FigureTotal> = {}): FigureTotal => ({
  currency,
  orders: 3,
  sales: '60.00',
  refunds: '12.50',
  net: '47.50',
  received: '60.00',
  paid_out: '0.00',
  liabilities: '99.10',
  payments: 4,
  failed_payments: 1,
  delivered: 2,
  median_seconds: 90,
  p95_seconds: null,
  ...more,
});
const days = [
  { day: '2026-11-01', ...total('CNY', { net: '-2.50' }) },
  { day: '2026-11-02', ...total('CNY') },
  { day: '2026-11-01', ...total('USD', { sales: '7.00' }) },
];
const figures: Figures = {
  days,
  totals: [total('CNY', { net: '45.00' }), total('USD', { net: '7.00' })],
  stock: [{ goods_id: 1, name: '=Gems', spec: '100', left: 0, sold_per_day: 1.5, days_left: 0 }],
  reconciled: [],
  late: [],
};

const isFigures = (call: string) => call.startsWith('GET figures?');

async function open() {
  const { answers, sent } = await stubCalls('money');
  const call = globalThis.fetch;
  globalThis.fetch = (async (url: string, options: RequestInit) => {
    answers[`GET ${url.replace('/staff/api/', '')}`] ??= isFigures(`GET ${url.replace('/staff/api/', '')}`)
      ? figures
      : undefined;
    return call(url, options);
  }) as typeof fetch;
  location.hash = '#/figures';
  return { user: openConsole(), sent };
}

it('shows the figures of a currency as charts, each with its table of days and their total', async () => {
  const { user, sent } = await open();
  expect(await screen.findByText('¥45.00')).toBeInTheDocument();
  const turnover = screen.getByRole('region', { name: 'Turnover' });
  expect(within(turnover).getByRole('img', { name: 'Turnover' }).querySelectorAll('rect')).toHaveLength(4);
  await user.click(within(turnover).getByText('Show data'));
  const rows = within(turnover)
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows).toEqual([
    'DaySalesRefundsNet turnover',
    '2026-11-0160.0012.50-2.50',
    '2026-11-0260.0012.5047.50',
    'Total60.0012.5045.00',
  ]);
  await user.selectOptions(screen.getByLabelText('Currency'), 'USD');
  expect(screen.getByText('$7.00')).toBeInTheDocument();
  expect(sent.filter((one) => isFigures(one.call))).toHaveLength(1);
  expect(screen.getByText('No statements for these days')).toBeInTheDocument();
});

it('saves what is shown as a file in which nothing is a formula', async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (blob: Blob) => `blob:${saved.push(blob)}`;
  URL.revokeObjectURL = () => {};
  const names: string[] = [];
  HTMLAnchorElement.prototype.click = function click() {
    names.push(this.download);
  };
  const { user } = await open();
  const stock = await screen.findByRole('region', { name: 'Low stock' });
  await user.click(within(stock).getByRole('button', { name: 'CSV' }));
  expect(names).toEqual(['stock.csv']);
  const text = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsText(saved[0] as Blob);
  });
  expect(text).toBe('Product,Option,Left,"Sold per day, last 7 days",Days left\r\n\'=Gems,100,0,1.5,0\r\n');
});
