import { screen } from '@testing-library/react';
import { answers, openConsole, sent, stubCalls } from '../testing/console';

it('an enquiry shows phone and email masked, and whole when the user opens it by a separate call', async () => {
  await stubCalls('seller');
  const enquiry = {
    id: 7,
    created_at: '2026-11-01T08:00:00.000Z',
    company: 'Acme',
    contact: 'Fang',
    type: 'agent',
    content: 'Many',
    closed_at: null,
    closed_by: '',
    answer: '',
  };
  answers['GET enquiries?all=false'] = [{ ...enquiry, phone: '139****1111', email: 'fa***@mail.example' }];
  answers['GET enquiries/7'] = { ...enquiry, phone: '13900001111', email: 'fang@mail.example' };
  const user = openConsole('enquiries');
  expect(await screen.findByText(/139\*{4}1111/)).toBeVisible();
  expect(screen.queryByRole('link', { name: '13900001111' })).toBeNull();
  expect(sent.filter(({ call }) => call === 'GET enquiries/7')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Show phone and email (recorded)' }));
  expect(await screen.findByRole('link', { name: '13900001111' })).toHaveAttribute('href', 'tel:13900001111');
  expect(screen.getByRole('link', { name: 'fang@mail.example' })).toBeVisible();
});
