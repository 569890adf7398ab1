import { Breaker } from './breaker';

let breaker: Breaker;
beforeEach(() => {
  jest.useFakeTimers();
  breaker = new Breaker(3);
});
afterEach(() => jest.useRealTimers());
const fail = (count: number) => {
  for (let index = 0; index < count; index += 1) breaker.failed();
};

it('the breaker lets pages through until the third failure within a minute', () => {
  fail(2);
  expect(breaker.take()).toBe(true);
  jest.advanceTimersByTime(61_000);
  fail(2);
  expect(breaker.take()).toBe(true);
  fail(1);
  expect(breaker.take()).toBe(false);
});

it('the breaker tries one page after a second, and doubles the pause with each further failure, up to five minutes', () => {
  fail(3);
  let pause = 1_000;
  for (let round = 0; round < 12; round += 1) {
    jest.advanceTimersByTime(pause - 1);
    expect(breaker.take()).toBe(false);
    jest.advanceTimersByTime(1);
    expect([breaker.take(), breaker.take()]).toEqual([true, false]);
    breaker.failed();
    pause = Math.min(300_000, pause * 2);
  }
  expect(pause).toBe(300_000);
});

it('the breaker tries another page when the attempted one has no result, and lets all through after a successful one', () => {
  fail(3);
  jest.advanceTimersByTime(1_000);
  breaker.take();
  breaker.abandoned();
  expect(breaker.take()).toBe(true);
  breaker.succeeded();
  expect([breaker.take(), breaker.take()]).toEqual([true, true]);
});

it('the breaker opens at the first failure that would recur, such as a build that does not load', () => {
  breaker.failed(true);
  expect(breaker.take()).toBe(false);
});
