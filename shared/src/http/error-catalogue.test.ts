/** Tests each row of the error table (docs/product.md#errors). */
import { ErrorCode } from '../domain';
import { failWith, failWithStatus, noConnection, notJson, stubNetwork, timesOut } from '../testing';
import { type ApiError, configureHttp, get } from './';

const call = '/api/front/app/config';
let language: 'zh-CN' | 'en' = 'en';
const events: string[] = [];

beforeEach(() => {
  language = 'en';
  events.length = 0;
  configureHttp({
    token: () => '',
    language: () => language,
    currency: () => 'USD',
    onUnauthorized: () => void events.push('signed out'),
    onForbidden: () => void events.push('/403'),
    onNotice: (message) => void events.push(message),
    successCodes: [20000, 'OK'],
  });
});

/** The app's reaction to an answer, and the result of the call. */
async function outcomeOf(answer: unknown): Promise<unknown> {
  stubNetwork({ [`GET ${call}`]: answer });
  return get(call).then(
    (data) => data,
    (error: ApiError) => error,
  );
}
const withCode = (code: unknown, message = '') => failWith(code as number, message, { rest: 1 });

it('each code has one name', () => {
  const codes = Object.values(ErrorCode);
  expect(new Set(codes).size).toBe(codes.length);
});

describe('the code field', () => {
  it.each([200, '200', 0, '0', ' 200 ', 20000, '20000', 'OK'])(
    'code %j is a success: the call resolves with the body',
    async (code) => {
      expect(await outcomeOf(withCode(code))).toEqual({ rest: 1 });
      expect(events).toEqual([]);
    },
  );

  it.each([
    [401, 'signed out'],
    ['401', 'signed out'],
    [403, '/403'],
    ['403', '/403'],
  ])('code %j has the effect “%s”, without a toast', async (code, event) => {
    expect(await outcomeOf(withCode(code, 'Words of the server'))).toMatchObject({ code: Number(code) });
    expect(events).toEqual([event]);
  });

  it.each([
    [45001, 45001],
    ['45001', 45001],
    [500, 500],
    ['E_UNKNOWN', 200],
    ['', 200],
    [null, 200],
    [Number.NaN, 200],
  ])('code %j shows the server’s message, and the call rejects with the body', async (code, text) => {
    const error = await outcomeOf(withCode(code, 'Words of the server'));
    expect(error).toMatchObject({ code: text, message: 'Words of the server', data: { rest: 1 } });
    expect(events).toEqual(['Words of the server']);
  });
});

describe('an HTTP status, where the server sends no message', () => {
  it.each([
    [201, '新建或修改数据成功', 'Created or modified'],
    [202, '请求已进入后台排队', 'Queued in the background'],
    [400, '发出的信息有误', 'The information sent is wrong'],
    [402, '登录令牌已过期', 'Your sign-in has expired'],
    [404, '请求的资源不存在', 'The resource does not exist'],
    [406, '请求的格式不可用', 'The format is not available'],
    [410, '请求的资源已被永久删除', 'The resource was permanently deleted'],
    [500, '服务器发生错误', 'Server error'],
    [502, '网关错误', 'Gateway error'],
    [503, '服务不可用', 'The service is unavailable'],
    [504, '网关超时', 'Gateway timeout'],
  ])(
    '%i has the words of the table, in both languages, with a number or a string as its code',
    async (status, zh, en) => {
      for (const code of [status, String(status)]) {
        language = 'zh-CN';
        expect(await outcomeOf(failWithStatus(status, code))).toMatchObject({ code: status });
        language = 'en';
        expect(await outcomeOf(failWithStatus(status, code))).toMatchObject({ code: status });
      }
      expect(events).toEqual([zh, en, zh, en]);
    },
  );

  it.each([
    [401, 'signed out'],
    [403, '/403'],
  ])('status %i has the effect of its code, with and without an envelope', async (status, event) => {
    await outcomeOf(failWithStatus(status));
    await outcomeOf(notJson(status));
    expect(events).toEqual([event, event]);
  });

  it('shows the status text for a status that is not in the table', async () => {
    await outcomeOf(failWithStatus(418, 418, '', 'I am a teapot'));
    expect(events).toEqual(['I am a teapot']);
  });
});

it.each([
  ['network', noConnection()],
  ['timeout', timesOut()],
])('a missing answer is an empty result of kind %s without a toast', async (kind, answer) => {
  expect(await outcomeOf(answer)).toMatchObject({ kind, code: 0, message: '', data: null });
  expect(events).toEqual([]);
});

it.each([
  [200, 'malformed', 'Server error'],
  [502, 'http', 'Gateway error'],
])('status %i without an envelope is a failure of kind %s, with the words “%s”', async (status, kind, words) => {
  expect(await outcomeOf(notJson(status))).toMatchObject({ kind, status });
  expect(events).toEqual([words]);
});
