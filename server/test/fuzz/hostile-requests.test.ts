import { Ajv } from 'ajv';
import fc from 'fast-check';
import { repetitions } from '../../../scripts/jest/test-scale';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { ErrorSchema } from '../../src/platform/http/schemas';
import { type Api, readApi } from '../support/routes';
import { onEveryDatabase, type User } from '../support/test-app';
import { type HostileRequest, hostileRequest, type Pool } from './hostile-request';

const REQUESTS = repetitions(20_000);
const AT_ONCE = 40;

let api: Api;
beforeAll(async () => {
  api = await readApi();
});

onEveryDatabase('hostile requests', (testApp) => {
  const users: User[] = [];
  const seen: Record<string, number> = {};

  it('hostile requests never cause a server error, and every response matches the OpenAPI document', async () => {
    for (let index = 0; index < 6; index++) users.push(await testApp().user(100_000));
    const password = await hashPassword('right-password');
    await testApp().db.run('update users set password_hash = $1', [password]);
    const pool = await poolOf(users);
    const checks = validators();
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileRequest(api.routes, pool, users.length), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (requests) => {
          // Rate limits have their own tests; here they would hide the code behind them.
          await testApp().db.run('delete from rate_limits where key <> $1', ['']);
          await Promise.all(requests.map((request) => send(request, checks)));
        },
      ),
      // Shrinking forty requests takes long, and the message already names the request.
      { numRuns: Math.ceil(REQUESTS / AT_ONCE), endOnFailure: true },
    );
    for (const code of [200, 401, 40001, 42210, 43404, 44404])
      expect([code, (seen[code] ?? 0) > repetitions(20)]).toEqual([code, true]);
    const succeeded = api.routes.filter(({ method, url }) => seen[`${method} ${url}`]);
    expect(succeeded.length).toBeGreaterThan(api.routes.length * (process.env.TEST_FULL ? 0.7 : 0.6));
    await testApp().check();
  }, 300_000);

  async function poolOf([first, second]: User[]): Promise<Pool> {
    const orders: string[] = [];
    for (const user of [first, second] as User[]) {
      for (let index = 0; index < 3; index++) orders.push((await user.order()).data.order_no);
      await user.pay(orders.at(-1) as string);
    }
    const recharge = (await (first as User).post('recharge/create', { amount: '10.00', method: 'sandbox' })).data;
    const body = testApp().orderBody('card');
    const { price_version } = (await (first as User).post('order/preview', body)).data;
    const coupon = await testApp().addCoupon({ reduce: 250, min: 500, redeem_code: 'HOSTILE', offer: true });
    const { card, direct, custom, manual } = testApp().goods;
    return {
      goods_id: [card.id, card.id, direct.id, custom.id, manual.id, 999_999],
      id: [card.id, custom.id, 1, 'agreement'],
      spec_id: [testApp().spec('card'), testApp().spec('card'), testApp().spec('direct'), testApp().spec('manual')],
      quantity: [1, 1, 2, 11, -1],
      custom_value: [100, 15],
      order_no: [...orders, 'A'.repeat(20)],
      recharge_no: [recharge.recharge_no],
      payment_no: [recharge.payment_no, 'B'.repeat(20)],
      price_version: [price_version],
      fields: [{ uid: '10001' }, { uid: 'fail' }, { uid: '' }, {}],
      phone: [(first as User).phone, '13712345678', '123'],
      password: ['right-password', 'wrong-password', 'short'],
      old_password: ['right-password', 'wrong-password'],
      verify: ['123456', '000000', '12345'],
      login_type: ['password', 'verify'],
      method: ['sandbox', 'wechat', 'balance'],
      amount: ['10.00', '0.01', '-1.00', '1e5'],
      coupon_id: [coupon, 999_999],
      user_coupon_id: [1, 2, 999_999],
      code: ['HOSTILE', 'nothing', 'ｈostile'],
      callback: ['http://localhost/user', 'https://evil.example/'],
      email: ['a@b.example', 'no'],
      company: ['A company'],
      contact: ['B'],
      content: ['Hello'],
      avatar: ['', 'javascript:alert(1)'],
      birthday: ['2000-01-01', '2000-13-01'],
      name: ['张三'],
      id_card_code: ['11010519491231002X', '123'],
      start: ['2026-01-01', '2026-01-01T00:00:00Z', 'x'],
      end: ['2030-01-01'],
    };
  }

  type Check = (body: unknown) => string | undefined;
  function validators(): Map<string, Check> {
    const ajv = new Ajv({ strict: false });
    const checks = new Map<string, Check>();
    const check = (schema: object): Check => {
      const validate = ajv.compile(schema);
      return (body) => (validate(body) ? undefined : ajv.errorsText(validate.errors));
    };
    checks.set('error', check(ErrorSchema));
    for (const { method, url } of api.routes) {
      const call = api.document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      const schema = call?.responses[200]?.content?.['application/json']?.schema;
      if (schema) checks.set(`${method} ${url}`, check(schema));
    }
    return checks;
  }

  async function send(request: HostileRequest, checks: Map<string, Check>): Promise<void> {
    const { route, url, body, headers, who, address } = request;
    const token = who === undefined ? undefined : users[who]?.token;
    const response = await testApp().app.inject({
      method: route.method as 'GET',
      url,
      payload: body,
      remoteAddress: address,
      headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    const requestText = JSON.stringify({ ...request, route: `${route.method} ${route.url}` });
    if (response.statusCode >= 500) throw new Error(`${response.statusCode} ${response.body} for ${requestText}`);
    for (const name of ['x-content-type-options', 'x-frame-options', 'content-security-policy', 'referrer-policy'])
      if (!response.headers[name]) throw new Error(`no ${name} for ${requestText}`);
    if (response.headers['x-evil']) throw new Error(`a header was injected by ${requestText}`);
    if (String(response.headers['content-type']).startsWith('text/plain') && route.url.endsWith('/order/cards')) return;
    const answer = response.json() as { code: number };
    const isDownload = route.method === 'GET' && route.url.endsWith('/user/export');
    const name = response.statusCode === 200 && !isDownload ? `${route.method} ${route.url}` : 'error';
    const fault = checks.get(name)?.(answer) ?? (checks.has(name) ? undefined : 'it is not in the document');
    if (fault) throw new Error(`${response.body} does not match its schema (${fault}) for ${requestText}`);
    seen[answer.code] = (seen[answer.code] ?? 0) + 1;
    if (answer.code === 200) seen[name] = (seen[name] ?? 0) + 1;
    // A user who has signed out or changed the password signs in again; otherwise all further requests would be a guest's.
    if (answer.code === 200 && who !== undefined && /logout|setPassword/.test(route.url))
      users[who] = await testApp().signIn(users[who] as User);
  }
});
