import { ErrorCode } from '@shop/shared/domain';
import {
  failWith,
  inTurn,
  pageOf,
  renderPage,
  type StubbedAnswers,
  type StubbedRequest,
  testUser,
  timesOut,
} from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { phaseOf } from '../order/order';
import { again, listItem } from '../order/order.fixture';
import * as page from './order-list-page';

const list = 'GET /api/front/order/list';
const open = (api: StubbedAnswers, path = '/order', session: object = {}) =>
  renderPage(page, { path, session: { user: testUser, language: 'en', ...session } as never, api });

it.each([
  ['unpaid', 10, 0, 'none', null],
  ['closed', 10, 0, 'none', '2026-11-20T08:00:00.000Z'],
  ['processing', 12, 10, 'none', null],
  ['refunding', 12, 10, 'requested', null],
  ['refunding', 30, 20, 'requested', null],
  ['finished', 30, 20, 'refused', null],
  ['refunded', 60, 10, 'refunded', null],
  ['refunded', 60, 20, 'refunded', null],
])('names the state %s', (phase, status, delivery_status, refund_state, closed_at) => {
  expect(phaseOf({ status, delivery_status, refund_state, closed_at })).toBe(phase);
});

it('shows each order with its state, amount and next step', async () => {
  const done = { ...listItem, order_no: 'DONE00000001', name: 'Steam', status: 30, delivery_status: 20 };
  const codes = { ...done, actions: { ...listItem.actions, pay: false, cancel: false, reveal: true } };
  const held = { until: listItem.expire_at, minutes: 20 };
  const onHold = { ...done, order_no: 'HELD00000001', name: 'Roblox', status: 12, delivery_status: 10, held };
  await open({ [list]: pageOf([listItem, codes, onHold]) });
  const first = await screen.findByRole('article', { name: 'Genshin Impact' });
  expect(within(first).getByText('Unpaid')).toBeVisible();
  expect(within(first).getByText('¥96.00')).toBeVisible();
  expect(within(first).getByRole('timer')).toHaveTextContent(/^(10:00|09:5\d)$/);
  expect(within(first).getByRole('link', { name: 'Pay now: Genshin Impact' })).toHaveAttribute(
    'href',
    `/order/detail/${listItem.order_no}`,
  );
  expect(screen.getByRole('link', { name: 'View codes: Steam' })).toBeVisible();
  const review = /Checking the payment.*We are checking this payment, at most 20 minutes\./;
  expect(screen.getByRole('article', { name: 'Roblox' })).toHaveTextContent(review);
});

it('loads the tab of the address, and changes it on a click', async () => {
  const { requests, router } = await open({ [list]: pageOf([]) }, '/order?tab=closed');
  expect(await screen.findByText('Nothing here right now')).toBeVisible();
  expect(requests[0]?.params).toMatchObject({ tab: 'closed', page: 1 });
  await userEvent.click(screen.getByRole('tab', { name: 'Finished' }));
  expect(router.state.location.search).toBe('?tab=finished');
  await waitFor(() => expect(requests.at(-1)?.params).toMatchObject({ tab: 'finished' }));
});

it('searches by keyword, cut between code points, and shows a way out of an empty result', async () => {
  const keyword = `<b>${'a'.repeat(56)}🎮`;
  const { requests } = await open({ [list]: pageOf([]) }, `/order?keyword=${keyword}🎮`);
  expect(await screen.findByText(`No results for “${keyword}”`)).toBeVisible();
  const box = screen.getByRole('searchbox', { name: 'Search orders' });
  await userEvent.clear(box);
  await userEvent.type(box, 'yuan{Enter}');
  expect(await screen.findByText('No results for “yuan”')).toBeVisible();
  expect(requests.at(-1)?.params).toMatchObject({ keyword: 'yuan' });
  await userEvent.click(screen.getByRole('button', { name: 'Show all orders' }));
  expect(await screen.findByText('No orders yet')).toBeVisible();
});

it('links to the notices with the number of unread ones', async () => {
  const { unmount } = await open({ [list]: pageOf([listItem]) }, '/order', { user: { ...testUser, unreadNotices: 3 } });
  const entry = await screen.findByRole('link', { name: 'Notices, 3 unread' });
  expect(entry).toHaveAttribute('href', '/order/notices');
  unmount();
  await open({ [list]: pageOf([listItem]) });
  expect(await screen.findByRole('link', { name: 'Notices' })).toBeVisible();
});

it('shows the number of unpaid orders on their tab, and the list without it when it does not load', async () => {
  const counted = ({ params }: StubbedRequest) =>
    params.limit === 1 ? { ...pageOf([listItem]), total: 3 } : pageOf([listItem]);
  const { unmount } = await open({ [list]: counted });
  expect(await screen.findByRole('tab', { name: 'Unpaid 3' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Finished' })).toBeVisible();
  unmount();
  await open({
    [list]: (request: StubbedRequest) => (request.params.limit === 1 ? failWith(50000) : counted(request)),
  });
  expect(await screen.findByRole('article', { name: 'Genshin Impact' })).toBeVisible();
  expect(screen.getByRole('tab', { name: 'Unpaid' })).toBeVisible();
});

describe('buying a closed order again', () => {
  const closed = {
    ...listItem,
    closed_at: listItem.created_at,
    actions: { ...listItem.actions, pay: false, again: true },
  };
  const buyAgain = async (answers: StubbedAnswers) => {
    const opened = await open({
      [list]: pageOf([closed]),
      'POST /api/front/order/again': again,
      'POST /api/front/order/preview': { price_version: 'v1' },
      ...answers,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Buy again: Genshin Impact' }));
    return opened;
  };
  const creates = (requests: StubbedRequest[]) => requests.filter(({ url }) => url.endsWith('order/create'));
  const body = { goods_id: 7, spec_id: 3, quantity: 2, coupon: 'best', fields: again.fields, price_version: 'v1' };

  it('places the order in one click at the current price with the same account, and opens its payment', async () => {
    const { router, requests } = await buyAgain({ 'POST /api/front/order/create': { order_no: 'NEW0000001' } });
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/NEW0000001'));
    const [create] = creates(requests);
    expect(create?.body).toEqual(body);
    expect(create?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  });

  it('says that the goods are no longer sold, and places no order', async () => {
    const { requests } = await buyAgain({ 'POST /api/front/order/again': { ...again, available: false } });
    expect(await screen.findByText('This product is no longer available')).toBeVisible();
    expect(creates(requests)).toEqual([]);
  });

  it('opens the product with the same choice when something must be corrected', async () => {
    const { router } = await buyAgain({ 'POST /api/front/order/create': failWith(42222, 'Purchase limit') });
    await waitFor(() => expect(router.state.location.pathname).toBe('/goods/7'));
    expect(router.state.location.search).toBe('?quantity=2&spec_id=3');
    expect(router.state.location.state).toEqual({ fields: { uid: '100000001' } });
    expect(await screen.findByText('Purchase limit')).toBeVisible();
  });

  describe('buying again with a game account', () => {
    const token = (validation_token: string) => ({ ok: true, nickname: 'N', validation_token });
    const buyChecked = (...creations: unknown[]) =>
      buyAgain({
        'POST /api/front/order/again': { ...again, need_verify_account: true },
        'POST /api/front/goods/validateAccount': inTurn(token('token1'), token('token2')),
        'POST /api/front/order/create': inTurn(...creations, { order_no: 'NEW0000001' }),
      });
    const pressAgain = async () => {
      const button = await screen.findByRole('button', { name: 'Buy again: Genshin Impact' });
      await waitFor(() => expect(button).toBeEnabled());
      await userEvent.click(button);
    };
    const createdOf = (requests: StubbedRequest[]) =>
      creates(requests).map(({ headers, body }) => ({
        key: headers['Idempotency-Key'],
        token: (body as { validation_token: string }).validation_token,
      }));

    it('sends the same order again when the outcome is unknown, and verifies the account again for the next order', async () => {
      const { router, requests } = await buyChecked(timesOut());
      expect(await screen.findByText(/you will not be charged twice/)).toBeVisible();
      await pressAgain();
      await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/NEW0000001'));
      const [unknown, repeated] = creates(requests);
      expect(repeated?.body).toEqual(unknown?.body);
      expect(repeated?.headers['Idempotency-Key']).toBe(unknown?.headers['Idempotency-Key']);
      expect(creates(requests)).toHaveLength(2);
      await act(() => router.navigate('/order'));
      await pressAgain();
      await waitFor(() => expect(createdOf(requests)).toHaveLength(3));
      const [first, , third] = createdOf(requests);
      expect([first?.token, third?.token]).toEqual(['token1', 'token2']);
      expect(third?.key).not.toBe(first?.key);
    });

    it.each([
      ['the server does not take the token', failWith(ErrorCode.GameAccountNotVerified, 'Check the account'), 0],
      ['the token is too old', timesOut(), 9 * 60_000],
    ])('verifies the account again when %s', async (_, accident, laterMs) => {
      const { router, requests } = await buyChecked(accident);
      await waitFor(() => expect(createdOf(requests)).toHaveLength(1));
      expect(await screen.findByText(/Check the account|you will not be charged twice/)).toBeVisible();
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + laterMs);
      await act(() => router.navigate('/order'));
      await pressAgain();
      await waitFor(() => expect(createdOf(requests)).toHaveLength(2));
      clock.mockRestore();
      const [first, second] = createdOf(requests);
      expect(second?.token).not.toBe(first?.token);
    });
  });
});
