import { hashPassword } from '../../src/auth/passwords';
import { sha256 } from '../../src/crypto/tokens';
import { onEveryDatabase } from '../support/test-app';

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

  it('stores tokens hashed', async () => {
    const person = await testApp().person();
    const rows = await testApp().db.rows<{ token_hash: Buffer }>('select token_hash from sessions where user_id = $1', [
      person.id,
    ]);
    expect(rows[0]?.token_hash).toHaveLength(32);
    expect(rows[0]?.token_hash.toString('latin1')).not.toContain(person.token.slice(0, 8));
  });

  it('stores verification codes under a keyed hash', async () => {
    const { phone } = await testApp().person();
    await testApp().post('app/send_code', { phone });
    const code = await testApp().sentCode(phone);
    const { code_hash: hash } = await testApp().db.one<{ code_hash: Buffer }>(
      'select code_hash from verification_codes where phone = $1',
      [phone],
    );
    expect(hash.length).toBeGreaterThanOrEqual(32);
    expect(hash.toString('latin1')).not.toContain(code);
    // Without a key, a hash of one of a million codes is found by trying all of them.
    for (const text of [code, phone + code, `${phone}:${code}`]) {
      for (const encoding of ['hex', 'base64url', 'latin1'] as const)
        expect(hash.toString('latin1')).not.toBe(sha256(text).toString(encoding));
    }
  });
});

onEveryDatabase('sign-in through WeChat', (testApp) => {
  it('returns to the shop only', async () => {
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

  it('signs in only the browser that started it, once', async () => {
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
    // A link opened by another person links no account.
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
