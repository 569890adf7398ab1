import { failWith, inTurn, pendingAnswer, type StubbedRequest, testUser } from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { closed, finished, methods, orderNo, unpaid } from '../order/order.fixture';
import { info, open, payable, payBalance, payButton, payments } from '../testing/detail-page';

beforeEach(() => sessionStorage.clear());

const payOnline = 'POST /api/front/payment/online';
const online = { payment_no: 'PAY1234567', mode: 'redirect', pay_url: '/#cashier', expire_at: '' };
const qr = { ...online, mode: 'qr', pay_url: 'weixin://wxpay/bizpayurl?pr=abc' };

it('pays from the balance once for several clicks, and refreshes the user', async () => {
  const refreshUser = jest.fn(async () => {});
  const payment = pendingAnswer();
  const { requests } = await open({ [info]: inTurn(unpaid, finished), [payBalance]: payment.stub }, { refreshUser });
  await userEvent.dblClick(await payButton());
  payment.answer({ order_no: orderNo, status: 30, delivery_status: 20, balance: '4.00', server_time: '' });
  expect(await screen.findByRole('heading', { name: 'Finished' })).toBeVisible();
  expect(payments(requests)).toHaveLength(1);
  expect(refreshUser).toHaveBeenCalled();
});

it('reuses the idempotency key while the outcome is unknown, and creates a new one after a refusal', async () => {
  const answers = [
    () => Promise.reject(new Error('connection lost')),
    () => failWith(45002, 'frozen'),
    () => failWith(45002, 'frozen'),
  ];
  const { requests } = await open({ [payBalance]: () => answers.shift()?.() });
  await userEvent.click(await payButton());
  expect(await screen.findByText(/you won’t be charged twice/)).toBeVisible();
  await userEvent.click(await payButton());
  expect(await screen.findByText('Your wallet is frozen. Please contact support.')).toBeVisible();
  await userEvent.click(await payButton());
  await waitFor(() => expect(payments(requests)).toHaveLength(3));
  const [first, second, third] = payments(requests).map((request) => request.headers['Idempotency-Key']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

it('shows the codes of an order that was paid in another tab', async () => {
  await open({ [info]: inTurn(unpaid, finished) });
  await payButton();
  const later = Date.now() + 6_000;
  jest.spyOn(Date, 'now').mockImplementation(() => later);
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  expect(await screen.findByRole('button', { name: 'View codes' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Pay / })).toBeNull();
  jest.mocked(Date.now).mockRestore();
});

it('shows the goods and the account before the payment', async () => {
  const fields = [{ key: 'uid', label: 'UID', value: '800123456' }];
  await open({ [info]: { ...unpaid, snapshot: { ...unpaid.snapshot, fields } } });
  const product = await screen.findByRole('region', { name: 'Product' });
  expect(product).toHaveTextContent(/Genshin Impact.*UID800123456/);
  const payment = screen.getByRole('region', { name: 'Payment method' });
  expect(product.compareDocumentPosition(payment)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('offers a recharge when the server says that the balance is too low', async () => {
  await open({ [payBalance]: () => failWith(45001, 'too low') });
  await userEvent.click(await payButton());
  expect(await screen.findByText(/Your balance doesn’t cover this order/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Top up wallet' })).toHaveAttribute('href', '/user/recharge');
});

it.each([
  ['the wallet when it suffices', '96.00', /Wallet/, 0],
  ['an online method when the wallet does not suffice, and the missing amount', '10.00', /Cashier/, 1],
])('selects and shows first %s', async (_, CNY, name, missing) => {
  await open({}, { user: { ...testUser, balances: { CNY, USD: '0.00' } } });
  const method = await screen.findByRole('radio', { name });
  expect(method).toBeChecked();
  expect(screen.getAllByRole('radio')[0]).toBe(method);
  expect(screen.queryAllByText(/You need ¥86.00 more/)).toHaveLength(missing);
});

it('requests the order and its methods at the same time, and shows nothing below the methods before they load', async () => {
  const answer = pendingAnswer();
  const { requests } = await open({ 'GET /api/front/payment/methods': answer.stub });
  expect(await screen.findByRole('heading', { name: 'Payment method' })).toBeVisible();
  expect(requests.map(({ url }) => url).slice(0, 2)).toEqual(['/api/front/order/info', '/api/front/payment/methods']);
  const below = () => [
    screen.queryByRole('heading', { name: 'Order' }),
    screen.queryByRole('list', { name: 'After you pay' }),
    screen.queryByRole('button', { name: 'Pay ¥96.00' }),
  ];
  expect(below()).toEqual([null, null, null]);
  await act(async () => answer.answer(methods));
  expect(await payButton()).toBeEnabled();
  expect(below()).not.toContain(null);
});

it('shows the order as closed when it closed during the payment', async () => {
  await open({ [info]: inTurn(unpaid, closed), [payBalance]: failWith(43021, 'closed') });
  await userEvent.click(await payButton());
  expect(await screen.findByRole('heading', { name: 'Closed' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Pay ¥96.00' })).not.toBeInTheDocument();
});

it('opens the cashier and finds the payment again on return', async () => {
  let isPaid = false;
  const api = {
    [info]: () => (isPaid ? finished : unpaid),
    [payOnline]: online,
    'GET /api/front/payment/status': () => {
      isPaid = true;
      return { payment_no: 'PAY1234567', state: 'paid' };
    },
  };
  const { unmount } = await open(api);
  await userEvent.click(await screen.findByRole('radio', { name: /Cashier/ }));
  await userEvent.click(await payButton());
  await waitFor(() => expect(window.location.hash).toBe('#cashier'));
  unmount();
  const { requests } = await open(api);
  expect(await screen.findByRole('heading', { name: 'Finished' })).toBeVisible();
  expect(requests.find((request) => request.url.endsWith('/payment/status'))?.params).toEqual({
    payment_no: 'PAY1234567',
  });
});

it('does not follow an address that is not a web page', async () => {
  await open({ [payOnline]: { ...online, pay_url: 'javascript:alert(1)' } });
  await userEvent.click(await screen.findByRole('radio', { name: /Cashier/ }));
  await userEvent.click(await payButton());
  expect(await screen.findByText(/payment page could not be opened/)).toBeVisible();
});

it('asks for confirmation before cancelling', async () => {
  const { requests } = await open({
    [info]: inTurn(unpaid, { ...closed, close_reason: 2 }),
    'POST /api/front/order/cancel': {},
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel order' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(requests.filter((request) => request.url.endsWith('/cancel'))).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('You cancelled this order.')).toBeVisible();
});

describe('a pending payment', () => {
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('asks the user who is back from the cashier, keeps the method, and keeps a failed payment visible', async () => {
    sessionStorage.setItem(`orders.payment.${orderNo}`, JSON.stringify({ paymentNo: 'PAY1', qr: '' }));
    let state = 'pending';
    const { requests } = await open({ 'GET /api/front/payment/status': () => ({ payment_no: 'PAY1', state }) });
    expect(await screen.findByText('Confirming your payment…')).toBeVisible();
    expect(await payButton()).toBeEnabled();
    const hasPaid = await screen.findByRole('button', { name: 'I’ve paid' });
    state = 'failed';
    const statusCalls = requests.filter(({ url }) => url.endsWith('/payment/status')).length;
    await user.click(hasPaid);
    await waitFor(() =>
      expect(requests.filter(({ url }) => url.endsWith('/payment/status')).length).toBeGreaterThan(statusCalls),
    );
    expect(await screen.findByText('The payment was not completed. You can try again.')).toBeVisible();
    expect(await payButton()).toBeEnabled();
  });

  it('renders a QR code, keeps it over a reload, and continues when it is paid', async () => {
    let isPaid = false;
    const api = {
      [info]: () => (isPaid ? finished : unpaid),
      [payOnline]: qr,
      'GET /api/front/payment/status': () => ({ payment_no: 'PAY1234567', state: isPaid ? 'paid' : 'pending' }),
    };
    const { unmount } = await open(api);
    await user.click(await screen.findByRole('radio', { name: /Cashier/ }));
    await user.click(await payButton());
    expect(await screen.findByRole('img', { name: 'QR code to pay' })).toBeVisible();
    expect(screen.getByText('Waiting for your scan…')).toBeVisible();
    unmount();
    await open(api);
    expect(await screen.findByRole('img', { name: 'QR code to pay' })).toBeVisible();
    isPaid = true;
    expect(await screen.findByRole('heading', { name: 'Finished' })).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
  });

  it('lets the user leave a QR code for another method', async () => {
    await open({ [payOnline]: qr, 'GET /api/front/payment/status': { payment_no: 'PAY1234567', state: 'pending' } });
    await user.click(await screen.findByRole('radio', { name: /Cashier/ }));
    await user.click(await payButton());
    expect(await screen.findByRole('img', { name: 'QR code to pay' })).toBeVisible();
    // The methods stay usable; after three seconds the page asks what to do with the code.
    expect(await payButton()).toBeEnabled();
    await act(() => jest.advanceTimersByTimeAsync(2_000));
    expect(screen.queryByRole('button', { name: 'Continue to pay' })).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    await user.click(screen.getByRole('button', { name: 'Continue to pay' }));
    expect(screen.queryByRole('img', { name: 'QR code to pay' })).not.toBeInTheDocument();
  });
});

describe('a proof before spending from the wallet', () => {
  const prove = 'POST /api/front/payment/proof';
  const needed = (reason: string, proofs: string[]) => failWith(45003, 'Please confirm', { reason, proofs });
  /** The server refuses that many payments. */
  const asking = (...refusals: unknown[]) => ({
    ...payable(finished, unpaid, ...refusals),
    [prove]: ({ body }: StubbedRequest) =>
      (body as { password?: string }).password === 'wrong' ? failWith(41001, 'Wrong password') : { expires_in: 300 },
  });
  const sheet = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
  const confirm = () => screen.getByRole('button', { name: 'Confirm and pay' });

  it('asks for a proof in a dialog, and repeats the payment with its idempotency key', async () => {
    const { requests } = await open(asking(needed('amount', ['password', 'verify'])));
    await userEvent.click(await payButton());
    expect(await sheet()).toHaveTextContent('a lot from your wallet in the last 24 hours');
    await userEvent.type(screen.getByLabelText('Password', { selector: 'input:not([type=radio])' }), 'wrong');
    await userEvent.click(confirm());
    expect(await screen.findByText('Wrong password')).toBeVisible();
    expect(payments(requests)).toHaveLength(1);
    await userEvent.type(
      screen.getByLabelText('Password', { selector: 'input:not([type=radio])' }),
      '{Control>}a{/Control}demo1234{Enter}',
    );
    expect(await screen.findByRole('heading', { name: 'Finished' })).toBeVisible();
    const [first, second] = payments(requests);
    expect(second?.headers['Idempotency-Key']).toBe(first?.headers['Idempotency-Key']);
    expect(payments(requests)).toHaveLength(2);
  });

  it('asks for a code only on a new device', async () => {
    const { requests } = await open({
      ...asking(needed('device', ['verify'])),
      'POST /api/front/app/send_code': { expires_in: 300, resend_after: 60 },
    });
    await userEvent.click(await payButton());
    expect(await sheet()).toHaveTextContent('This is the first wallet payment on this device');
    expect(screen.queryByLabelText('Password', { selector: 'input' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Verification code' }), '123456');
    await userEvent.click(confirm());
    expect(await screen.findByRole('heading', { name: 'Finished' })).toBeVisible();
    const bodyOf = (call: string) => requests.find(({ url }) => url.endsWith(call))?.body;
    expect(bodyOf('/send_code')).toMatchObject({ scene: 'wallet' });
    expect(bodyOf('/payment/proof')).toEqual({ verify: '123456' });
  });

  it('pays nothing after a refused proof, says why, and pays with a new key on the next click', async () => {
    const refusal = needed('amount', ['password', 'verify']);
    const { requests } = await open(asking(refusal, refusal));
    await userEvent.click(await payButton());
    await sheet();
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByText('Please confirm')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(await payButton());
    await sheet();
    const [first, second] = payments(requests).map((request) => request.headers['Idempotency-Key']);
    expect(second).not.toBe(first);
  });

  it('asks an account without a proof to sign in again', async () => {
    await open(asking(needed('amount', [])), { language: 'zh-CN' });
    await userEvent.click(await screen.findByRole('button', { name: '付款 ¥96.00' }));
    expect(await screen.findByText('请退出后重新登录，并在 5 分钟内付款。')).toBeVisible();
  });
});
