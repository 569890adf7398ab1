import {
  failWith,
  inTurn,
  pageOf,
  pendingAnswer,
  renderPage,
  type StubbedAnswers,
  testUser,
} from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './favourite-page';

const list = 'GET /api/front/user/favourite';
const goods = {
  id: 7,
  name: 'Genshin Impact',
  image: '/media/a.webp',
  min_price: '0.95',
  currency: 'USD',
  sold_out: false,
  available: true,
};
const open = (api: StubbedAnswers) =>
  renderPage(page, { path: '/user/favourite', session: { user: testUser, language: 'en' }, api });

it('lists the favourites with their price or the reason why they cannot be bought', async () => {
  await open({
    [list]: pageOf([
      goods,
      { ...goods, id: 8, name: 'Gone', available: false, min_price: null },
      { ...goods, id: 9, name: 'Out', sold_out: true },
    ]),
  });
  const rows = within(await screen.findByRole('list', { name: 'Favourites' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Genshin ImpactFrom$0.95 ',
    'GoneNo longer on sale',
    'OutFrom$0.95 Sold out',
  ]);
  expect(within(rows[0] as HTMLElement).getByRole('link')).toHaveAttribute('href', '/goods/7');
});

it('removes two favourites at the same time, each once, and keeps the focus on the button', async () => {
  const first = pendingAnswer();
  const { requests } = await open({
    [list]: inTurn(pageOf([goods, { ...goods, id: 8, name: 'Steam' }]), pageOf([])),
    'DELETE /api/front/user/favourite': inTurn(first.stub, { goods_id: 8, favourite: false }),
  });
  const button = await screen.findByRole('button', { name: 'Remove Genshin Impact' });
  await userEvent.click(button);
  expect(button).toBeEnabled();
  expect(button).toHaveFocus();
  await userEvent.click(button);
  await userEvent.click(screen.getByRole('button', { name: 'Remove Steam' }));
  first.answer({ goods_id: 7, favourite: false });
  expect(await screen.findByText('No favourites yet')).toBeVisible();
  const removed = requests.filter(({ method }) => method === 'DELETE').map(({ params }) => params);
  expect(removed).toEqual([{ goods_id: 7 }, { goods_id: 8 }]);
  expect(screen.getByRole('link', { name: 'Browse games' })).toHaveAttribute('href', '/goods');
});

it('keeps the row when the server refuses the removal', async () => {
  const { requests } = await open({
    [list]: pageOf([goods]),
    'DELETE /api/front/user/favourite': failWith(50000, 'Down'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Genshin Impact' }));
  await waitFor(() => expect(requests.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET']));
  expect(screen.getByText('Genshin Impact')).toBeVisible();
});
