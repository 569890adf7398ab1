import { createHash, randomBytes } from 'node:crypto';
import { until } from '../../../../../scripts/jest/until';
import { OtlpReceiver, type ReceivedSpan } from '../../../../test/support/doubles/otlp-receiver';
import { withDouble } from '../../../../test/support/with-double';
import { Settings } from '../../settings/settings';
import { openTelemetry, statementName } from './open-telemetry';
import { readTracing } from './tracing-settings';

const SERVER = 2;
const CLIENT = 3;

const browser = () => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
};

withDouble('traces', new OtlpReceiver(), (testApp, receiver) => {
  const traceOf = (traceId: string) =>
    until('the trace', () => {
      const spans = receiver.spans.filter((span) => span.traceId === traceId);
      return spans.some(({ kind }) => kind === SERVER) ? spans : undefined;
    });
  const requestOf = (spans: ReceivedSpan[]) => spans.filter(({ kind }) => kind === SERVER);
  const threeRequests = (traceId: string) =>
    until('three requests in the trace', async () => {
      const received = await traceOf(traceId);
      return requestOf(received).length === 3 ? received : undefined;
    });

  it('a trace leads from the browser’s call through the request to each of its statements, in a transaction too', async () => {
    const shopper = await testApp().user(100_000);
    const caller = browser();
    const { code } = await shopper.order({}, { headers: caller.headers });
    expect(code).toBe(200);
    const phone = `136${String(shopper.id).padStart(8, '0')}`;
    await testApp().post('app/send_code', { phone }, { headers: caller.headers, address: '10.1.2.3' });
    const spans = await threeRequests(caller.traceId);
    const create = requestOf(spans).find(({ name }) => name.endsWith('/create')) as ReceivedSpan;
    expect(create).toMatchObject({
      parentSpanId: caller.spanId,
      name: 'POST /api/front/order/create',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/front/order/create',
        'http.response.status_code': 200,
        'shop.code': 200,
      },
    });
    const statements = spans.filter(({ kind }) => kind === CLIENT);
    const below = (name: string) => {
      const request = requestOf(spans).find((span) => span.name === name);
      return statements.filter(({ parentSpanId }) => parentSpanId === request?.spanId).length;
    };
    const requests = ['order/preview', 'order/create', 'app/send_code'].map((path) => below(`POST /api/front/${path}`));
    expect(requests.every((count) => count > 0)).toBe(true);
    expect(requests.reduce((sum, count) => sum + count, 0)).toBe(statements.length);
    const created = statements.find(
      ({ name, parentSpanId }) => name === 'with order_create' && parentSpanId === create.spanId,
    );
    expect(created?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringMatching(/order_create\(\$1/),
    });
    expect(receiver.key).toBe('a key');
  });

  it('a trace contains no personal data: no phone number, code, token, address, query or value', async () => {
    const phone = `137${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
    const caller = browser();
    const headers = {
      ...caller.headers,
      tracestate: `shop=${phone}`,
      baggage: `phone=${phone}`,
      'user-agent': 'Marker/1.0',
    };
    const options = { headers, address: '203.0.113.77' };
    await testApp().post('app/send_code', { phone }, options);
    const sms = await testApp().sentCode(phone);
    const { data } = await testApp().post('app/login', { phone, login_type: 'verify', verify: sms }, options);
    expect(data.access_token).toBeTruthy();
    await testApp().get(`order/info?order_no=SECRET${phone}`, { ...options, token: data.access_token });
    const spans = await threeRequests(caller.traceId);
    expect(spans.length).toBeGreaterThan(6);
    const sent = receiver.bodies.filter((body) => body.includes(caller.traceId)).join('\n');
    const secrets = [
      phone,
      phone.slice(-8),
      `"${sms}"`,
      '203.0.113.77',
      '203.0.113.0',
      'SECRET',
      'Marker',
      'order_no=',
    ];
    for (const secret of [...secrets, data.access_token]) expect(sent).not.toContain(secret);
  });

  it('a trace identifies a failed statement by its code and omits PostgreSQL’s message, which contains values', async () => {
    const caller = browser();
    const { tracing, db } = testApp().context;
    const request = tracing?.startRequest('GET', caller.headers.traceparent);
    await new Promise<void>((resolve) =>
      request?.run(() =>
        db
          .rows("select ('phone 13900001111' || $1)::integer as value", ['x'])
          .catch(() => {})
          .then(() => resolve()),
      ),
    );
    request?.end({ route: '/test', status: 500, code: 50000 });
    const spans = await traceOf(caller.traceId);
    expect(spans.find(({ kind }) => kind === CLIENT)).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': '22P02', 'db.query.text': 'select (? || $1)::integer as value' },
    });
    expect(receiver.bodies.join()).not.toContain('13900001111');
  });

  it('a new trace begins without a header or with a malformed one, for each request of a connection', async () => {
    const address = await testApp().app.listen({ port: 0, host: '127.0.0.1' });
    const before = receiver.spans.length;
    // These calls share a connection.
    const ask = async (traceparent?: string) =>
      (await fetch(`${address}/api/front/goods/counts`, { headers: traceparent ? { traceparent } : {} })).text();
    await ask();
    await ask('00-zz-1-01');
    await ask(`00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`);
    const requests = await until('three requests', () => {
      const received = requestOf(receiver.spans.slice(before));
      return received.length === 3 ? received : undefined;
    });
    expect(new Set(requests.map(({ traceId }) => traceId)).size).toBe(3);
    expect(requests.map(({ parentSpanId }) => parentSpanId || undefined)).toEqual([undefined, undefined, undefined]);
  });

  it('the page’s settings ask browsers for traces, and probes and files have none', async () => {
    const before = receiver.spans.length;
    await testApp().get('/livez');
    await testApp().get('/metrics');
    await testApp().get('/media/none.webp');
    expect((await testApp().get('app/config')).data.tracing).toBe(true);
    await until('the request', () => receiver.spans.slice(before).find(({ name }) => name.endsWith('app/config')));
    expect(requestOf(receiver.spans.slice(before)).map(({ name }) => name)).toEqual(['GET /api/front/app/config']);
  });

  it('spans that the receiver does not accept are counted, and no call waits for them', async () => {
    const lost = async () => Number(/outcome="lost"} (\d+)/.exec((await testApp().get('/metrics')).text)?.[1]);
    const before = await lost();
    receiver.refuses = true;
    expect((await testApp().get('goods/counts')).status).toBe(200);
    await until('lost spans', async () => (await lost()) > before);
    receiver.refuses = false;
  });
});

it('the configured share of traces is recorded, even if browsers request more', async () => {
  const receiver = await new OtlpReceiver().start();
  const settings = { url: `${receiver.endpoint}/v1/traces`, headers: {}, service: 'shop', share: 0.1, delayMs: 20 };
  const tracing = openTelemetry(settings);
  for (let index = 0; index < 500; index += 1) {
    const id = createHash('sha256').update(String(index)).digest('hex').slice(0, 32);
    const request = tracing.startRequest('GET', `00-${id}-00000000000000aa-01`);
    request.run(() => {});
    request.end({ route: '/', status: 200, code: 200 });
  }
  await tracing.close();
  expect(receiver.spans.length).toBeGreaterThan(25);
  expect(receiver.spans.length).toBeLessThan(80);
  await receiver.close();
});

it.each([
  ['select id, name\n  from goods where id = $1', 'select goods', 'select id, name from goods where id = $1'],
  ["update users set phone = '139''0000' where id = 42", 'update users', 'update users set phone = ? where id = ?'],
  ['insert into orders (no) values ($1)', 'insert orders', 'insert into orders (no) values ($1)'],
  ['select order_create($1, $2, 10)', 'select order_create', 'select order_create($1, $2, ?)'],
  [
    "delete from limits where at < now() - interval '1 day'",
    'delete limits',
    'delete from limits where at < now() - interval ?',
  ],
  ['begin', 'begin', 'begin'],
])('the statement %s is named %s, without its values', (statement, summary, text) => {
  expect(statementName(statement)).toEqual({ summary, text });
});

it('a long statement is truncated', () => {
  expect(statementName(`select ${'a, '.repeat(1_000)}b from goods`).text).toHaveLength(1_000);
});

const read = (env: NodeJS.ProcessEnv) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  return { tracing: readTracing(settings), problems: settings.problems };
};
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const on = { url: 'http://collector:4318/v1/traces', headers: {}, service: 'shop', share: 0.1, delayMs: 5_000 };
const url = 'https://traces.example/otlp';
const headers = 'OTEL_EXPORTER_OTLP_HEADERS';
const bearer = 'authorization=Bearer%20x, x-team=shop';

it.each([
  [{}, null],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, null],
  [endpoint, on],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url },
    { ...on, url },
  ],
  [
    { ...endpoint, [headers]: bearer, OTEL_SERVICE_NAME: 'eu', OTEL_TRACES_SAMPLER_ARG: '1' },
    { ...on, headers: { authorization: 'Bearer x', 'x-team': 'shop' }, service: 'eu', share: 1 },
  ],
])('tracing settings %j are parsed', (env, tracing) => {
  expect(read(env)).toEqual({ tracing, problems: [] });
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.'],
  [{ ...endpoint, [headers]: 'a secret' }, `${headers} must be "name=value", separated by commas.`],
  [{ ...endpoint, [headers]: 'key=%zz' }, `${headers} must be "name=value", separated by commas.`],
  [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'],
  [{ ...endpoint, OTEL_BSP_SCHEDULE_DELAY: '0' }, 'OTEL_BSP_SCHEDULE_DELAY must be a number from 1 to 60000.'],
])('tracing settings %j stop the start', (env, problem) => {
  expect(read(env).problems).toEqual([problem]);
});
