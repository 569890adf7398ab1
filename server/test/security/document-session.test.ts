/** The document cookie gives no access to the API, and ends with its session. */
import { ErrorCode } from '@shop/shared/domain';
import { documentUser } from '../../src/accounts/auth/session-lookup';
import { onEveryDatabase, User } from '../support/test-app';

onEveryDatabase('document cookie', (testApp) => {
  const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
    [headers['set-cookie'] ?? []].flat() as string[];
  const documentCookie = (answer: { headers: Record<string, unknown> }) =>
    cookiesOf(answer).find((cookie) => cookie.startsWith('document-session=')) ?? '';
  const signIn = async (phone = `139${String(Date.now()).slice(-8)}`) => {
    await testApp().post('app/send_code', { phone });
    const answer = await testApp().post('app/login', {
      phone,
      login_type: 'verify',
      verify: await testApp().sentCode(phone),
    });
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
