/** @jest-environment jsdom */
import { SITE } from '../testing/site';
import { hideOtherUsersPage } from './other-users';

Object.assign(globalThis, { bootSite: SITE.boot });

const { dataset } = document.documentElement;
const renderedFor = (user: string) => {
  delete dataset.redraw;
  dataset.user = user;
  hideOtherUsersPage();
};
afterEach(() => {
  localStorage.clear();
  jest.restoreAllMocks();
});

it('a page is shown to the session that it was rendered for', () => {
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  renderedFor('abcdefgh');
  expect(dataset.redraw).toBeUndefined();
  expect(dataset.user).toBe('abcdefgh');
});

it.each([
  ['another session', 'Bearer zbcdefgh-and-more'],
  ['a session whose token starts almost the same', 'Bearer abcdefg'],
  ['no session', ''],
])('a page that was rendered for a user is not shown to %s', (_what, token) => {
  if (token) localStorage.setItem('token', token);
  renderedFor('abcdefgh');
  expect(dataset.redraw).toBe('user');
  expect(dataset.user).toBeUndefined();
});

it('a page that asks to sign in is shown only to a browser without a session', () => {
  renderedFor('');
  expect(dataset.redraw).toBeUndefined();
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  renderedFor('');
  expect(dataset.redraw).toBe('user');
});

it('a page that was rendered for a user is not shown when storage is blocked', () => {
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  renderedFor('abcdefgh');
  expect(dataset.redraw).toBe('user');
});
