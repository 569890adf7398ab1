import { ErrorCode } from '@shop/shared/domain';
import { ApiError, post } from '@shop/shared/http';
import { withIdempotencyKey } from './';

const failure = (kind: ApiError['kind'], code: number) => new ApiError({ kind, code, status: 200, message: '' });
const keys: string[] = [];
const call = (outcome?: unknown) => (key: string) => {
  keys.push(key);
  return outcome ? Promise.reject(outcome) : Promise.resolve('done');
};
const isHeld = () => document.documentElement.dataset.holds !== undefined;
let number = 0;
let intent = '';
beforeEach(() => {
  keys.length = 0;
  number += 1;
  intent = `pay:${number}`;
  // Intents of earlier tests stay open.
  delete document.documentElement.dataset.holds;
});
const attempt = (outcome?: unknown, of = intent) => withIdempotencyKey(of, call(outcome)).catch(() => 'failed');

it.each([
  ['no answer in time', failure('timeout', 0)],
  ['a lost connection', failure('network', 0)],
  ['an answer that is not JSON', failure('malformed', 0)],
  ['an HTTP error of a proxy', failure('http', 502)],
  ['a fault of the server', failure('business', ErrorCode.InternalError)],
  ['the first call still running', failure('business', ErrorCode.RequestInProgress)],
  ['too many requests', failure('business', ErrorCode.TooManyRequests)],
])('keeps the key after %s', async (_, outcome) => {
  await attempt(outcome);
  await attempt();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

it.each([
  ['a refusal, which the server would only repeat', failure('business', ErrorCode.BalanceTooLow)],
  ['a success: the same choice again is another payment', undefined],
])('creates a new key after %s', async (_, outcome) => {
  await attempt(outcome);
  expect(await attempt()).toBe('done');
  expect(keys[1]).not.toBe(keys[0]);
});

it('gives a changed amount its own key, and the first amount its old key while its outcome is unknown', async () => {
  await attempt(failure('timeout', 0), `${intent}:50.00`);
  await attempt(failure('timeout', 0), `${intent}:100.00`);
  await attempt(undefined, `${intent}:50.00`);
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe(keys[0]);
});

it('sends two simultaneous clicks with one key', async () => {
  await Promise.all([attempt(), attempt()]);
  expect(keys[1]).toBe(keys[0]);
});

it('holds the document, whose reload would lose the key, until the outcome is known', async () => {
  const first = attempt(failure('timeout', 0));
  expect(isHeld()).toBe(true);
  await first;
  expect(isHeld()).toBe(true);
  await attempt(failure('business', ErrorCode.BalanceTooLow));
  expect(isHeld()).toBe(false);
});

it('releases the document when the call was not sent because the device is offline', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await withIdempotencyKey(intent, (idempotencyKey) =>
    post('/api/front/order/create', {} as never, { idempotencyKey, quiet: true }),
  ).catch(() => {});
  online.mockRestore();
  expect(isHeld()).toBe(false);
});

it('releases the document when another choice has succeeded, and keeps the key of the first choice', async () => {
  await attempt(failure('timeout', 0), `${intent}:quantity 1`);
  await attempt(undefined, `${intent}:quantity 2`);
  expect(isHeld()).toBe(false);
  await attempt(undefined, `${intent}:quantity 1`);
  expect(keys[2]).toBe(keys[0]);
});
