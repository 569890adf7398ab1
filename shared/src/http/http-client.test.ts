import { createHash } from 'node:crypto';
import { ErrorCode } from '../domain';
import { type ApiError, changingCalls, configureHttp, get, newIdempotencyKey, post } from './';
import { handlers } from './envelope';
import { http } from './transport';

const anyCall = '/api/front/app/config';
const events: string[] = [];
let seen: Record<string, unknown> = {};

function answerWith(data: object): void {
  http.defaults.adapter = async (config) => {
    seen = { ...config.headers.toJSON(), url: config.url, timeout: config.timeout };
    if (data instanceof Error) throw data;
    return { data, status: 200, statusText: '', headers: {}, config };
  };
}

beforeEach(() => {
  events.length = 0;
  configureHttp({
    token: () => 'Bearer abc',
    language: () => 'en',
    currency: () => 'USD',
    onUnauthorized: () => void events.push('signed out'),
    onForbidden: () => void events.push('left for /403'),
    onNotice: (message) => void events.push(`notice: ${message}`),
    offlineText: () => 'nothing was charged',
    successCodes: ['OK'],
  });
});

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  return call.then(
    () => {
      throw new Error('it succeeded');
    },
    (error) => error,
  );
}

const startInDocument = (answer: Promise<unknown>, token = 'Bearer abc') => {
  const answers = { [anyCall]: answer, '/api/front/goods/list?page=1&limit=20': answer };
  Object.assign(globalThis, { firstCalls: { token, language: 'en', currency: 'USD', answers } });
};
const pay = () => post('/api/front/payment/balance', { order_no: 'ABCDEFGH' }, { idempotencyKey: 'key-12345' });

it('sends token, language, currency and idempotency key, with a timeout of 30 seconds', async () => {
  answerWith({ code: 200, data: null });
  await pay();
  expect(seen).toMatchObject({
    Authorization: 'Bearer abc',
    Locale: 'en',
    Currency: 'USD',
    'Idempotency-Key': 'key-12345',
    timeout: 30000,
  });
});

it('resolves reads after hydration, also failed ones, and changes at once', async () => {
  let hydrate = () => {};
  const hydrated = new Promise<void>((resolve) => {
    hydrate = resolve;
  });
  configureHttp({ ...handlers, untilHydrated: () => hydrated });
  const note = (what: string) => () => void events.push(what);
  answerWith({ code: 200, data: null });
  const read = get(anyCall).then(note('read'));
  await pay();
  answerWith(new Error('no connection'));
  const failed = get(anyCall, undefined, { quiet: true }).catch(note('failed'));
  await failureOf(pay());
  for (const what of ['read', 'failed']) expect(events).not.toContain(what);
  hydrate();
  await Promise.all([read, failed]);
  expect(events).toEqual(expect.arrayContaining(['read', 'failed']));
});

it.each(['', 'Bearer earlier'])('does not end the session for a late 401 to a call sent with “%s”', async (earlier) => {
  let token = earlier;
  configureHttp({ ...handlers, token: () => token, onNotice: () => {} });
  http.defaults.adapter = async (config) => {
    // The user signs in again during the call.
    token = 'Bearer new';
    return { data: { code: 401 }, status: 401, statusText: '', headers: {}, config };
  };
  expect((await failureOf(get(anyCall))).code).toBe(401);
  expect(events).toEqual([]);
  // The same answer to a call of the new session does end it.
  await failureOf(get(anyCall));
  expect(events).toEqual(['signed out']);
});

it('solves a challenge without a toast and repeats the call once', async () => {
  const challenge = { challenge: 'signed', bits: 8 };
  const sent: unknown[] = [];
  let isSatisfied = true;
  http.defaults.adapter = async (config) => {
    const { 'X-Challenge': name, 'X-Challenge-Solution': solution } = config.headers.toJSON();
    sent.push(name);
    const isSolved = solution && createHash('sha256').update(`signed:${solution}`).digest()[0] === 0;
    const refusal = { code: ErrorCode.ChallengeRequired, message: 'busy', data: challenge };
    const data = isSolved && isSatisfied ? { code: 200, data: { resend_after: 60 } } : refusal;
    return { data, status: 200, statusText: '', headers: {}, config };
  };
  await expect(post('/api/front/app/send_code', { phone: '13800000000' })).resolves.toEqual({ resend_after: 60 });
  expect([sent, events]).toEqual([[undefined, 'signed'], []]);

  isSatisfied = false;
  const { code } = await failureOf(post('/api/front/app/send_code', { phone: '13800000000' }));
  expect([code, sent.length, events]).toEqual([ErrorCode.ChallengeRequired, 4, ['notice: busy']]);
});

describe('a busy server', () => {
  const busyAnswer = (headers: Record<string, string> = { 'retry-after': '1' }) => ({
    data: { code: ErrorCode.ServiceBusy, message: 'busy', data: null },
    status: 503,
    headers,
  });
  /** Answers in turn and records the calls' idempotency keys. */
  function answerInTurn(...answers: ReturnType<typeof busyAnswer>[]): unknown[] {
    const keys: unknown[] = [];
    http.defaults.adapter = async (config) => {
      keys.push(config.headers.get('Idempotency-Key'));
      const answer = answers[keys.length - 1] ?? { data: { code: 200, data: 'done' }, status: 200, headers: {} };
      return { statusText: '', config, ...answer };
    };
    return keys;
  }
  let wait: number[];

  beforeEach(() => {
    wait = [];
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      wait.push(ms);
      queueMicrotask(run);
    }) as never);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, () => Promise<unknown>, string | undefined]>([
    ['a read', () => get(anyCall), undefined],
    ['a payment, with its idempotency key', pay, 'key-12345'],
  ])(
    'repeats %s after the time that the server names, then after twice that, without a toast',
    async (_, send, key) => {
      const keys = answerInTurn(busyAnswer(), busyAnswer());
      await expect(send()).resolves.toBe('done');
      expect([keys, wait, events]).toEqual([[key, key, key], [1250, 2500], []]);
    },
  );

  it('shows one toast when the server stays busy', async () => {
    const calls = answerInTurn(...Array.from({ length: 9 }, () => busyAnswer()));
    expect(await failureOf(pay())).toMatchObject({ kind: 'http', code: ErrorCode.ServiceBusy, status: 503 });
    expect([calls.length, events]).toEqual([3, ['notice: busy']]);
  });

  it('does not repeat a change without a key, nor a call with a long or missing Retry-After', async () => {
    const calls = answerInTurn(...Array.from({ length: 9 }, () => busyAnswer()));
    await failureOf(post('/api/front/app/logout'));
    expect(calls).toHaveLength(1);
    for (const header of [{ 'retry-after': '60' }, { 'retry-after': 'Sun, 22 Nov 2026 10:00:00 GMT' }, {}]) {
      const reads = answerInTurn(busyAnswer(header as Record<string, string>));
      await failureOf(get(anyCall));
      expect(reads).toHaveLength(1);
    }
    expect(events).toHaveLength(4);
  });

  it('sends a call again that the document was refused', async () => {
    startInDocument(Promise.resolve(busyAnswer().data));
    const calls = answerInTurn();
    await expect(get(anyCall)).resolves.toBe('done');
    expect([calls.length, events]).toEqual([1, []]);
  });
});

it('shows no toast for a quiet call', async () => {
  answerWith({ code: 41001, message: 'Wrong' });
  await failureOf(get(anyCall, undefined, { quiet: true }));
  expect(events).toEqual([]);
});

it('does not send a call that moves money while the device is offline, and shows a toast', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  seen = {};
  answerWith({ code: 200, data: 'paid' });
  expect(await failureOf(pay())).toMatchObject({ kind: 'network', message: 'nothing was charged' });
  expect(events).toEqual(['notice: nothing was charged']);
  expect(seen).toEqual({});
  await expect(get('/api/front/user/info')).resolves.toBe('paid');
  online.mockReturnValue(true);
  await expect(pay()).resolves.toBe('paid');
  online.mockRestore();
});

describe('a call that the document has started', () => {
  beforeEach(() => answerWith({ code: 200, data: 'requested' }));

  it('reuses the answer of a call of the document once', async () => {
    startInDocument(Promise.resolve({ code: 200, data: 'started' }));
    await expect(get(anyCall)).resolves.toBe('started');
    await expect(get(anyCall)).resolves.toBe('requested');
  });
  it('reuses the answer of the document for a call with the same query in any order, and for no other', async () => {
    startInDocument(Promise.resolve({ code: 200, data: 'started' }));
    await expect(get('/api/front/goods/list', { limit: 20, page: 2 })).resolves.toBe('requested');
    await expect(get('/api/front/goods/list', { limit: 20, page: 1, keyword: undefined })).resolves.toBe('started');
  });
  it.each([
    ['belongs to another token', () => Promise.resolve({ code: 200, data: 'of another user' }), 'Bearer other'],
    ['failed', () => Promise.reject(new Error('offline')), 'Bearer abc'],
  ])('sends a call again that %s in the document', async (_, answer, token) => {
    startInDocument(answer(), token);
    await expect(get(anyCall)).resolves.toBe('requested');
  });
  it('ends the session when a call of the document has code 401', async () => {
    startInDocument(Promise.resolve({ code: 401, message: 'expired' }));
    expect((await failureOf(get(anyCall))).code).toBe(401);
    expect(events).toEqual(['signed out']);
  });
});

it('does not compile a call that the server does not accept', () => {
  // The type check (npm run check) fails when one of these lines compiles.
  const mistakes = () => [
    // @ts-expect-error no such path
    get('/api/front/goods/nothing'),
    // @ts-expect-error another method
    get('/api/front/order/create'),
    // @ts-expect-error a query that is required
    get('/api/front/order/info'),
    // @ts-expect-error another field
    get('/api/front/order/info', { id: 'ABCDEFGH' }),
    // @ts-expect-error another type
    post('/api/front/coupon/receive', { coupon_id: '1' }, { idempotencyKey: 'key-12345' }),
    // @ts-expect-error a field that is missing
    post('/api/front/app/login', { phone: '13800000000' }),
    // @ts-expect-error the key is missing
    post('/api/front/payment/balance', { order_no: 'ABCDEFGH' }),
    // @ts-expect-error an answer without such a field
    get('/api/front/search/hot').then((answer) => answer.nothing),
  ];
  expect(mistakes).toBeInstanceOf(Function);
});

it('creates idempotency keys of 128 random bits that never repeat', () => {
  const keys = Array.from({ length: 1000 }, newIdempotencyKey);
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

const logout = () => post('/api/front/app/logout', undefined, { quiet: true });

it('counts calls that change data during their request, and records when the last one ended and succeeded', async () => {
  Object.assign(changingCalls, { pending: 0, lastEnd: 0, lastSuccess: 0 });
  answerWith({ code: 200, data: null });
  const call = logout();
  expect(changingCalls).toEqual({ pending: 1, lastEnd: 0, lastSuccess: 0 });
  await call;
  const { lastEnd, lastSuccess } = changingCalls;
  expect([changingCalls.pending, lastEnd === lastSuccess, lastEnd > 0]).toEqual([0, true, true]);

  Object.assign(changingCalls, { pending: 0, lastEnd: 0, lastSuccess: 0 });
  await get(anyCall);
  expect(changingCalls).toEqual({ pending: 0, lastEnd: 0, lastSuccess: 0 });
  answerWith(new Error('no connection'));
  await failureOf(logout());
  expect([changingCalls.pending, changingCalls.lastEnd > 0, changingCalls.lastSuccess]).toEqual([0, true, 0]);
});
