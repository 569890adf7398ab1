import type { StaffAuditEntry } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { answers, hostile, openConsole, sent, stubCalls } from '../testing/console';

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
  await user.click(screen.getByRole('button', { name: 'Older entries' }));
  expect(await screen.findByRole('article', { name: 'order.view' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Older entries' })).toBeNull();

  answers['GET audit?user=Ben&kind=order'] = { entries: [], next: null };
  await user.selectOptions(screen.getByLabelText('Kind'), 'Orders');
  await user.selectOptions(screen.getByLabelText('Staff member'), 'Ben');
  expect(await screen.findByText('No matching entries')).toBeInTheDocument();
  await user.type(screen.getByLabelText('From'), '2026-03-08');
  await user.type(screen.getByLabelText('To'), '2026-11-01');
  expect(sent.at(-1)?.call).toBe('GET audit?user=Ben&kind=order&from=2026-03-08&to=2026-11-01');
});
