import { afterLoad, isVitalsSample } from './after-load';

const start = jest.fn();
beforeEach(() => {
  jest.useFakeTimers();
  start.mockReset();
});
afterEach(() => jest.useRealTimers());

it('starts deferred work three seconds after the load event, once', () => {
  afterLoad(start);
  jest.advanceTimersByTime(10_000);
  window.dispatchEvent(new Event('load'));
  jest.advanceTimersByTime(2_999);
  expect(start).not.toHaveBeenCalled();
  jest.advanceTimersByTime(60_000);
  expect(start).toHaveBeenCalledTimes(1);
});

it('starts deferred work even if the load event never fires', () => {
  afterLoad(start);
  jest.advanceTimersByTime(30_000);
  expect(start).toHaveBeenCalledTimes(1);
});

it('samples a quarter of the documents for web vitals', () => {
  const samples = Array.from({ length: 100 }, (_, index) => isVitalsSample(() => index / 100));
  expect(samples.filter(Boolean)).toHaveLength(25);
});
