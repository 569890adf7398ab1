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

it('applies late style sheets together, in whatever order they come', () => {
  state('interactive');
  applyLateStyles();
  settle(0);
  expect(applied()).toEqual(['print', 'print']);
  settle(1);
  expect(applied()).toEqual(['all', 'all']);
});

it('applies none while the document may name more, and the others where one fails', () => {
  state('loading');
  applyLateStyles();
  settle(0);
  settle(1, 'error');
  expect(applied()).toEqual(['print', 'print']);
  state('interactive');
  document.dispatchEvent(new Event('readystatechange'));
  expect(applied()).toEqual(['all', 'all']);
});

it('applies those that have come when one hangs', () => {
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
