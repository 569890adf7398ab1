import { onEveryDatabase, type User } from '../support/test-app';

onEveryDatabase('the audit log', (testApp) => {
  const password = 'right-password';
  const withPassword = () => testApp().user(0, password);
  const sessionOf = (user: User) =>
    testApp().value("select left(encode(token_hash, 'hex'), 16) from sessions where user_id = $1", [user.id]);
  const entriesOf = (user: User) =>
    testApp().db.rows<{ action: string; session: string | null }>(
      "select actor, action, network, session, subject, detail from audit_log where user_id = $1 and action <> 'session.end' order by id",
      [user.id],
    );

  it('the audit log has wrong passwords and codes with the phone masked, even for phones without an account', async () => {
    const user = await withPassword();
    const last = await testApp().value('select max(id) from audit_log');
    const [unknown, address] = ['13700001234', '10.77.0.1'];
    for (const phone of [user.phone, unknown]) {
      await testApp().post('app/login', { phone, login_type: 'password', password: 'wrong' }, { address });
      await testApp().post('app/login', { phone, login_type: 'verify', verify: '000000' }, { address });
    }
    await user.post('app/setPassword', { old_password: 'wrong', password: 'Another-1' }, { address });
    await user.post('user/closure', { verify: '000000' }, { address });
    const refused = (
      subject: string,
      user_id: number | null,
      by: string,
      purpose: string,
      session: unknown = null,
    ) => ({
      actor: 'user',
      action: 'session.refuse',
      network: '10.77.0.1/32',
      session,
      subject,
      user_id,
      detail: { by, purpose },
    });
    const masked = `${user.phone.slice(0, 3)}****${user.phone.slice(-4)}`;
    expect(
      await testApp().db.rows(
        'select actor, action, network, session, subject, user_id, detail from audit_log where id > $1 order by id',
        [last],
      ),
    ).toEqual([
      refused(masked, user.id, 'password', 'login'),
      refused(masked, user.id, 'code', 'login'),
      refused('137****1234', null, 'password', 'login'),
      refused('137****1234', null, 'code', 'login'),
      refused(masked, user.id, 'password', 'confirm', await sessionOf(user)),
      refused(masked, user.id, 'code', 'account', await sessionOf(user)),
    ]);
  });

  it('the audit log has a wrong password of a user without a phone by their id, with the session', async () => {
    const user = await withPassword();
    await testApp().db.run('update users set phone = null where id = $1', [user.id]);
    expect((await user.post('user/closure', { password: 'wrong' })).code).toBe(41001);
    expect((await entriesOf(user)).at(-1)).toMatchObject({
      action: 'session.refuse',
      subject: '',
      session: await sessionOf(user),
    });
  });

  it('the audit log has sign-ins and sign-outs with their session, and the refusal of a disabled account', async () => {
    const user = await withPassword();
    const address = '10.78.0.1';
    const signIn = () =>
      testApp().post('app/login', { phone: user.phone, login_type: 'password', password }, { address });
    const token = (await signIn()).data.access_token;
    expect((await testApp().post('app/logout', {}, { token, address })).data).toEqual({ revoked: true });
    expect((await testApp().get('user/info', { token })).code).toBe(401);
    await testApp().db.run('update users set is_usable = 0 where id = $1', [user.id]);
    expect((await signIn()).code).toBe(41006);
    const [, opened, closed, refused] = await entriesOf(user);
    const from = { actor: 'user', network: '10.78.0.1/32' };
    expect(opened).toMatchObject({ ...from, action: 'session.open', session: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(closed).toMatchObject({ ...from, action: 'session.close', session: opened?.session });
    expect(refused).toMatchObject({ ...from, action: 'session.refuse', session: null, detail: { by: 'disabled' } });
  });

  it('the audit log names the user who set a password', async () => {
    const user = await withPassword();
    await user.post('app/setPassword', { old_password: password, password: 'Another-pass-1' });
    expect(await entriesOf(user)).toContainEqual(
      expect.objectContaining({ action: 'password.set', session: expect.any(String), network: expect.any(String) }),
    );
  });
});
