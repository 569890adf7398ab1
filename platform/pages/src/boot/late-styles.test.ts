/** @jest-environment jsdom */
import { applyLateStyles } from './late-styles';

const links = () => [...document.querySelectorAll('link')];
const applied = () => links().map(({ media }) => media);
const state = (value: DocumentReadyState) => jest.spyOn(document, 'readyState', 'get').mockReturnValue(value);
const settle = (index: number, type = 'load') => links()[index]?.dispatchEvent(new Event(type));

beforeEach(() => {
  document.documentElement.dataset.rendered = 'a page';
  document.head.innerHTML = '<link media="print" data-late=""><link media="print" data-late="">';
});
afterEach(() => jest.restoreAllMocks());

it('late style sheets are applied together, in any order of arrival', () => {
  state('interactive');
  applyLateStyles();
  settle(0);
  expect(applied()).toEqual(['print', 'print']);
  settle(1);
  expect(applied()).toEqual(['all', 'all']);
});

it('late style sheets are not applied while the document may name more, and one that fails does not block the others', () => {
  state('loading');
  applyLateStyles();
  settle(0);
  settle(1, 'error');
  expect(applied()).toEqual(['print', 'print']);
  state('interactive');
  document.dispatchEvent(new Event('readystatechange'));
  expect(applied()).toEqual(['all', 'all']);
});

it('late style sheets that have arrived are applied when another one hangs', () => {
  jest.useFakeTimers();
  state('interactive');
  applyLateStyles();
  settle(0);
  jest.advanceTimersByTime(4_999);
  expect(applied()).toEqual(['print', 'print']);
  jest.advanceTimersByTime(1);
  expect(applied()).toEqual(['all', 'print']);
  settle(1);
  expect(applied()).toEqual(['all', 'all']);
  jest.useRealTimers();
});
