import type { StaffShopper } from '@shop/server/wire';
import { screen, within } from '@testing-library/react';
import { openConsole, type Sent, stubCalls } from '../testing';

const at = '2026-11-01T08:00:00.000Z';
const shopper: StaffShopper = {
  person: { id: 7, phone: '137****0001', email: '', nickname: 'Fang', is_usable: true, created_at: at },
  ...{ is_vip: false, wallets: [], orders: [], ledger: [], coupons: [], sessions: [], notes: [] },
  payments: [
    {
      ...{ payment_no: 'PAY1', method: 'stripe', state: 'paid', amount: '20.00', paid_back: '5.00' },
      ...{ currency: 'USD', provider_ref: 'pi_1', disputes: '', created_at: at },
    },
  ],
};

let answers: Record<string, unknown>;
let sent: Sent[];
const open = async (role: 'money' | 'manager' | 'seller') => {
  ({ answers, sent } = await stubCalls(role));
  answers['GET shopper/7'] = shopper;
  location.hash = '#/shopper/7';
  const user = openConsole();
  await screen.findByRole('heading', { name: /Fang/ });
  return user;
};
const bodyOf = (call: string) => sent.findLast((one) => one.call === call)?.body;

it('pays a payment back with a reason, again under the same key after a refusal, and says that a second person is needed', async () => {
  const user = await open('money');
  await user.selectOptions(screen.getByLabelText('What'), 'Pay back to where it came from');
  await user.type(screen.getByLabelText('Amount'), '10.00');
  const submit = screen.getByRole('button', { name: 'Do it' });
  expect(submit).toBeDisabled();
  await user.type(screen.getAllByLabelText('Reason')[0] as HTMLElement, ' wants it back ');
  answers['POST wallet'] = { code: 45001, message: 'The balance is too low' };
  await user.click(submit);
  expect(await screen.findByRole('alert')).toHaveTextContent('The balance is too low');
  const first = bodyOf('POST wallet');
  expect(first).toEqual({
    ...{ id: 7, kind: 'pay-back', currency: 'USD', payment_no: 'PAY1', amount: '10.00', reason: 'wants it back' },
    key: expect.any(String),
  });
  answers['POST wallet'] = { state: 'second', amount: '10.00', currency: 'USD' };
  await user.click(submit);
  expect(await screen.findByText('$10.00 waits for a second person')).toBeInTheDocument();
  expect(bodyOf('POST wallet')).toEqual(first);
  expect(screen.getByLabelText('Amount')).toHaveValue('');
});

it('disables and erases a person after a question, with a reason', async () => {
  const user = await open('manager');
  const account = screen.getByRole('region', { name: 'Account' });
  expect(within(account).getByRole('button', { name: 'Erase this person' })).toBeDisabled();
  await user.type(within(account).getByLabelText('Reason'), 'a letter');
  answers['POST shopper/change'] = { done: true };
  await user.click(within(account).getByRole('button', { name: 'Change' }));
  expect(bodyOf('POST shopper/change')).toBeUndefined();
  await user.click(
    within(await screen.findByRole('alertdialog'))
      .getAllByRole('button')
      .at(-1) as HTMLElement,
  );
  expect(await screen.findByText('Saved')).toBeInTheDocument();
  expect(bodyOf('POST shopper/change')).toEqual({ id: 7, reason: 'a letter', is_usable: false });
  await user.type(within(account).getByLabelText('Reason'), 'a letter');
  answers['POST shopper/erase'] = { pseudonym: 'erased-x' };
  await user.click(within(account).getByRole('button', { name: 'Erase this person' }));
  const ask = await screen.findByRole('alertdialog');
  await user.click(within(ask).getByRole('button', { name: 'Erase this person' }));
  expect(await screen.findByText('Erased; the records of sales stay as erased-x')).toBeInTheDocument();
});

it('offers no act to who may only look', async () => {
  await open('seller');
  expect(screen.getByText('PAY1 / pi_1')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Act on the wallet' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Account' })).toBeNull();
});

it('lets a second person agree to what waits', async () => {
  ({ answers, sent } = await stubCalls('money'));
  const waiting = {
    ...{ id: 3, user_id: 7, kind: 'credit', amount: '60.00', currency: 'CNY', payment_no: null },
    ...{ reason: 'a promise', asked_by: 'Ben', mine: false, asked_at: at },
  };
  Object.assign(answers, { 'GET refunds': [], 'GET wallet': [waiting, { ...waiting, id: 4, mine: true }] });
  answers['POST wallet/agree'] = { state: 'done', amount: '60.00', currency: 'CNY' };
  location.hash = '#/refunds';
  const user = openConsole();
  // Not to one's own.
  await user.click(await screen.findByRole('button', { name: 'Agree' }));
  const ask = await screen.findByRole('alertdialog', { name: 'Pay into the wallet: ¥60.00?' });
  await user.click(within(ask).getByRole('button', { name: 'Agree' }));
  expect(await screen.findByText('Done: ¥60.00')).toBeInTheDocument();
  expect(bodyOf('POST wallet/agree')).toEqual({ id: 3 });
});
