import { renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import * as page from './notices-page';

const list = 'GET /api/front/order/notices';
const read = 'POST /api/front/order/notices/read';
const notice = {
  id: 31,
  order_no: 'A1B2C3D4E5',
  kind: 'delivered',
  text: 'Delivered',
  name: 'Genshin Impact',
  image: '/media/a.webp',
  at: '2026-11-20T08:30:00Z',
  read: false,
};
const open = (api: StubbedAnswers, session: object = {}) =>
  renderPage(page, { path: '/order/notices', session: { user: testUser, language: 'en', ...session } as never, api });
const sent = (requests: Array<{ url: string; body: unknown }>) =>
  requests.filter(({ url }) => url.endsWith('/read')).map(({ body }) => body);

it('shows the notices, marks the new ones, and sends them as read', async () => {
  const refreshUser = jest.fn(async () => {});
  const old = { ...notice, id: 12, order_no: 'OLD0000001', text: 'Refunded to your wallet', read: true };
  const { requests } = await open(
    { [list]: { list: [notice, old], unread: 1 }, [read]: { unread: 0 } },
    { refreshUser },
  );
  const rows = within(await screen.findByRole('list', { name: 'Notices' })).getAllByRole('link');
  expect(rows.map((row) => row.getAttribute('href'))).toEqual(['/order/detail/A1B2C3D4E5', '/order/detail/OLD0000001']);
  expect(rows[0]).toHaveTextContent(/^DeliveredNewGenshin Impact/);
  expect(rows[1]).not.toHaveTextContent('New');
  await waitFor(() => expect(refreshUser).toHaveBeenCalledTimes(1));
  expect(sent(requests)).toEqual([{ last_id: 31 }]);
});

it('sends nothing when all notices are read', async () => {
  const { requests } = await open({ [list]: { list: [{ ...notice, read: true }], unread: 0 } });
  await screen.findByText('Genshin Impact');
  expect(sent(requests)).toEqual([]);
});
