import type { Reports, ReportTotal, StaffAuditEntry } from '@shop/backoffice/wire';
import { addDays, localDay } from '@shop/shared/domain/time-zone';
import { screen, within } from '@testing-library/react';
import { answers, hostile, openConsole, savedFiles, sent, stubCalls } from '../testing/console';

const total = (currency: 'CNY' | 'USD', more: Partial<ReportTotal> = {}): ReportTotal => ({
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
  ...more,
});
const days = [
  { day: '2026-11-01', ...total('CNY', { net: '-2.50' }) },
  { day: '2026-11-02', ...total('CNY') },
  { day: '2026-11-01', ...total('USD', { sales: '7.00' }) },
];
const reports: Reports = {
  days,
  totals: [total('CNY', { net: '45.00' }), total('USD', { net: '7.00' })],
  margins: [{ name: null, currency: 'CNY', orders: 2, revenue: '12.00', cost: '2.00', earned: '10.00', margin: 83.3 }],
  reconciled: [],
  late: [],
};

const zone = 'Pacific/Kiritimati';
const today = localDay(new Date(), zone);
const reportsCall = `GET reports?from=${addDays(today, -29)}&to=${today}`;

async function open() {
  await stubCalls('money');
  answers['GET session'] = { name: 'Ann', role: 'money', time_zone: zone };
  answers[reportsCall] = reports;
  return openConsole('reports');
}

it('reports show one table of days with their total and a chart of sales, by currency', async () => {
  const user = await open();
  const byDay = await screen.findByRole('region', { name: 'By day' });
  expect(within(byDay).getByRole('img', { name: 'Sales by day' }).querySelectorAll('rect')).toHaveLength(2);
  const rows = within(byDay)
    .getAllByRole('row')
    .map((row) => row.textContent);
  expect(rows).toEqual([
    'DayPaid ordersSalesRefundsNet turnoverReceivedPaid backFailed paymentsAll paymentsHeld in wallets',
    'Total360.0012.5045.0060.000.001499.10',
    '2026-11-01360.0012.50-2.5060.000.001499.10',
    '2026-11-02360.0012.5047.5060.000.001499.10',
  ]);
  await user.selectOptions(screen.getByLabelText('Currency'), 'USD');
  expect(within(byDay).getByRole('row', { name: /^Total 3 60.00 12.50 7.00/ })).toBeInTheDocument();
  const calls = sent.map(({ call }) => call).filter((call) => call.startsWith('GET reports?'));
  expect(calls).toEqual([reportsCall]);
  expect(screen.getByText(/Pacific\/Kiritimati/)).toBeInTheDocument();
});

it('a report can be saved as a CSV file', async () => {
  const saved = savedFiles();
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/^reports-CNY-[\d-]+\.csv$/)]);
  const text = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsText(saved[0]?.content as Blob);
  });
  expect(text).toContain(
    '2026-11-01,3,60.00,12.50,-2.50,60.00,0.00,1,4,99.10\r\n2026-11-02,3,60.00,12.50,47.50,60.00,0.00,1,4,99.10\r\n',
  );
});

const entry = (id: number, more: Partial<StaffAuditEntry> = {}): StaffAuditEntry => ({
  id,
  at: '2026-11-02T10:00:00.000Z',
  actor: 'Ann (staff)',
  action: 'order.deliver',
  subject: 'A1B2C3D4',
  user_id: 12,
  network: '10.0.0.1/32',
  before: null,
  after: null,
  detail: { note: hostile },
  ...more,
});

it('the audit page shows author, before and after as text, filters, and loads older entries by key', async () => {
  await stubCalls('manager');
  const role = { before: { role: 'seller' }, after: { role: 'money' } };
  answers['GET people'] = [{ name: 'Ben', role: 'seller', created_at: '2026-11-01T00:00:00.000Z', disabled_at: null }];
  answers['GET audit'] = {
    entries: [entry(9, { action: 'staff.change', subject: 'Ben', user_id: null, ...role, detail: {} }), entry(8)],
    next: 8,
  };
  answers['GET audit?before=8'] = { entries: [entry(3, { action: 'order.view' })], next: null };
  const user = openConsole('audit');
  const changed = await screen.findByRole('article', { name: 'staff.change' });
  expect(within(changed).getByRole('row', { name: 'role seller money' })).toBeInTheDocument();
  const delivered = screen.getByRole('article', { name: 'order.deliver' });
  expect(within(delivered).getByText(hostile)).toBeInTheDocument();
  expect(document.querySelector('img')).toBeNull();
  expect(within(delivered).getByRole('link', { name: 'A1B2C3D4' })).toHaveAttribute('href', '#/order/A1B2C3D4');
  expect(within(delivered).getByRole('link', { name: 'Buyer' })).toHaveAttribute('href', '#/shopper/12');
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('article', { name: 'order.view' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();

  answers['GET audit?user=Ben&kind=order'] = { entries: [], next: null };
  await user.selectOptions(screen.getByLabelText('Kind'), 'Orders');
  await user.selectOptions(screen.getByLabelText('Staff member'), 'Ben');
  expect(await screen.findByText('No matching entries')).toBeInTheDocument();
  await user.type(screen.getByLabelText('From'), '2026-03-08');
  await user.type(screen.getByLabelText('To'), '2026-11-01');
  expect(sent.at(-1)?.call).toBe('GET audit?user=Ben&kind=order&from=2026-03-08&to=2026-11-01');
});
