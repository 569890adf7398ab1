import { failWith, renderPage, type StubbedAnswers } from '@shop/shared/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './privacy-page';

const info = 'GET /api/front/article/info';
const article = {
  id: 'privacy',
  title: 'Privacy policy',
  content: '<h2>What we <em>keep</em> &amp; why</h2><p>Text</p><script>window.hacked = 1</script><h2>Your rights</h2>',
  updated_at: '2026-01-02T00:00:00Z',
};
const open = (api: StubbedAnswers) => renderPage(page, { path: '/article/privacy', session: { language: 'en' }, api });

beforeAll(() => {
  Element.prototype.scrollIntoView = () => {};
});

it('shows the text without its scripts', async () => {
  const { container, requests } = await open({ [info]: article });
  expect(await screen.findByRole('heading', { name: 'Your rights' })).toBeVisible();
  expect(container.querySelector('script')).toBeNull();
  expect(requests[0]?.params).toEqual({ id: 'privacy' });
});

it('leads from the contents list to the heading', async () => {
  await open({ [info]: article });
  const heading = await screen.findByRole('heading', { name: 'What we keep & why' });
  const contents = screen.getByRole('navigation', { name: 'Contents' });
  await userEvent.click(within(contents).getByRole('button', { name: 'What we keep & why' }));
  expect(heading).toHaveFocus();
});

it('offers to try again', async () => {
  let isUp = false;
  await open({ [info]: () => (isUp ? article : failWith(50000, 'Down')) });
  const alert = await screen.findByRole('alert');
  isUp = true;
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Your rights' })).toBeVisible();
});
