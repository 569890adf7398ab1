/** @jest-environment jsdom */
import { SITE } from '../testing/site';
import { removeOtherUsers } from './other-users';

Object.assign(globalThis, { bootSite: SITE.boot });

const { dataset } = document.documentElement;
const drawnFor = (user: string) => {
  delete dataset.redraw;
  dataset.user = user;
  removeOtherUsers();
};
afterEach(() => {
  localStorage.clear();
  jest.restoreAllMocks();
});

it('shows a page to the session that it was drawn for', () => {
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  drawnFor('abcdefgh');
  expect(dataset.redraw).toBeUndefined();
  expect(dataset.user).toBe('abcdefgh');
});

it.each([
  ['another session', 'Bearer zbcdefgh-and-more'],
  ['a session that only begins alike', 'Bearer abcdefg'],
  ['no session', ''],
])('does not show it to %s', (_what, token) => {
  if (token) localStorage.setItem('token', token);
  drawnFor('abcdefgh');
  expect(dataset.redraw).toBe('user');
  expect(dataset.user).toBeUndefined();
});

it('shows a page that asks to sign in to a browser without a session only', () => {
  drawnFor('');
  expect(dataset.redraw).toBeUndefined();
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  drawnFor('');
  expect(dataset.redraw).toBe('user');
});

it('does not show it where storage is blocked', () => {
  localStorage.setItem('token', 'Bearer abcdefgh-and-more');
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  drawnFor('abcdefgh');
  expect(dataset.redraw).toBe('user');
});
