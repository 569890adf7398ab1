import { failWith, renderPage } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './news-page';

const article = {
  id: 'sale',
  title: 'Summer sale',
  content: '<p>From Friday on.</p>',
  updated_at: '2026-10-01T12:00:00Z',
};
const open = (answer: unknown) =>
  renderPage(page, {
    path: '/news/sale',
    route: '/news/:id',
    session: { language: 'en' },
    api: { 'GET /api/front/article/info': answer },
  });

it('loads the item in the address and shows it', async () => {
  const { requests } = await open(article);
  expect(await screen.findByText('From Friday on.')).toBeVisible();
  expect(requests[0]?.params).toMatchObject({ id: 'sale' });
});

it('shows an empty state', async () => {
  await open({ ...article, content: '' });
  expect(await screen.findByText('Nothing here yet')).toBeVisible();
});

it('shows a retry after a failure', async () => {
  const { requests } = await open(failWith(50000));
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(requests).toHaveLength(2);
});
