import { ErrorCode } from '@shop/shared/domain';
import { documentUser, SessionLookup } from '../../src/accounts/auth/session-lookup';
import { deviceName } from '../../src/accounts/sessions/sessions.service';
import { forget } from '../../src/jobs/forget';
import { sha256 } from '../../src/platform/crypto/tokens';
import { onEveryDatabase, User } from '../support/test-app';

onEveryDatabase('sessions', (testApp) => {
  it('a password change revokes all other tokens, and a sign-out or disabling the user revokes a token', async () => {
    const user = await testApp().user(0, 'right-password');
    const login = (password: string) =>
      testApp().post('app/login', { phone: user.phone, login_type: 'password', password });
    const otherToken = (await login('right-password')).data.access_token;
    const set = (password: string) => user.post('app/setPassword', { old_password: 'right-password', password });
    expect((await set('12345678')).code).toBe(41010);
    expect((await set('next-password')).data).toEqual({ updated: true });
    expect((await testApp().get('user/info', { token: otherToken })).code).toBe(401);
    expect((await user.get('user/info')).code).toBe(200);
    await testApp().db.run('update users set is_usable = 0 where id = $1', [user.id]);
    expect((await user.get('user/info')).code).toBe(401);
  });

  it('tokens are stored hashed', async () => {
    const user = await testApp().user();
    const hash = await testApp().value<Buffer>('select token_hash from sessions where user_id = $1', [user.id]);
    expect(hash).toHaveLength(32);
    expect(hash.toString('latin1')).not.toContain(user.token.slice(0, 8));
  });

  it('verification codes are stored under a keyed hash', async () => {
    const { phone } = await testApp().user();
    const code = await testApp().codeFor(phone);
    const hash = await testApp().value<Buffer>('select code_hash from verification_codes where phone = $1', [phone]);
    expect(hash.length).toBeGreaterThanOrEqual(32);
    expect(hash.toString('latin1')).not.toContain(code);
    // Without a key, the hash of one of a million codes is found by trying all of them.
    for (const text of [code, phone + code, `${phone}:${code}`]) {
      for (const encoding of ['hex', 'base64url', 'latin1'] as const)
        expect(hash.toString('latin1')).not.toBe(sha256(text).toString(encoding));
    }
  });
});

onEveryDatabase('sessions of a user', (testApp) => {
  const phone = {
    'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36',
  };
  const userWith = async (count: number) => {
    const user = await testApp().user();
    const tokens: string[] = [];
    for (let index = 0; index < count; index++) {
      const options = { address: `10.30.${user.id & 255}.1`, headers: phone };
      tokens.push((await testApp().signInByCode(user.phone, options)).data.access_token);
    }
    return { user, tokens };
  };
  const codeWith = async (token: string) => (await testApp().get('user/info', { token })).code;

  it('sessions are listed with device and time, without tokens, the current one first', async () => {
    const { user, tokens } = await userWith(2);
    const { data, text } = await testApp().get('user/sessions', { token: tokens[0] });
    expect(data.list).toHaveLength(3);
    expect(data.list[0]).toMatchObject({ browser: 'Chrome', system: 'Android', current: true });
    expect(data.list.slice(1).map((session: { current: boolean }) => session.current)).toEqual([false, false]);
    for (const session of data.list)
      expect(Date.parse(session.seen_at)).toBeGreaterThanOrEqual(Date.parse(session.created_at));
    for (const token of [user.token, ...tokens]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(sha256(token).toString('hex'));
    }
  });

  it('a user can end sessions one by one, only their own, with effect on the next call', async () => {
    const { user, tokens } = await userWith(1);
    const stranger = await testApp().user();
    const { list } = (await user.get('user/sessions')).data;
    const otherSession = list.find((session: { current: boolean }) => !session.current);
    const end = async (by: typeof user, id: string) => (await by.delete(`user/sessions?id=${id}`)).data;
    expect(await end(stranger, otherSession.id)).toEqual({ ended: 0 });
    expect(await codeWith(tokens[0] as string)).toBe(200);
    expect(await end(user, otherSession.id)).toEqual({ ended: 1 });
    expect(await end(user, otherSession.id)).toEqual({ ended: 0 });
    expect(await codeWith(tokens[0] as string)).toBe(401);
    expect(await codeWith(user.token)).toBe(200);
    expect((await user.delete('user/sessions?id=1')).code).toBe(40001);
  });

  it('a user can end all sessions except the current one', async () => {
    const { user, tokens } = await userWith(2);
    const bystander = await testApp().user();
    const answer = await testApp().call('DELETE', 'user/sessions/others', undefined, { token: tokens[1] });
    expect(answer.data).toEqual({ ended: 2 });
    expect(await codeWith(user.token)).toBe(401);
    expect(await codeWith(tokens[0] as string)).toBe(401);
    expect(await codeWith(tokens[1] as string)).toBe(200);
    expect(await codeWith(bystander.token)).toBe(200);
    const log = await testApp().db.rows("select 1 from audit_log where action = 'session.end' and user_id = $1", [
      user.id,
    ]);
    expect(log).toHaveLength(1);
  });

  it('sessions end when they are unused, and after thirty days even if they are used', async () => {
    const { user, tokens } = await userWith(2);
    const [idle, old] = tokens.map((token) => sha256(token));
    await testApp().db.run("update sessions set seen_at = now() - interval '15 days' where token_hash = $1", [idle]);
    await testApp().db.run('update sessions set expires_at = now() where token_hash = $1', [old]);
    expect(await Promise.all(tokens.map(codeWith))).toEqual([401, 401]);
    expect((await user.get('user/sessions')).data.list).toHaveLength(1);
    await forget(testApp().db, testApp().context.config.sessionIdleSeconds);
    const left = await testApp().db.rows('select 1 from sessions where user_id = $1', [user.id]);
    expect(left).toHaveLength(1);
  });
});

onEveryDatabase('sign-in through WeChat', (testApp) => {
  it('WeChat sign-in returns to the shop only', async () => {
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
    for (const protocol of ['http', 'https']) expect((await ask(`${protocol}://shop.example/user`)).code).toBe(200);
    expect((await ask('/user')).data.url).toMatch(/^\/user\?code=/);
    expect((await ask('https://shop.example/user?a=b#c')).data.url).toMatch(/^\/user\?a=b&code=[^#]+#c$/);
  });

  it('WeChat sign-in signs in only the browser that started it, once', async () => {
    const ask = async () => {
      const answer = await testApp().get('/api/wechat/wxcode?callback=/user', { headers: { host: 'shop.example' } });
      const cookie = /^wx_state=[\w-]{43}(?=; Max-Age=600; Path=\/api; HttpOnly; SameSite=Lax)/.exec(
        String(answer.headers['set-cookie']),
      );
      const { searchParams } = new URL(answer.data.url, 'https://shop.example');
      return { cookie: cookie?.[0] ?? '', code: searchParams.get('code'), state: searchParams.get('state') };
    };
    const authorize = (code: string | null, state: string | null, cookie: string, token?: string) =>
      testApp().get(`app/wechatAuthorize?code=${code}${state ? `&state=${state}` : ''}`, {
        headers: { cookie },
        token,
      });
    const [own, theirs] = [await ask(), await ask()];
    expect((await authorize(own.code, null, own.cookie)).code).toBe(41002);
    expect((await authorize(own.code, 'sandbox', own.cookie)).code).toBe(41002);
    expect((await authorize(own.code, own.state, '')).code).toBe(41002);
    expect((await authorize(theirs.code, theirs.state, own.cookie)).code).toBe(41002);
    const user = await testApp().user();
    expect((await authorize(theirs.code, theirs.state, '', user.token)).code).toBe(41002);
    expect((await user.get('user/info')).data.openid).toBe('');
    expect((await authorize(own.code, own.state, own.cookie, user.token)).data.token_type).toBe('Bearer');
    expect((await user.get('user/info')).data.openid).toBe('sandbox-openid');
    expect((await authorize(own.code, own.state, own.cookie)).code).toBe(41002);
    const secondStart = await ask();
    const { access_token } = (await authorize(secondStart.code, secondStart.state, secondStart.cookie)).data;
    expect((await testApp().get('user/info', { token: access_token })).data.id).toBe(user.id);
  });
});

/** It gives no access to the API, and ends with its session. */
onEveryDatabase('document cookie', (testApp) => {
  const documentCookie = ({ headers }: { headers: Record<string, unknown> }) =>
    ([headers['set-cookie'] ?? []].flat() as string[]).find((cookie) => cookie.startsWith('document-session=')) ?? '';
  const signIn = async (phone = `139${String(Date.now()).slice(-8)}`) => {
    const answer = await testApp().signInByCode(phone);
    const cookie = documentCookie(answer);
    return { phone, token: answer.data.access_token as string, answer, cookie, value: cookie.split(';')[0] as string };
  };
  const userOf = (cookie: string, idleSeconds = 3600) =>
    documentUser(testApp().db, { headers: { cookie } }, idleSeconds);

  it('a sign-in sets the document cookie, hidden from scripts and other sites, and not in the response body', async () => {
    const { answer, cookie, value, token } = await signIn('13900000001');
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
    expect(Object.keys(answer.data).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect(answer.text).not.toContain(value.split('=')[1]);
    expect(await userOf(value)).toMatchObject({ tokenStart: token.slice(0, 8) });
  });

  it('no API call accepts the document cookie', async () => {
    const { value } = await signIn('13900000002');
    const headers = { cookie: value };
    const routes = testApp().routes.filter(
      ({ method, url, config }) => config?.access === 'user' && method === 'GET' && url.startsWith('/api/'),
    );
    expect(routes.length).toBeGreaterThan(10);
    for (const { url } of routes) expect((await testApp().get(url, { headers })).code).toBe(ErrorCode.Unauthorized);
    const asToken = await testApp().get('user/info', { token: value.split('=')[1] });
    expect(asToken.code).toBe(ErrorCode.Unauthorized);
  });

  it.each([
    ['a sign-out', ({ post }: User) => post('app/logout', {})],
    ['disabling the account', ({ id }: User) => testApp().db.run('update users set is_usable = 0 where id = $1', [id])],
  ])('the document cookie ends at once by %s', async (_what, end) => {
    const { value, token, phone } = await signIn();
    const session = await userOf(value);
    if (!session) throw new Error('the cookie identifies no user');
    const answer = await end(new User(testApp(), session.viewer.id, phone, token));
    expect(await userOf(value)).toBeUndefined();
    if (answer && typeof answer === 'object')
      expect(documentCookie(answer as never)).toMatch(/^document-session=; Max-Age=0/);
  });

  it.each(['', 'document-session=', 'document-session=short', `document-session=${'x'.repeat(43)}`])(
    'the document cookie "%s" identifies no user',
    async (cookie) => {
      expect(await userOf(cookie)).toBeUndefined();
    },
  );
});

onEveryDatabase('session lookup', (testApp) => {
  it('a session lookup resolves concurrent tokens to their users', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => testApp().user()));
    const lookup = new SessionLookup(testApp().db, 3600);
    const results = await Promise.all([
      ...users.map((user) => lookup.find(sha256(user.token))),
      lookup.find(sha256('unknown token')),
      lookup.find(sha256(users[0]?.token as string)),
    ]);
    expect(results.map((user) => user?.id)).toEqual([...users.map((user) => user.id), undefined, users[0]?.id]);
  });

  it('a session lookup refuses a session from the moment it ends, also in a shared statement', async () => {
    const [signedOut, other] = [await testApp().user(), await testApp().user()];
    const lookup = new SessionLookup(testApp().db, 3600);
    await Promise.all([lookup.find(sha256(other.token)), lookup.find(sha256(signedOut.token))]);
    const concurrentLookup = lookup.find(sha256(other.token));
    await testApp().db.run('delete from sessions where token_hash = $1', [sha256(signedOut.token)]);
    expect(await lookup.find(sha256(signedOut.token))).toBeUndefined();
    expect((await concurrentLookup)?.id).toBe(other.id);
  });

  it('a session lookup refuses a session that was idle for too long, and records a use at most every five minutes', async () => {
    const { db } = testApp();
    const user = await testApp().user();
    const hash = sha256(user.token);
    const seen = async (ago: string) => {
      await db.run('update sessions set seen_at = now() - $2::interval where token_hash = $1', [hash, ago]);
      const { seen_at } = await db.one<{ seen_at: Date }>('select seen_at from sessions where token_hash = $1', [hash]);
      const writes = jest.spyOn(db, 'run');
      const user = await new SessionLookup(db, 3600).find(hash);
      await Promise.all(writes.mock.results.map((result) => result.value));
      const count = writes.mock.calls.length;
      writes.mockRestore();
      const after = await db.one<{ seen_at: Date }>('select seen_at from sessions where token_hash = $1', [hash]);
      return { isKnown: Boolean(user), writes: count, isRecorded: after.seen_at > seen_at };
    };
    expect(await seen('4 minutes')).toEqual({ isKnown: true, writes: 0, isRecorded: false });
    expect(await seen('6 minutes')).toEqual({ isKnown: true, writes: 1, isRecorded: true });
    expect(await seen('61 minutes')).toEqual({ isKnown: false, writes: 0, isRecorded: false });
  });
});

const agent = (system: string, browser: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`;
it.each([
  [agent('Linux; Android 14; Pixel 8', 'Chrome/126.0.0.0 Mobile Safari/537.36'), 'Chrome', 'Android'],
  [agent('Windows NT 10.0; Win64; x64', 'Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0'), 'Edge', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox', 'macOS'],
  [agent('iPhone; CPU iPhone OS 17_5 like Mac OS X', 'Version/17.5 Mobile/15E148 Safari/604.1'), 'Safari', 'iPhone'],
  [agent('iPad; CPU OS 17_5 like Mac OS X', 'CriOS/126.0 Mobile/15E148 Safari/604.1'), 'Chrome', 'iPad'],
  [agent('iPhone; CPU iPhone OS 17_5 like Mac OS X', 'Mobile/15E148 MicroMessenger/8.0.49'), 'WeChat', 'iPhone'],
  [
    agent('Linux; Android 12; HarmonyOS; ALN-AL00', 'Chrome/114.0 HuaweiBrowser/15.0 Mobile Safari/537.36'),
    'Huawei Browser',
    'HarmonyOS',
  ],
  [
    agent('Linux; Android 14; SM-S918B', 'SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36'),
    'Samsung Internet',
    'Android',
  ],
  [agent('X11; CrOS x86_64 14541.0.0', 'Chrome/126.0.0.0 Safari/537.36'), 'Chrome', 'ChromeOS'],
  [agent('X11; Linux x86_64', 'Chrome/126.0.0.0 Safari/537.36 OPR/111.0.0.0'), 'Opera', 'Linux'],
  ['curl/8.5.0', '', ''],
  ['', '', ''],
  ['<script>alert(1)</script>', '', ''],
])('deviceName reads %s as %s on %s', (userAgent, browser, system) => {
  expect(deviceName(userAgent)).toEqual({ browser, system });
});
