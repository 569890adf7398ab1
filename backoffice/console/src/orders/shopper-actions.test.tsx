import type { StaffOrder, StaffShopper } from '@shop/backoffice/wire';
import { LedgerType } from '@shop/shared/domain';
import { screen, waitFor, within } from '@testing-library/react';
import {
  answers,
  both,
  cellsOf,
  foundOrder,
  newShopper,
  openConsole,
  posts,
  sent,
  stubCalls,
} from '../testing/console';

const at = '2026-11-01T08:00:00.000Z';
const shopper: StaffShopper = {
  ...newShopper,
  payments: [
    {
      payment_no: 'PAY1',
      method: 'stripe',
      state: 'paid',
      amount: '20.00',
      paid_back: '5.00',
      currency: 'USD',
      provider_ref: 'pi_1',
      disputes: '',
      created_at: at,
    },
  ],
};

const open = async (role: 'money' | 'manager' | 'seller', data = shopper, more?: object) => {
  await stubCalls(role);
  Object.assign(answers, { 'GET shopper/7': data, ...more });
  const user = openConsole('shopper/7');
  await screen.findByRole('heading', { name: /Fang/ });
  return user;
};

it('a recharge refund needs a reason, keeps its key after a refusal, and reports that a second staff member is needed', async () => {
  const user = await open('money');
  await user.selectOptions(screen.getByLabelText('Action'), 'Return to the original payment method');
  await user.type(screen.getByLabelText('Amount'), '10.00');
  const form = screen.getByRole('form', { name: 'Adjust the wallet' });
  const submit = within(form).getByRole('button', { name: 'Submit' });
  await user.type(within(form).getByLabelText('Reason'), ' ');
  await user.click(submit);
  expect(within(form).getByLabelText('Reason')).toHaveAccessibleDescription(/^Required/);
  expect(posts('wallet').at(-1)).toBeUndefined();
  await user.type(within(form).getByLabelText('Reason'), 'wants it back ');
  answers['POST wallet'] = { code: 45001, message: 'The balance is too low' };
  await user.click(submit);
  expect(await screen.findByRole('alert')).toHaveTextContent('The balance is too low');
  const first = posts('wallet').at(-1);
  expect(first).toEqual({
    id: 7,
    kind: 'pay-back',
    currency: 'USD',
    payment_no: 'PAY1',
    amount: '10.00',
    reason: 'wants it back',
    key: expect.any(String),
  });
  answers['POST wallet'] = { state: 'second', amount: '10.00', currency: 'USD' };
  await user.click(submit);
  expect(await screen.findByText('$10.00 needs approval by a second staff member')).toBeInTheDocument();
  expect(posts('wallet').at(-1)).toEqual(first);
  expect(screen.getByLabelText('Amount')).toHaveValue('');
});

it('staff disable a user, give a coupon, and erase the account after a confirmation, each with a reason', async () => {
  const user = await open('manager');
  const account = within(screen.getByRole('form', { name: 'Account' }));
  const confirm = () => user.click(account.getByRole('button', { name: 'Submit' }));
  Object.assign(answers, { 'POST shopper/change': { done: true }, 'POST shopper/coupon': { done: true } });
  await user.type(account.getByLabelText('Coupon key'), 'gift');
  await confirm();
  expect(await screen.findByText('Done')).toBeInTheDocument();
  expect(posts('shopper/coupon').at(-1)).toEqual({ id: 7, coupon: 'gift' });
  await user.selectOptions(account.getByLabelText('Account'), 'Disable the account');
  await user.type(account.getByLabelText('Reason'), 'a letter');
  await confirm();
  const question = await screen.findByRole('alertdialog');
  expect(posts('shopper/change').at(-1)).toBeUndefined();
  await user.click(within(question).getByRole('button', { name: 'Disable the account' }));
  await waitFor(() => expect(account.getByLabelText('Reason')).toHaveValue(''));
  expect(posts('shopper/change').at(-1)).toEqual({ id: 7, reason: 'a letter', is_usable: false });
  await user.selectOptions(account.getByLabelText('Account'), 'Erase the account');
  await user.type(account.getByLabelText('Reason'), 'a letter');
  answers['POST shopper/erase'] = { code: 41020, message: 'The wallet is not empty' };
  await confirm();
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Erase the account' }));
  expect(await account.findByRole('alert')).toHaveTextContent('The wallet is not empty');
});

it('a role without the right sees a shopper’s payments and level but no actions', async () => {
  const grant = { key: 'gold', name: 'Gold', until: null, by: 'ann (staff)', at };
  await open('seller', { ...shopper, level: { own: { key: 'gold', name: 'Gold' }, given: grant } });
  expect(screen.getByText('PAY1 / pi_1')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Adjust the wallet' })).toBeNull();
  expect(screen.queryByRole('form', { name: 'Account' })).toBeNull();
  const section = await screen.findByRole('region', { name: 'Level' });
  expect(section).toHaveTextContent(/Current levelGoldAssigned by staffGold, no end date \(ann \(staff\)/);
  expect(within(section).queryByRole('button')).toBeNull();
  expect(sent.some(({ call }) => call === 'GET levels')).toBe(false);
});

const waiting = {
  id: 3,
  amount: '60.00',
  currency: 'CNY',
  reason: 'a promise',
  asked_by: 'Ben',
  asked_at: at,
  mine: false,
};
const refund = { ...waiting, order_no: 'O1', name: 'Card', target: 'source' };
const action = { ...waiting, user_id: 7, kind: 'credit', payment_no: null };

it('the approval of a refund asks for confirmation if the buyer has viewed the codes meanwhile', async () => {
  await stubCalls('manager');
  Object.assign(answers, { 'GET refunds': [refund], 'GET wallet': [] });
  answers['POST refunds/agree'] = { code: 46013, message: 'The buyer has seen the codes', data: { times: 1 } };
  const user = openConsole('refunds');
  const agree = async () => {
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Approve' }));
  };
  await agree();
  await user.click(await screen.findByRole('checkbox', { name: /^Refund even though/ }));
  answers['POST refunds/agree'] = { state: 'done', amount: '60.00', currency: 'CNY' };
  await agree();
  expect(await screen.findByText('Done: ¥60.00')).toBeInTheDocument();
  expect(posts('refunds/agree')).toEqual([{ id: 3 }, { id: 3, revealed_ok: true }]);
});

const order: StaffOrder = {
  order: foundOrder,
  user: newShopper.user,
  pay_method: 'Wallet',
  paid_at: at,
  disputed: false,
  refund_state: 'none',
  supplier: null,
  reveals: [],
  events: [],
  payments: [],
  refunds: [],
  acts: [],
  codes: [
    { id: 11, number: '••••AAAA' },
    { id: 12, number: '••••BBBB' },
    { id: 13, number: '••••CCCC' },
  ],
};

it('staff refund selected codes of an order', async () => {
  await stubCalls('money');
  answers['GET order/O1'] = order;
  answers['POST refunds'] = { state: 'done', amount: '20.00', currency: 'CNY' };
  const user = openConsole('order/O1');
  const codes = within(await screen.findByRole('group', { name: 'Codes to void' }));
  for (const name of ['••••AAAA', '••••BBBB', '••••CCCC', '••••BBBB'])
    await user.click(codes.getByRole('checkbox', { name }));
  expect(screen.queryByLabelText('Quantity')).toBeNull();
  const form = within(screen.getByRole('form', { name: 'Refund' }));
  await user.type(form.getByLabelText('Reason'), 'used before');
  await user.click(form.getByRole('button', { name: 'Refund' }));
  expect(await screen.findByText('Done: ¥20.00')).toBeInTheDocument();
  expect(posts('refunds').at(-1)).toEqual({
    order_no: 'O1',
    codes: [11, 13],
    target: 'wallet',
    reason: 'used before',
    key: expect.any(String),
  });
  expect(codes.getByRole('checkbox', { name: '••••AAAA' })).not.toBeChecked();
});

it('a part of an order goes back to the original payment once per key, after a confirmation that the buyer has viewed its codes', async () => {
  await stubCalls('money');
  answers['GET order/O1'] = { ...order, reveals: [at], payments: shopper.payments };
  answers['POST refunds'] = { code: 46013, message: 'The buyer has seen the codes' };
  const user = openConsole('order/O1');
  const form = within(await screen.findByRole('form', { name: 'Refund' }));
  const refund = form.getByRole('button', { name: 'Refund' });
  await user.type(form.getByLabelText('Amount (CNY)'), '5.50');
  await user.type(form.getByLabelText('Quantity'), '2');
  await user.selectOptions(form.getByLabelText('Refunded to'), 'Original payment method');
  await user.type(form.getByLabelText('Reason'), 'came late');
  await user.click(refund);
  const confirmation = await form.findByRole('checkbox', { name: /^Refund even though/ });
  expect(refund).toBeDisabled();
  const first = posts('refunds').at(-1);
  expect(first).toEqual({
    order_no: 'O1',
    amount: '5.50',
    quantity: 2,
    target: 'source',
    reason: 'came late',
    key: expect.any(String),
  });
  answers['POST refunds'] = { state: 'second', amount: '5.50', currency: 'CNY' };
  await user.click(confirmation);
  await user.click(refund);
  expect(await screen.findByText('¥5.50 needs approval by a second staff member')).toBeInTheDocument();
  expect(posts('refunds').at(-1)).toEqual({ ...(first as object), revealed_ok: true });
  await waitFor(() => expect(form.getByLabelText('Amount (CNY)')).toHaveValue(''));
  expect(form.queryByRole('checkbox', { name: /^Refund even though/ })).toBeNull();
});

it.each([
  ['Credit the wallet', 'credit', 'CNY'],
  ['Debit the wallet', 'deduct', 'USD'],
  ['Freeze', 'freeze', 'CNY'],
  ['Unfreeze', 'thaw', 'USD'],
])('“%s” sends its action with the chosen currency, and the next one has another key', async (name, kind, currency) => {
  const user = await open('money');
  const form = within(screen.getByRole('form', { name: 'Adjust the wallet' }));
  answers['POST wallet'] = { state: 'done', amount: '1.20', currency };
  const keys = new Set<unknown>();
  for (const round of [1, 2]) {
    await user.selectOptions(form.getByLabelText('Action'), name);
    await user.selectOptions(form.getByLabelText('Currency'), currency);
    await user.type(form.getByLabelText('Amount'), '1.20');
    await user.type(form.getByLabelText('Reason'), 'a promise');
    await user.click(form.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(form.getByLabelText('Amount')).toHaveValue(''));
    const body = posts('wallet').at(-1) as { key: string };
    expect(body).toEqual({ id: 7, kind, currency, amount: '1.20', reason: 'a promise', key: expect.any(String) });
    expect(keys.add(body.key).size).toBe(round);
  }
});

it.each([
  ['refunds', refund, 'Approve a refund of ¥60.00?'],
  ['wallet', action, 'Credit the wallet: ¥60.00?'],
])(
  'a waiting entry of %s is rejected or approved by another user and withdrawn by its own, and a closed question approves nothing',
  async (list, entry, title) => {
    await stubCalls('money');
    Object.assign(answers, { 'GET refunds': [], 'GET wallet': [], [`POST ${list}/refuse`]: { done: true } });
    answers[`GET ${list}`] = [entry, { ...entry, id: 4, mine: true }];
    answers[`POST ${list}/agree`] = { state: 'done', amount: '60.00', currency: 'CNY' };
    const user = openConsole('refunds');
    const answer = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: 'Approve' }));
      const question = await screen.findByRole('alertdialog', { name: title });
      expect(question).toHaveTextContent('a promise');
      await user.click(within(question).getByRole('button', { name }));
    };
    await answer('Cancel');
    for (const [name, id] of [
      ['Reject', 3],
      ['Withdraw', 4],
    ] as const) {
      await user.click(screen.getByRole('button', { name }));
      await waitFor(() => expect(posts(`${list}/refuse`).at(-1)).toEqual({ id }));
    }
    expect(posts(`${list}/agree`)).toEqual([]);
    await answer('Approve');
    expect(await screen.findByText('Done: ¥60.00')).toBeInTheDocument();
    expect(posts(`${list}/agree`)).toEqual([{ id: 3 }]);
  },
);

it('every kind of wallet movement has a name and the sign of its amount', async () => {
  const entry = { at, balance_after: '9.00', currency: 'CNY', order_no: null, remark: '' } as const;
  const ledger: StaffShopper['ledger'] = Object.values(LedgerType).map((type) => ({
    ...entry,
    id: type,
    type,
    amount: '2.00',
  }));
  ledger.push({ ...entry, id: 99, type: LedgerType.Deduction, amount: '-2.00' });
  await open('seller', { ...shopper, ledger });
  const rows = cellsOf(screen.getByRole('table', { name: 'Wallet' }));
  const kinds = ['Purchase', 'Top-up', 'Refund', 'Deduction', 'Frozen', 'Unfrozen'];
  expect(rows.map(([, name]) => name)).toEqual([...kinds, 'Deduction']);
  expect(rows.map(([, , amount]) => amount)).toEqual([...Array(6).fill('+¥2.00'), '−¥2.00']);
});

it('staff grant a shopper a level with a reason, and withdraw it', async () => {
  const gold = { key: 'gold', given: 0, value: { name: both('Gold') } };
  const user = await open('money', newShopper, { 'GET levels': [gold], 'POST shopper/level': { done: true } });
  const section = await screen.findByRole('region', { name: 'Level' });
  await user.type(within(section).getByLabelText('Reason'), 'loyal');
  await user.click(within(section).getByRole('button'));
  await waitFor(() =>
    expect(posts('shopper/level').at(-1)).toEqual({ id: 7, level: 'gold', until: null, reason: 'loyal' }),
  );
  await user.selectOptions(within(section).getByRole('combobox', { name: 'Level' }), 'Remove the assigned level');
  await user.type(within(section).getByLabelText('Reason'), 'mistake');
  await user.click(within(section).getByRole('button'));
  await waitFor(() =>
    expect(posts('shopper/level').at(-1)).toEqual({ id: 7, level: null, until: null, reason: 'mistake' }),
  );
});

it('a shop without levels shows no level of a shopper', async () => {
  await open('money', newShopper, { 'GET levels': [] });
  await waitFor(() => expect(sent.some(({ call }) => call === 'GET levels')).toBe(true));
  expect(screen.queryByRole('region', { name: 'Level' })).toBeNull();
});
