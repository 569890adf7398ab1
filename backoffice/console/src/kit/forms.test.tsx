import { changeLanguage } from '@shop/shared/i18n';
import { act, fireEvent, screen } from '@testing-library/react';
import { api } from '../api';
import { rebase } from '../edits/differences';
import { answers, openConsole, sent, stubCalls } from '../testing/console';

beforeEach(async () => {
  await stubCalls('stock');
  answers['GET coupons'] = [];
});
const sends = () => sent.filter(({ call }) => call.startsWith('POST'));

it('a form reports the broken rule of each field in the console’s language, focuses the first, and sends nothing', async () => {
  const user = openConsole('coupons/new/coupon-1');
  const name = await screen.findByLabelText('Name (Chinese)');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(name).toBeInvalid();
  expect(name).toHaveAccessibleDescription('Required');
  expect(name).toHaveFocus();
  expect(screen.getByLabelText('Amount off (CNY)')).toHaveAccessibleDescription('Required');
  await user.type(name, '八五折');
  expect(name).toBeValid();
  await user.type(screen.getByLabelText('Name (English)'), '15% off');
  await user.type(screen.getByLabelText('Amount off (CNY)'), 'two');
  await user.clear(screen.getByLabelText('Valid for days after claiming'));
  await user.type(screen.getByLabelText('Valid for days after claiming'), '0');
  await act(() => changeLanguage('zh-CN'));
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(screen.getByLabelText('减免金额（CNY）')).toHaveAccessibleDescription('格式不正确');
  expect(screen.getByLabelText('领取后有效天数')).toHaveAccessibleDescription('请填写此项');
  expect(screen.getByLabelText('领取后有效天数')).toHaveFocus();
  expect(sends()).toEqual([]);
});

it('amounts and numbers are read as typed, a number with decimals is refused, and a composition is not interrupted', async () => {
  const user = openConsole('coupons/new/coupon-1');
  const amount = await screen.findByLabelText('Amount off (CNY)');
  const days = screen.getByLabelText('Valid for days after claiming');
  for (const [field, typed, shown] of [
    [amount, '10,5', '10.5'],
    [amount, '٧٫٢٥', '7.25'],
    [days, '３０', '30'],
    [days, '10,5', '10.5'],
    [days, '-1', '-1'],
  ] as const) {
    await user.clear(field);
    await user.type(field, typed);
    expect([typed, field]).toEqual([typed, expect.objectContaining({ value: shown })]);
  }
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(days).toHaveAccessibleDescription('Must be at least 1');
  await user.clear(days);
  await user.type(days, '1.5');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(days).toHaveAccessibleDescription('Invalid format');
  fireEvent.compositionStart(amount);
  fireEvent.input(amount, { target: { value: 'jiu１' }, isComposing: true });
  expect(amount).toHaveValue('jiu１');
  fireEvent.compositionEnd(amount, { target: { value: '９，１' } });
  expect(amount).toHaveValue('9.1');
});

it('a form shows a message of the server at its field and focuses it, until the field changes', async () => {
  const user = openConsole('account');
  await user.type(await screen.findByLabelText('Current password'), 'wrong');
  const password = screen.getByLabelText('New password');
  await user.type(password, 'short');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  expect(password).toHaveAccessibleDescription(/^Use at least 12 characters/);
  await user.type(password, ' and then some');
  answers['POST password'] = { code: 40001, data: { errors: { password: 'This is easy to guess' } } };
  await user.keyboard('{Enter}');
  expect(await screen.findByText('This is easy to guess')).toBeInTheDocument();
  expect(password).toHaveAccessibleDescription(/^This is easy to guess/);
  expect(password).toHaveFocus();
  await user.keyboard('!');
  expect(password).toBeValid();
  answers['POST password'] = { done: true };
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Password changed; other devices are signed out')).toBeInTheDocument();
  expect(sent.at(-1)?.body).toEqual({ current: 'wrong', password: 'short and then some!' });
  expect(password).toHaveValue('');
});

it('a call follows the server’s schemas: parameters in its path, the rest as query or body', async () => {
  answers['GET goods/a%2Fb/history'] = [];
  answers['GET codes?goods=a&spec=b'] = [];
  answers['POST people/change'] = {};
  await api('GET goods/:key/history', { key: 'a/b' });
  await api('GET codes', { goods: 'a', spec: 'b', tail: undefined });
  await api('POST people/change', { name: 'Ann', disabled: true });
  expect(sent.at(-1)?.body).toEqual({ name: 'Ann', disabled: true });
  // @ts-expect-error: no such call
  await expect(api('GET nothing', {})).rejects.toThrow();
  // @ts-expect-error: a misspelt field
  await expect(api('POST people/reset', { nam: 'Ann' })).rejects.toThrow();
});

it('rebase keeps my changes, also in two languages of one text, and their changes elsewhere', () => {
  const base = { name: { zh: '原', en: 'old' }, limits: { min: 1, max: 9 }, tags: ['a'], price: null };
  const theirs = { ...base, name: { zh: '新', en: 'theirs' }, limits: { min: 2, max: 9 } };
  const mine = { ...base, name: { ...base.name, en: 'mine' }, limits: { min: 1, max: 5 }, tags: ['c'] };
  expect(rebase(base, mine, theirs)).toEqual({
    name: { zh: '新', en: 'mine' },
    limits: { min: 2, max: 5 },
    tags: ['c'],
    price: null,
  });
});
