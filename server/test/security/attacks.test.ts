import net from 'node:net';
import fc from 'fast-check';
import { buildApp } from '../../src/app';
import { hashPassword } from '../../src/auth/passwords';
import { saveArticle } from '../../src/content/content.service';
import { sanitise } from '../../src/content/sanitise';
import { Sql } from '../../src/db/sql';
import { onEveryDatabase } from '../support/test-app';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

onEveryDatabase('other people', (testApp) => {
  it('finds nothing of theirs, and says the same as for what does not exist', async () => {
    const [owner, thief] = [await testApp().person(5000), await testApp().person()];
    const { data } = await owner.order();
    await owner.pay(data.order_no);
    const { order_no } = data;
    const unknown = 'A'.repeat(20);
    for (const number of [order_no, unknown]) {
      expect(await thief.info(number)).toMatchObject({ code: 43404, data: null });
      for (const call of ['cancel', 'delete', 'refundApply', 'again']) {
        expect((await thief.post(`order/${call}`, { order_no: number })).code).toBe(43404);
      }
      expect((await thief.post('order/cards', { order_no: number, password: 'demo1234' })).code).toBe(43404);
      expect((await thief.pay(number)).code).toBe(43404);
      expect((await thief.post('payment/online', { order_no: number, method: 'sandbox' })).code).toBe(43404);
    }
    const { data: recharge } = await owner.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    expect((await thief.get(`payment/status?payment_no=${recharge.payment_no}`)).code).toBe(43404);
    expect((await thief.post('payment/online', { recharge_no: recharge.recharge_no, method: 'sandbox' })).code).toBe(
      43404,
    );
    const { data: account } = await owner.post('user/gameAccount', {
      goods_id: testApp().goods.direct.id,
      fields: { uid: '1', secret: 'x' },
    });
    expect(account.fields).toEqual({ uid: '1' });
    expect(
      (await testApp().call('DELETE', `user/gameAccount?id=${account.id}`, undefined, { token: thief.token })).data
        .deleted,
    ).toBe(false);
    expect((await owner.get('user/gameAccount')).data).toHaveLength(1);
  });

  it("uses nobody else's coupon", async () => {
    const [owner, thief] = [await testApp().person(5000), await testApp().person(5000)];
    await testApp().db.script(`
      insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
        values ('theirs', '券', 'Coupon', 10, 10, 7, 10);
      insert into coupon_amounts select id, 'CNY', 300, 0 from coupons where key = 'theirs'`);
    const { id } = await testApp().db.one<{ id: number }>("select id from coupons where key = 'theirs'");
    const [{ user_coupon_id }] = (await owner.post('coupon/receive', { coupon_id: id })).data;
    const unknown = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id: 999_999 });
    const foreign = await thief.order({ spec_id: testApp().spec('card'), user_coupon_id });
    expect([foreign.code, foreign.message]).toEqual([44404, unknown.message]);
    expect((await thief.get('coupon/getUserCouponList')).data).toEqual([]);
    expect((await owner.get('coupon/getUserCouponList?status=1')).data).toHaveLength(1);
  });

  it('asks the database the same for what is another person’s and for what does not exist, so that time tells nothing', async () => {
    const [owner, thief] = [await testApp().person(5000), await testApp().person()];
    const { data } = await owner.order();
    await owner.pay(data.order_no);
    const { data: recharge } = await owner.post('recharge/create', { amount: '10.00', method: 'sandbox' });
    const asked = jest.spyOn(Sql.prototype as unknown as { query(text: string): unknown }, 'query');
    const statementsOf = async (call: () => Promise<unknown>) => {
      asked.mockClear();
      await call();
      return asked.mock.calls.map(([text]) => text);
    };
    try {
      const nobody = 'A'.repeat(20);
      for (const call of [
        (number: string) => thief.info(number),
        (number: string) => thief.pay(number),
        (number: string) => thief.post('order/cancel', { order_no: number }),
        (number: string) => thief.post('order/delete', { order_no: number }),
        (number: string) => thief.post('order/refundApply', { order_no: number }),
        (number: string) => thief.post('order/again', { order_no: number }),
        (number: string) => thief.post('order/cards', { order_no: number, password: 'x' }),
        (number: string) => thief.post('payment/online', { order_no: number, method: 'sandbox' }),
      ]) {
        const foreign = await statementsOf(() => call(data.order_no));
        expect(foreign.length).toBeGreaterThan(0);
        expect(await statementsOf(() => call(nobody))).toEqual(foreign);
      }
      const status = (number: string) => () => thief.get(`payment/status?payment_no=${number}`);
      expect(await statementsOf(status(nobody))).toEqual(await statementsOf(status(recharge.payment_no)));
    } finally {
      asked.mockRestore();
    }
  });

  it('numbers orders with at least eighty random bits', async () => {
    const person = await testApp().person();
    const numbers = [(await person.order()).data.order_no, (await person.order()).data.order_no] as string[];
    for (const number of numbers) expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
    expect(numbers[0]?.slice(0, 6)).not.toBe(numbers[1]?.slice(0, 6));
  });
});

onEveryDatabase('guessing', (testApp) => {
  const phone = () => `137${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const verify = (number: string, code: string, address: string) =>
    testApp().post('app/login', { phone: number, login_type: 'verify', verify: code }, { address });
  const codeOf = async (number: string) =>
    JSON.parse((await testApp().get(`/dev/outbox.json?phone=${number}`)).text)[0].code as string;

  it('burns a code after five wrong tries, and after one use', async () => {
    const one = phone();
    await testApp().post('app/send_code', { phone: one }, { address: '10.1.0.1' });
    const code = await codeOf(one);
    const wrong = code === '000000' ? '111111' : '000000';
    const tries = [];
    for (let index = 0; index < 6; index++) tries.push((await verify(one, wrong, '10.1.0.2')).code);
    expect(tries).toEqual([41002, 41002, 41002, 41002, 41004, 41004]);
    expect((await verify(one, code, '10.1.0.2')).code).toBe(41004);
    const two = phone();
    await testApp().post('app/send_code', { phone: two }, { address: '10.1.0.1' });
    expect((await verify(two, await codeOf(two), '10.1.0.2')).code).toBe(200);
    expect((await verify(two, await codeOf(two), '10.1.0.2')).code).toBe(41004);
  });

  it('sends one code a minute and ten a day to a phone, twenty an hour to an address, whatever the session', async () => {
    const one = phone();
    const burst = await Promise.all(
      [1, 2, 3, 4].map((index) => testApp().post('app/send_code', { phone: one }, { address: `10.2.0.${index}` })),
    );
    expect(burst.map((answer) => answer.code).sort()).toEqual([200, 42901, 42901, 42901]);
    expect(burst.find((answer) => answer.code === 42901)?.status).toBe(429);
    const day: number[] = [];
    for (let index = 0; index < 11; index++) {
      await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [one]);
      day.push((await testApp().post('app/send_code', { phone: one }, { address: `10.2.1.${index}` })).code);
    }
    expect(day).toEqual([...Array(9).fill(200), 42901, 42901]);
    const hour: number[] = [];
    for (let index = 0; index < 22; index++)
      hour.push((await testApp().post('app/send_code', { phone: phone() }, { address: '10.2.2.1' })).code);
    expect(hour.filter((code) => code === 200)).toHaveLength(20);
  });

  it('leaves whoever tries codes for a day, from ever new addresses, a chance under one in ten thousand', async () => {
    const one = phone();
    let compared = 0;
    let sent = 0;
    for (let round = 0; round < 14; round++) {
      await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [one]);
      const answer = await testApp().post('app/send_code', { phone: one }, { address: `10.5.${round}.1` });
      if (answer.code !== 200) continue;
      sent += 1;
      const code = await codeOf(one);
      for (let index = 0; index < 8; index++) {
        const guess = String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
        const { code: result } = await verify(one, guess, `10.5.${round}.${index + 2}`);
        // A burnt code is refused without a look at the guess, except at the try that burns it.
        if (result === 41002) compared += 1;
        else if (index === 4) compared += 1;
        expect([41002, 41004]).toContain(result);
      }
      expect((await verify(one, code, `10.5.${round}.20`)).code).toBe(41004);
    }
    expect(sent).toBe(10);
    expect(compared).toBe(50);
    expect(compared / 1e6).toBeLessThan(1e-4);
  });

  it('answers the same for known and unknown phones, and never holds the code', async () => {
    const person = await testApp().person();
    const answers = [];
    for (const number of [person.phone, phone()]) {
      const answer = await testApp().post('app/send_code', { phone: number }, { address: '10.3.0.1' });
      expect(answer.text).not.toContain(await codeOf(number));
      answers.push({ code: answer.code, data: answer.data, message: answer.message });
    }
    expect(answers[0]).toEqual(answers[1]);
    const logins = await Promise.all(
      [person.phone, phone()].map((number) =>
        testApp().post(
          'app/login',
          { phone: number, login_type: 'password', password: 'wrong-password' },
          { address: '10.3.0.2' },
        ),
      ),
    );
    expect(logins.map((answer) => [answer.code, answer.message])).toEqual(
      [logins[0], logins[0]].map((one) => [41001, one?.message]),
    );
  });

  it('bounds password guessing without locking the owner out', async () => {
    const person = await testApp().person();
    await testApp().db.run('update users set password_hash = $2 where id = $1', [
      person.id,
      await hashPassword('right-password'),
    ]);
    const login = (password: string, address: string) =>
      testApp().post('app/login', { phone: person.phone, login_type: 'password', password }, { address });
    const guesses = [];
    for (let index = 0; index < 8; index++) guesses.push((await login('wrong-password', '10.4.0.1')).code);
    expect(guesses).toEqual([41001, 41001, 41001, 41001, 41001, 42901, 42901, 42901]);
    for (let address = 2; address < 12; address++) {
      for (let index = 0; index < 4; index++) await login('wrong-password', `10.4.0.${address}`);
    }
    expect((await login('right-password', '10.4.1.1')).code).toBe(42901); // a stranger's address
    expect((await login('right-password', '10.0.0.1')).code).toBe(200); // one that the owner has used
  });

  it('bounds and records reveals', async () => {
    const person = await testApp().person(5000);
    await testApp().db.run('update users set password_hash = $2 where id = $1', [
      person.id,
      await hashPassword('right-password'),
    ]);
    const { data } = await person.order();
    await person.pay(data.order_no);
    const reveal = (password?: string) => person.post('order/cards', { order_no: data.order_no, password });
    expect((await reveal()).code).toBe(43030);
    expect((await reveal('wrong-password')).code).toBe(41001);
    expect((await reveal('right-password')).data.cards).toHaveLength(1);
    const text = await person.post('order/cards?format=txt', { order_no: data.order_no, password: 'right-password' });
    expect(text.headers['content-type']).toContain('text/plain');
    const log = await testApp().db.rows("select 1 from audit_log where action = 'cards.reveal' and user_id = $1", [
      person.id,
    ]);
    expect(log).toHaveLength(2);
    await expect(testApp().db.script('delete from audit_log')).rejects.toThrow('append-only');
    await testApp().db.run('update rate_limits set hits = 30 where key = $1', [`reveal:${person.id}`]);
    expect((await reveal('right-password')).code).toBe(42901);
  });
});

onEveryDatabase('what people write', (testApp) => {
  it('refuses fields that are not theirs to set', async () => {
    const person = await testApp().person();
    for (const body of [
      { balance: '999.00' },
      { phone: '13700000000' },
      { is_real: 1 },
      { is_usable: 1 },
      { is_vip: true },
      { id: 1 },
      {},
    ]) {
      expect((await person.post('user/info', { ...body })).code).toBe(40001);
      expect((await person.post('user/info', { nickname: 'x', ...body })).code).toBe(
        Object.keys(body).length ? 40001 : 200,
      );
    }
    expect((await person.get('user/info')).data).toMatchObject({ balance: '0.00', is_real: 0, is_vip: false });
  });

  it('takes a name and card number once, and shows the number masked', async () => {
    const person = await testApp().person();
    const real = { name: '张三', id_card_code: '11010519491231002X' };
    expect((await person.post('user/info', { ...real, id_card_code: '110105194912310021' })).code).toBe(40001);
    expect((await person.post('user/info', real)).data).toMatchObject({
      is_real: 1,
      id_card_code: '110***********002X',
    });
    expect((await person.post('user/info', real)).code).toBe(40001);
  });

  it('keeps markup out of nicknames, enquiries and game fields', async () => {
    const person = await testApp().person(5000);
    expect((await person.post('user/info', { nickname: '<b onclick=x>Bo</b>' })).data.nickname).not.toMatch(/[<>]/);
    expect((await person.post('user/info', { avatar: 'javascript:alert(1)' })).code).toBe(40001);
    const wish = { goods_id: testApp().goods.custom.id, custom_value: 100, fields: { uid: '<script>' } };
    expect(await person.order(wish)).toMatchObject({
      code: 40001,
      data: { errors: { 'fields.uid': expect.any(String) } },
    });
    const enquiry = {
      company: '<i>A</i>',
      contact: 'B',
      phone: '13800000000',
      type: 'agent',
      content: '<script>alert(1)</script>',
    };
    expect((await testApp().post('business/add', enquiry)).code).toBe(200);
    const saved = await testApp().db.one<{ content: string }>(
      'select content from business_enquiries order by id desc limit 1',
    );
    expect(saved.content).not.toContain('<');
  });

  it('sanitises articles on save and on read', async () => {
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

  it('sniffs uploads, refuses SVG, and keeps everyone in their own folder', async () => {
    const [person, other] = [await testApp().person(), await testApp().person()];
    const { data: grant } = await person.get('oss/getStsToken');
    expect(grant).toMatchObject({ provider: 'local', dir: `avatar/${person.id}/`, max_size: 2_097_152 });
    const put = (path: string, bytes: Buffer, token = grant.security_token) =>
      testApp().app.inject({
        method: 'PUT',
        url: `/uploads/${path}`,
        headers: { 'x-security-token': token, 'content-type': 'image/png' },
        payload: bytes,
      });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    expect((await put(`${grant.dir}a.png`, svg)).json().code).toBe(40001);
    expect((await put(`${grant.dir}a.png`, Buffer.concat([png, Buffer.alloc(2_200_000)]))).statusCode).toBe(413);
    const { url } = (await put(`${grant.dir}a.html`, png)).json().data;
    expect(url).toMatch(/^\/uploads\/avatar\/\d+\/[0-9a-f]{32}\.webp$/);
    const served = await testApp().app.inject(url);
    expect(served.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    expect((await person.post('user/info', { avatar: url })).data.avatar).toBe(url);
    expect((await other.post('user/info', { avatar: url })).code).toBe(40001);
    for (const path of [`avatar/${other.id}/a.png`, `${grant.dir}../x.png`, `${grant.dir}..%2f..%2fx.png`, 'x.png']) {
      expect((await put(path, png)).json().code).not.toBe(200);
    }
    expect((await put(`${grant.dir}a.png`, png, 'forged.token')).json().code).toBe(403);
    for (const path of [
      '/uploads/../app-secret',
      '/uploads/..%2fapp-secret',
      '/media/..%2fgoods.json',
      '/media/../goods.json',
    ]) {
      expect((await testApp().app.inject(path)).statusCode).toBeGreaterThanOrEqual(400);
    }
  });

  it('returns from WeChat to the shop only', async () => {
    const ask = (callback: string) =>
      testApp().get(`/api/wechat/wxcode?callback=${encodeURIComponent(callback)}`, {
        headers: { host: 'shop.example' },
      });
    for (const callback of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'javascript://shop.example/%0aalert(1)',
      'ftp://shop.example/',
      'http://shop.example@evil.example/',
      'https://shop.example.evil.example',
    ]) {
      expect((await ask(callback)).code).toBe(40001);
    }
    for (const own of ['http', 'https']) expect((await ask(`${own}://shop.example/user`)).code).toBe(200);
    expect((await ask('/user')).data.url).toMatch(/^http:\/\/shop\.example\/user\?code=/);
  });

  it('signs in through WeChat only the browser that asked for it, once', async () => {
    const ask = async () => {
      const answer = await testApp().get('/api/wechat/wxcode?callback=/user', { headers: { host: 'shop.example' } });
      const cookie = /^wx_state=[\w-]{43}(?=; Path=\/api; Max-Age=600; HttpOnly; SameSite=Lax)/.exec(
        String(answer.headers['set-cookie']),
      );
      const { searchParams } = new URL(answer.data.url);
      return { cookie: cookie?.[0] ?? '', code: searchParams.get('code'), state: searchParams.get('state') };
    };
    const authorize = (code: string | null, state: string | null, cookie: string, token?: string) =>
      testApp().get(`app/wechatAuthorize?code=${code}${state ? `&state=${state}` : ''}`, {
        headers: { cookie },
        token,
      });
    const [mine, theirs] = [await ask(), await ask()];
    expect((await authorize(mine.code, null, mine.cookie)).code).toBe(41002);
    expect((await authorize(mine.code, 'sandbox', mine.cookie)).code).toBe(41002);
    expect((await authorize(mine.code, mine.state, '')).code).toBe(41002);
    expect((await authorize(theirs.code, theirs.state, mine.cookie)).code).toBe(41002);
    // Nobody's account is linked by a link.
    const person = await testApp().person();
    expect((await authorize(theirs.code, theirs.state, '', person.token)).code).toBe(41002);
    expect((await person.get('user/info')).data.openid).toBe('');
    expect((await authorize(mine.code, mine.state, mine.cookie, person.token)).data.token_type).toBe('Bearer');
    expect((await person.get('user/info')).data.openid).toBe('sandbox-openid');
    expect((await authorize(mine.code, mine.state, mine.cookie)).code).toBe(41002);
    const again = await ask();
    const { access_token } = (await authorize(again.code, again.state, again.cookie)).data;
    expect((await testApp().get('user/info', { token: access_token })).data.id).toBe(person.id);
  });
});

onEveryDatabase('sessions', (testApp) => {
  it('revokes every other token when the password changes, and a token on sign-out or when the user is disabled', async () => {
    const person = await testApp().person();
    await testApp().db.run('update users set password_hash = $2 where id = $1', [
      person.id,
      await hashPassword('right-password'),
    ]);
    const login = async () =>
      (await testApp().post('app/login', { phone: person.phone, login_type: 'password', password: 'right-password' }))
        .data.access_token;
    const other = await login();
    expect((await person.post('app/setPassword', { old_password: 'right-password', password: '12345678' })).code).toBe(
      41010,
    );
    expect(
      (await person.post('app/setPassword', { old_password: 'right-password', password: 'next-password' })).data,
    ).toEqual({ updated: true });
    expect((await testApp().get('user/info', { token: other })).code).toBe(401);
    expect((await person.get('user/info')).code).toBe(200);
    await testApp().db.run('update users set is_usable = 0 where id = $1', [person.id]);
    expect((await person.get('user/info')).code).toBe(401);
    const answer = await testApp().post('app/login', {
      phone: person.phone,
      login_type: 'password',
      password: 'next-password',
    });
    expect(answer.code).toBe(41006);
  });

  it('keeps no token and no code in clear', async () => {
    const person = await testApp().person();
    const rows = await testApp().db.rows<{ token_hash: Buffer }>('select token_hash from sessions where user_id = $1', [
      person.id,
    ]);
    expect(rows[0]?.token_hash).toHaveLength(32);
    expect(rows[0]?.token_hash.toString('latin1')).not.toContain(person.token.slice(0, 8));
  });
});

onEveryDatabase('hostile bodies', (testApp) => {
  it('answers an address or a head that cannot be read with the headers of every answer', async () => {
    const bad = await testApp().get('/api/front/payment/status/%E0%A4%A');
    expect(bad).toMatchObject({ status: 400, code: 40001, message: expect.any(String) });
    expect(bad.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('cuts off who sends a head or a body too slowly, or no HTTP at all, and serves the others meanwhile', async () => {
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

  it('refuses bodies that are too large, too deep or no JSON', async () => {
    expect(await testApp().post('app/login', `{"phone":"${'1'.repeat(100_000)}"}`)).toMatchObject({
      status: 413,
      code: 413,
    });
    expect(await testApp().post('app/login', '['.repeat(20_000) + ']'.repeat(20_000))).toMatchObject({
      status: 200,
      code: 40001,
    });
    expect(await testApp().post('app/login', '{"phone":')).toMatchObject({ status: 200, code: 40001 });
    expect(await testApp().post('app/login', '{"__proto__":{"x":1}}')).toMatchObject({ status: 200, code: 40001 });
    expect(await testApp().get('nothing/here')).toMatchObject({ status: 404, code: 404 });
    expect(await testApp().get('user/info', { headers: { authorization: 'Bearer nonsense' } })).toMatchObject({
      status: 200,
      code: 401,
    });
  });
});
