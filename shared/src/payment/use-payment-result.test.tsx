import { ErrorCode } from '@shop/shared/domain';
import { failWith, noConnection, type StubbedAnswers, stubNetwork } from '@shop/shared/testing';
import { act, renderHook } from '@testing-library/react';
import { type PendingPayment, readPending, usePaymentResult, writePending } from './';

const key = 'test.payment';
const cashier = { paymentNo: 'P1', qr: '' };
const qrCode = { ...cashier, qr: 'weixin://x' };
const status = (state: string) => ({ payment_no: 'P1', state, amount: '5.00', currency: 'CNY' });
const minute = 60_000;

let answer: unknown;
let polls = 0;
const ended: string[] = [];
let isHidden = false;
const open = (pending?: PendingPayment) => {
  if (pending) writePending(key, pending);
  return renderHook(() => usePaymentResult(key, (state) => void ended.push(state)));
};
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const setHidden = (hidden: boolean) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  jest.useFakeTimers();
  polls = 0;
  ended.length = 0;
  answer = status('pending');
  isHidden = false;
  jest.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  const api: StubbedAnswers = {
    'GET /api/front/payment/status': () => {
      polls += 1;
      return typeof answer === 'function' ? answer() : answer;
    },
  };
  stubNetwork(api);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  sessionStorage.clear();
});

it('sends nothing while no payment is pending', async () => {
  const { result } = open();
  await pass(minute);
  expect(result.current.state).toBe('none');
  expect(polls).toBe(0);
});

it.each([
  ['paid', 'paid'],
  ['failed', 'failed'],
  ['closed', 'failed'],
])('stops on %s, reports it once and forgets the payment', async (last, state) => {
  const { result } = open(cashier);
  await pass(4_500);
  expect(result.current.state).toBe('checking');
  answer = status(last);
  await pass(2_000);
  expect(result.current).toMatchObject({ state, qr: '', payment: { payment_no: 'P1' } });
  const before = polls;
  await pass(minute);
  expect(polls).toBe(before);
  expect(ended).toEqual([state]);
  expect(readPending(key)).toBeNull();
});

it('polls every two seconds for a minute, then waits for the user', async () => {
  const { result } = open(cashier);
  await pass(minute);
  expect(result.current.state).toBe('waiting');
  expect(polls).toBe(30);
  answer = status('paid');
  act(() => result.current.checkAgain());
  await pass(0);
  expect(result.current.state).toBe('paid');
});

it('polls a QR code for a quarter of an hour', async () => {
  const { result } = open();
  act(() => result.current.start(qrCode));
  await pass(14 * minute);
  expect(result.current).toMatchObject({ state: 'checking', qr: 'weixin://x' });
  await pass(2 * minute);
  expect(result.current.state).toBe('waiting');
});

it('continues after a lost connection and a server error, and polls at once when the connection is back', async () => {
  answer = noConnection();
  const { result } = open(cashier);
  await pass(5_000);
  answer = failWith(ErrorCode.InternalError, '');
  await pass(2_000);
  expect(result.current.state).toBe('checking');
  await pass(2 * minute);
  expect(result.current.state).toBe('waiting');
  answer = status('paid');
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(0);
  expect(result.current.state).toBe('paid');
});

it('pauses while the tab is hidden and polls at once when it is visible', async () => {
  const { result } = open(cashier);
  await pass(0);
  act(() => setHidden(true));
  await pass(10 * minute);
  expect(polls).toBeLessThanOrEqual(2);
  expect(result.current.state).toBe('checking');
  answer = status('paid');
  act(() => setHidden(false));
  await pass(0);
  expect(result.current.state).toBe('paid');
});

it('forgets another user’s payment without a message', async () => {
  answer = failWith(ErrorCode.OrderNotFound, '');
  const { result } = open(cashier);
  await pass(0);
  expect(result.current.state).toBe('none');
  expect(ended).toEqual([]);
  expect(readPending(key)).toBeNull();
});

it('stops polling when the session has ended, and keeps the payment for the next sign-in', async () => {
  answer = failWith(ErrorCode.Unauthorized, '');
  const { result } = open(cashier);
  await pass(minute);
  expect(polls).toBe(1);
  expect(result.current.state).toBe('waiting');
  expect(readPending(key)).toEqual(cashier);
});

it('continues on a page that is opened again, with one poll at a time', async () => {
  const first = open(cashier);
  await pass(3_000);
  first.unmount();
  const before = polls;
  await pass(10_000);
  expect(polls).toBe(before);
  const second = open();
  await pass(3_000);
  expect(polls).toBe(before + 2);
  expect(second.result.current.state).toBe('checking');
});

it('reads the payment again on the return from the cashier', async () => {
  const { result } = open();
  act(() => result.current.start(cashier));
  expect(result.current.state).toBe('none');
  act(() => void window.dispatchEvent(new Event('pageshow')));
  await pass(0);
  expect(result.current.state).toBe('checking');
});

it('does not follow a payment that the user cancelled', async () => {
  const { result } = open();
  act(() => result.current.start(qrCode));
  await pass(0);
  act(() => result.current.forget());
  expect(result.current).toMatchObject({ state: 'none', qr: '' });
  answer = status('paid');
  await pass(minute);
  expect(ended).toEqual([]);
  expect(readPending(key)).toBeNull();
});

it('holds the document while it polls, and no longer', async () => {
  const isHeld = () => document.documentElement.dataset.holds !== undefined;
  const first = open();
  expect(isHeld()).toBe(false);
  act(() => first.result.current.start(qrCode));
  await pass(0);
  expect(isHeld()).toBe(true);
  first.unmount();
  expect(isHeld()).toBe(false);
  const second = open(cashier);
  await pass(0);
  expect(isHeld()).toBe(true);
  await pass(minute);
  expect([second.result.current.state, isHeld()]).toEqual(['waiting', false]);
  answer = status('paid');
  act(() => second.result.current.checkAgain());
  await pass(0);
  expect([second.result.current.state, isHeld()]).toEqual(['paid', false]);
});
