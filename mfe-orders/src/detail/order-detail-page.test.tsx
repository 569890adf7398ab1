import { queryClient } from '@shop/shared/query';
import {
  failWith,
  inTurn,
  pageOf,
  pendingAnswer,
  type StubbedRequest,
  stubNetwork,
  testUser,
} from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toOrder } from '../order/order';
import {
  again,
  closed,
  finished,
  listItem,
  onHold,
  orderNo,
  processing,
  questioned,
  unpaid,
} from '../order/order.fixture';
import { orderDetailQuery, orderListQuery } from '../order/orders.queries';
import { info, open, payable, payBalance, payButton, payments } from '../testing/detail-page';

beforeEach(() => sessionStorage.clear());

describe('notices of an order that is delivered later', () => {
  const settings = 'GET /api/front/user/notices';
  const unreachable = { mail: { address: '', confirmed: false }, push: null, kinds: [], language: 'en' };
  const region = () => screen.queryByRole('region', { name: 'Get notified' });
  const asks = (requests: StubbedRequest[]) => requests.filter(({ url }) => url.includes('/user/notices'));
  beforeEach(() => localStorage.clear());
  /** Opens an unpaid order and returns a function that pays it. */
  async function openUnpaid(answer: unknown, changes: object = {}) {
    const { requests, unmount } = await open({
      ...payable(processing, { ...unpaid, recharge_type: 4, tells: true, ...changes }),
      [settings]: answer,
    });
    const pay = async () => {
      await userEvent.click(await payButton());
      await screen.findByRole('heading', { name: 'Processing' });
    };
    return { requests, unmount, pay };
  }

  it('offers notices together with the payment, and never again to a user who declined', async () => {
    const first = await openUnpaid(unreachable);
    await waitFor(() => expect(asks(first.requests)).toHaveLength(1));
    expect(region()).toBeNull();
    await first.pay();
    const offer = within(region() as HTMLElement);
    expect(offer.getByRole('link', { name: 'Set up notices' })).toHaveAttribute('href', '/user/notices');
    await userEvent.click(offer.getByRole('button', { name: 'No, thanks' }));
    expect(region()).toBeNull();
    expect(screen.getByRole('heading', { name: 'Processing' })).toHaveFocus();
    first.unmount();
    const second = await openUnpaid(unreachable);
    await second.pay();
    expect([asks(second.requests), region()]).toEqual([[], null]);
  });

  it.each([
    ['to a user with a confirmed address', { mail: { address: 'a@mail.example', confirmed: true } }, true],
    ['to a user with push in a browser', { push: { key: 'K', browsers: 1, here: false } }, true],
    ['in a shop that sends none', {}, undefined],
  ])('offers no notices %s', async (_what, changes, tells) => {
    const { requests, pay } = await openUnpaid({ ...unreachable, ...changes }, { tells });
    await waitFor(() => expect(asks(requests)).toHaveLength(tells ? 1 : 0));
    await pay();
    expect(region()).toBeNull();
  });

  it('offers no notices after the payment, so that nothing moves', async () => {
    const answer = pendingAnswer();
    const { pay } = await openUnpaid(answer.stub);
    await pay();
    await act(async () => answer.answer(unreachable));
    expect(region()).toBeNull();
  });
});

it('says that the payment is under review, and for how long at most, in both languages', async () => {
  const { unmount } = await open({ [info]: onHold });
  expect(await screen.findByRole('heading', { name: 'Checking the payment' })).toBeVisible();
  expect(screen.getByText(/^We are checking this payment, at most 30 minutes\./)).toBeVisible();
  expect(screen.queryByText(/codes are being issued/)).toBeNull();
  unmount();
  await open({ [info]: onHold }, { language: 'zh-CN' });
  expect(await screen.findByText(/我们正在核查这笔付款，最多 30 分钟。/)).toBeVisible();
});

it('shows a question by staff, sends the answer once, and then hides the form', async () => {
  const answered = {
    ...questioned,
    timeline: [...questioned.timeline, { at: questioned.created_at, kind: 'answered', text: 'Answered' }],
  };
  const { requests } = await open({ [info]: inTurn(questioned, answered), 'POST /api/front/order/answer': {} });
  const region = within(await screen.findByRole('region', { name: 'A question from support' }));
  expect(region.getByText('We have a question: which server?')).toBeVisible();
  await userEvent.click(region.getByRole('button', { name: 'Send answer' }));
  expect(await region.findByText('Please write an answer')).toBeVisible();
  await userEvent.type(region.getByLabelText('Your answer'), ' Server 9 ');
  await userEvent.dblClick(region.getByRole('button', { name: 'Send answer' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'A question from support' })).toBeNull());
  const answers = requests.filter(({ url }) => url.endsWith('/order/answer'));
  expect(answers.map(({ body }) => body)).toEqual([{ order_no: orderNo, answer: 'Server 9' }]);
});

describe('card codes', () => {
  const cards = [
    { id: 1, card_no: 'NO-1', card_pwd: 'PWD-1', expire_at: null },
    { id: 2, card_no: 'NO-2', card_pwd: 'PWD-2', expire_at: null },
  ];
  const call = 'POST /api/front/order/cards';
  /** More than fifteen minutes after the sign-in. */
  const withProof = (answer: unknown) => ({
    [call]: ({ body }: StubbedRequest) => ((body as { password?: string }).password ? answer : failWith(43030)),
  });
  const views = (requests: StubbedRequest[]) => requests.filter(({ url }) => url.endsWith('/order/cards'));
  const reveal = async (password: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'View codes' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText('Password', { selector: '[type=password]' }), password);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm and view' }));
  };

  it('codes stay hidden after a wrong password, and the error is at the field', async () => {
    await open({ [info]: finished, ...withProof(failWith(43030, 'Wrong password')) });
    await reveal('wrong-one');
    expect(await screen.findByText('Wrong password')).toBeVisible();
    expect(screen.getByLabelText('Password', { selector: '[type=password]' })).toHaveAttribute('aria-invalid', 'true');
    expect(screen.queryByText('PWD-1')).not.toBeInTheDocument();
  });

  it('shows the codes after the proof, copies each and all of them, and hides them again', async () => {
    await open({ [info]: finished, ...withProof({ cards, redeem: ['Open the site', 'Enter it'] }) });
    await reveal('demo1234');
    expect(await screen.findByText('PWD-2')).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Copy code' })).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Copy all' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'How to redeem' })).toBeVisible();
    expect(screen.getByText('Open the site')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download as text' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText('PWD-2')).not.toBeInTheDocument();
    expect(screen.queryByText('Open the site')).not.toBeInTheDocument();
  });

  it('shows the codes with one click soon after the sign-in', async () => {
    const { requests } = await open({ [info]: finished, [call]: { cards, redeem: [] } });
    await screen.findByRole('button', { name: 'View codes' });
    expect(views(requests)).toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'View codes' }));
    expect(await screen.findByText('PWD-2')).toBeVisible();
    expect(views(requests).map(({ body }) => body)).toEqual([{ order_no: orderNo }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText('2 codes shown')).toBeInTheDocument();
  });

  it.each([
    ['shows the codes without a click when the order has been paid on this page', { cards, redeem: [] }, true],
    ['waits for a click without a message when the server wants a proof then', failWith(43030, 'Please verify'), false],
  ])('%s', async (_, answer, isShown) => {
    const { requests } = await open({ ...payable(), [call]: answer });
    await userEvent.click(await payButton());
    expect(await screen.findByRole('heading', { name: 'Finished' })).toHaveFocus();
    await waitFor(() => expect(views(requests)).toHaveLength(1));
    if (isShown) expect(await screen.findByText('PWD-2')).toBeVisible();
    else expect(screen.getByRole('button', { name: 'View codes' })).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByText('Please verify')).not.toBeInTheDocument();
  });

  it('shows the codes once on the return from the cashier', async () => {
    const pending = { paymentNo: 'PAY1234567', qr: '' };
    sessionStorage.setItem(`orders.payment.${orderNo}`, JSON.stringify(pending));
    const api = { [info]: finished, [call]: { cards, redeem: [] } };
    const { unmount } = await open(api);
    expect(await screen.findByText('PWD-2')).toBeVisible();
    unmount();
    const { requests } = await open(api);
    expect(await screen.findByRole('button', { name: 'View codes' })).toBeVisible();
    expect(views(requests)).toHaveLength(0);
  });

  it('shows the codes of an account with neither phone nor password after another sign-in', async () => {
    await open({ [info]: finished, [call]: failWith(43030) }, { user: { ...testUser, phone: '', hasPassword: false } });
    await userEvent.click(await screen.findByRole('button', { name: 'View codes' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent('Please sign out, sign in again');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'View codes' })).toHaveFocus());
  });

  it('shows a text for all buyers with its line breaks, to copy or to save as a file', async () => {
    const guide = { id: 1, card_no: 'Step one\nStep two', card_pwd: '', expire_at: null, is_text: true };
    await open({ [info]: { ...finished, cards_count: 1 }, ...withProof({ cards: [guide], redeem: [] }) });
    await reveal('demo1234');
    expect(await screen.findByText((_, element) => element?.textContent === guide.card_no)).toBeVisible();
    expect(screen.getByText('Content')).toBeVisible();
    expect(screen.queryByText('Number')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy content' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download as text' })).toBeVisible();
  });

  it('offers a text file for more than 20 codes', async () => {
    const many = Array.from({ length: 21 }, (_, id) => ({ id, card_no: '', card_pwd: `CODE-${id}`, expire_at: null }));
    await open({
      [info]: { ...finished, cards_count: 21 },
      ...withProof({ cards: many, redeem: [] }),
    });
    await reveal('demo1234');
    expect(await screen.findByRole('button', { name: 'Download as text' })).toBeVisible();
    expect(screen.queryByText('CODE-20')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 21' }));
    expect(screen.getByText('CODE-20')).toBeVisible();
  });
});

const goods = 'GET /api/front/goods/info';
const topUp = { ...unpaid, recharge_type: 2 };

it('shows the measured time of its last orders beside the payment', async () => {
  const { requests } = await open({ [info]: topUp, [goods]: { delivery_seconds: 200, redeem: [] } });
  expect(await screen.findByText('Recent orders took about 3 minutes from payment to delivery.')).toBeVisible();
  expect(requests.find(({ url }) => url.endsWith('/goods/info'))?.params).toEqual({ id: 7 });
  expect(screen.getByText('Full refund if we cannot deliver.')).toBeVisible();
});

it.each([
  ['nothing was measured', { delivery_seconds: null, redeem: [] }],
  ['the answer does not come', failWith(50000)],
])('promises no delivery time where %s, and shows none for codes', async (_, answer) => {
  const { unmount } = await open({ [info]: topUp, [goods]: answer });
  expect(await screen.findByText('Full refund if we cannot deliver.')).toBeVisible();
  expect(screen.queryByText(/Recent orders took/)).not.toBeInTheDocument();
  unmount();
  await open({ [goods]: { delivery_seconds: 60, redeem: [] } });
  expect(await screen.findByText('Your codes appear on this page as soon as you have paid.')).toBeVisible();
  expect(screen.queryByText(/Recent orders took/)).not.toBeInTheDocument();
});

it.each([
  ['an order in another state than in the lists refreshes them', finished, true],
  ['an order in the same state leaves the lists alone', processing, false],
])('%s', async (_what, answer, isRefreshed) => {
  queryClient.clear();
  stubNetwork({ [info]: answer });
  const list = orderListQuery({ tab: 'all', keyword: '' }).queryKey;
  const listed = pageOf([toOrder({ ...listItem, ...processing })]);
  queryClient.setQueryData(list, { pages: [listed], pageParams: [1] });
  await queryClient.query(orderDetailQuery(orderNo));
  expect(queryClient.getQueryState(list)?.isInvalidated).toBe(isRefreshed);
});

describe('a payment that arrived after the order was closed', () => {
  const late = { ...closed, late_payment: { amount: '96.00', at: '2026-11-29T06:00:00.000Z' } };
  const openLate = () =>
    open({
      [info]: { ...late, actions: { ...closed.actions, again: true } },
      'POST /api/front/order/again': again,
      'POST /api/front/order/preview': { total_amount: '98.00', currency: 'CNY', price_version: 'v1' },
      'POST /api/front/order/create': { order_no: 'NEW0000001' },
      [payBalance]: {},
    });
  const pressAgain = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Buy again from wallet' }));
    return screen.findByRole('alertdialog', { name: 'Pay ¥98.00 from your wallet?' });
  };

  it('shows that the late payment is in the wallet, with a link to its history', async () => {
    await openLate();
    expect(await screen.findByText(/payment of ¥96\.00 arrived .* The money is in your wallet/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See wallet history' })).toHaveAttribute('href', '/user/log');
  });

  it('pays the same order from the wallet at a price that the buyer confirms', async () => {
    const { requests, router } = await openLate();
    await userEvent.click(within(await pressAgain()).getByRole('button', { name: 'Pay ¥98.00' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/NEW0000001'));
    expect(payments(requests).map(({ body }) => body)).toEqual([{ order_no: 'NEW0000001' }]);
  });

  it('places no order when the buyer declines the price', async () => {
    const { requests } = await openLate();
    await userEvent.click(within(await pressAgain()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(requests.filter(({ url }) => url.endsWith('order/create'))).toEqual([]);
  });
});

it.each([
  ['that a manual order is processed by hand', {}, /Our team is working on your order/],
  ['what was refunded', { refunded_amount: '12.50' }, '¥12.50'],
  ['that the payment is disputed', { disputed: true }, /The bank has disputed this payment/],
])('shows %s', async (_, changes, text) => {
  await open({ [info]: { ...processing, ...changes } });
  expect(await screen.findByText(text)).toBeVisible();
});

it('has one primary action when codes are available, and separates deleting from refunding', async () => {
  const actions = { ...finished.actions, refund: true, delete: true, again: true, reveal: true };
  const { unmount } = await open({ [info]: { ...finished, actions } });
  const primary = () => [...document.querySelectorAll('.ui-button--primary')].map((button) => button.textContent);
  await waitFor(() => expect(primary()).toEqual(['View codes']));
  const group = (name: string) => screen.getByRole('button', { name }).parentElement;
  expect(group('Request a refund')).not.toBe(group('Delete order'));
  unmount();
  await open({ [info]: { ...closed, actions: { ...closed.actions, again: true } } });
  await waitFor(() => expect(primary()).toEqual(['Buy again']));
});

it('lists the history newest first, also events of the same moment', async () => {
  const at = '2026-11-22T09:25:44.000Z';
  const timeline = ['created', 'paid', 'delivered'].map((kind) => ({ at, kind, text: `It was ${kind}` }));
  await open({ [info]: { ...finished, timeline } });
  await screen.findByRole('heading', { name: 'History' });
  const texts = screen.getAllByText(/^It was/).map((element) => element.textContent);
  expect(texts).toEqual(['It was delivered', 'It was paid', 'It was created']);
});

it('sends a refund request with its reason', async () => {
  const { requests } = await open({ [info]: processing, 'POST /api/front/order/refundApply': {} });
  await userEvent.click(await screen.findByRole('button', { name: 'Request a refund' }));
  await userEvent.type(await screen.findByLabelText('Reason'), 'Wrong account');
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }));
  await waitFor(() =>
    expect(requests.find((request) => request.url.endsWith('/refundApply'))?.body).toEqual({
      order_no: orderNo,
      reason: 'Wrong account',
    }),
  );
});

it('describes a requested refund by the order’s state, with a link to support', async () => {
  const refund = { state: 'requested', amount: '96.00', reason: 'Wrong account', requested_at: unpaid.created_at };
  const asFor = (order: object) => ({ ...order, refund_state: 'requested', refund });
  const openSupport = jest.fn();
  const early = /The order may still complete/;
  const { unmount } = await open({ [info]: asFor(processing) }, { openSupport });
  expect(await screen.findByText(early)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Contact support' }));
  expect(openSupport).toHaveBeenCalledTimes(1);
  unmount();
  await open({ [info]: asFor(finished) });
  expect(await screen.findByText(/^We’re reviewing your refund of/)).toBeVisible();
  expect(screen.queryByText(early)).toBeNull();
});

it('shows a message for an unknown order', async () => {
  await open({ [info]: () => failWith(43404, 'not found') });
  expect(await screen.findByText('We could not find this order')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to my orders' })).toHaveAttribute('href', '/order');
});
