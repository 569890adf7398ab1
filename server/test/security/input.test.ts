import net from 'node:net';
import fc from 'fast-check';
import { buildApp } from '../../src/app';
import { saveArticle } from '../../src/content/content.service';
import { sanitise } from '../../src/content/sanitise';
import { routesOf, shopWith, storeWith } from '../support/release-store';
import { onEveryDatabase, onOneDatabase } from '../support/test-app';

onEveryDatabase('input of shoppers', (testApp) => {
  it('shoppers cannot set fields that only the shop sets', async () => {
    const user = await testApp().user();
    const own = { balance: '999.00', phone: '13700000000', is_real: 1, is_usable: 1, is_vip: true, id: 1 };
    for (const [field, value] of Object.entries(own))
      for (const body of [{}, { nickname: 'x' }])
        expect([field, (await user.post('user/info', { ...body, [field]: value })).code]).toEqual([field, 40001]);
    expect((await user.post('user/info', {})).code).toBe(40001);
    expect((await user.post('user/info', { nickname: 'x' })).code).toBe(200);
    expect((await user.get('user/info')).data).toMatchObject({ balance: '0.00', is_real: 0, is_vip: false });
  });

  it('a shopper sets name and identity number once, and sees the number masked', async () => {
    const user = await testApp().user();
    const real = { name: '张三', id_card_code: '11010519491231002X' };
    expect((await user.post('user/info', { ...real, id_card_code: '110105194912310021' })).code).toBe(40001);
    expect((await user.post('user/info', real)).data).toMatchObject({
      is_real: 1,
      id_card_code: '110***********002X',
    });
    expect((await user.post('user/info', real)).code).toBe(40001);
  });

  it('nicknames, enquiries and game fields are stored without markup', async () => {
    const user = await testApp().user(5000);
    expect((await user.post('user/info', { nickname: '<b onclick=x>Bo</b>' })).data.nickname).not.toMatch(/[<>]/);
    expect((await user.post('user/info', { avatar: 'javascript:alert(1)' })).code).toBe(40001);
    const body = { goods_id: testApp().goods.custom.id, custom_value: 100, fields: { uid: '<script>' } };
    expect(await user.order(body)).toMatchObject({
      code: 40001,
      data: { errors: { 'fields.uid': expect.any(String) } },
    });
    const contact = { contact: 'B', phone: '13800000000', type: 'agent' };
    const enquiry = { company: '<i>A</i>', content: '<script>alert(1)</script>' };
    expect((await testApp().post('business/add', { ...contact, ...enquiry })).code).toBe(200);
    expect(await testApp().value('select content from business_enquiries order by id desc limit 1')).not.toContain('<');
  });

  it('articles are sanitised on save and on read', async () => {
    const bad =
      '<p onclick="x()">Hi<script>alert(1)</script><a href="javascript:x()">a</a><img src=x onerror=x()><svg onload=x()></p>';
    await saveArticle(testApp().db, {
      id: 'test',
      title: { 'zh-CN': 't', en: 't' },
      content: { 'zh-CN': bad, en: bad },
      sort: 1,
    });
    const stored = await testApp().db.one<{ content_zh: string }>("select content_zh from articles where id = 'test'");
    await testApp().db.run("update articles set content_en = $1 where id = 'test'", [bad]);
    const read = (await testApp().get('article/info?id=test', { locale: 'en' })).data.content;
    for (const html of [stored.content_zh, read])
      expect(html).not.toMatch(/script|onclick|onerror|onload|javascript:/i);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(sanitise(`<p>${text}`)).not.toMatch(/<(script|svg|iframe|style)|\son\w+\s*=\s*["']/i);
      }),
      { numRuns: 200 },
    );
  });
});

onEveryDatabase('malformed HTTP', (testApp) => {
  it('malformed HTTP gets a response with the usual security headers', async () => {
    const bad = await testApp().get('/api/front/payment/status/%E0%A4%A');
    expect(bad).toMatchObject({ status: 400, code: 40001, message: expect.any(String) });
    expect(bad.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('a client that is too slow or sends no HTTP is disconnected, while others are served', async () => {
    const app = await buildApp({ ...testApp().context, requestTimeoutMs: 400 });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const talk = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = net.connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(text));
        socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
        socket.on('close', () => resolve(answer));
      });
    const slow = Promise.all([
      talk('GET /api/front/goods/category HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      talk(
        'POST /api/front/app/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    ]);
    expect((await fetch(`${address}/api/front/goods/category`)).status).toBe(200);
    for (const answer of await slow) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const nonsense = await talk('HELLO\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-content-type-options: nosniff/);
    expect(await talk(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    await app.close();
  });

  it('a request is refused when its body is too large, too deep or not JSON', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    for (const [body, status, code] of [
      [`{"phone":"${'1'.repeat(100_000)}"}`, 413, 413],
      ...[deep, '{"phone":', '{"__proto__":{"x":1}}'].map((body) => [body, 200, 40001] as const),
    ] as const)
      expect(await testApp().post('app/login', body)).toMatchObject({ status, code });
    expect(await testApp().get('nothing/here')).toMatchObject({ status: 404, code: 404 });
    const nonsense = { headers: { authorization: 'Bearer nonsense' } };
    expect(await testApp().get('user/info', nonsense)).toMatchObject({ status: 200, code: 401 });
  });
});

const EVIL = 'evil.example';
const forged: Array<Record<string, string>> = [
  { host: EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https' },
  { forwarded: `host=${EVIL};proto=https` },
];

onOneDatabase('requests with a forged host', (testApp) => {
  it.each([
    ['without PUBLIC_URL', '', false],
    ['without PUBLIC_URL, behind a proxy', '', ['127.0.0.1']],
    ['with PUBLIC_URL, behind a proxy', 'https://shop.example', ['127.0.0.1']],
  ])('%s finds it in no document, header, sitemap or redirect', async (_name, publicUrl, trustProxy) => {
    const store = await storeWith([{ routes: routesOf('catalog') }]);
    const settings = { publicUrl, indexed: publicUrl !== '', trustProxy: trustProxy as false | string[] };
    const app = await shopWith(testApp().context, store, settings);
    const product = `/goods/${testApp().goods.card.id}`;
    const urls = [
      '/home',
      product,
      '/goods',
      '/?lang=en',
      '/nowhere',
      '/sitemap.xml',
      '/robots.txt',
      '/healthz',
      '/api/front/app/config',
      '/api/wechat/wxcode?callback=/user',
      '/cashier/none',
    ];
    for (const url of urls)
      for (const headers of [...forged, {}]) {
        const answer = await app.inject({ url, headers: { accept: 'text/html', ...headers } });
        const text = `${JSON.stringify(answer.headers)} ${answer.body}`;
        expect([url, headers, text.includes(EVIL)]).toEqual([url, headers, false]);
        if (url === '/sitemap.xml') expect(answer.statusCode).toBe(publicUrl ? 200 : 404);
        if (url === product) expect(answer.body.includes('rel="canonical"')).toBe(publicUrl !== '');
      }
    await app.close();
  });
});
