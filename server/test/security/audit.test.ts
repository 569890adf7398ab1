import { hashPassword } from '../../src/accounts/auth/passwords';
import { onEveryDatabase, type Person } from '../support/test-app';

onEveryDatabase('the audit log', (testApp) => {
  const password = 'right-password';
  const withPassword = async (balance = 0) => {
    const person = await testApp().person(balance);
    await testApp().db.run('update users set password_hash = $2 where id = $1', [
      person.id,
      await hashPassword(password),
    ]);
    return person;
  };
  const sessionOf = async (person: Person) =>
    (
      await testApp().db.one<{ name: string }>(
        "select left(encode(token_hash, 'hex'), 16) as name from sessions where user_id = $1",
        [person.id],
      )
    ).name;
  const entriesOf = (person: Person) =>
    testApp().db.rows<{ action: string; session: string | null }>(
      "select actor, action, network, session, subject, detail from audit_log where user_id = $1 and action <> 'session.end' order by id",
      [person.id],
    );

  it('has who saw codes, from which network and in which session', async () => {
    const person = await withPassword(5000);
    const { data } = await person.order();
    await person.pay(data.order_no);
    await person.post('order/cards', { order_no: data.order_no, password }, { address: '2001:db8:1:2:3::4' });
    expect(await entriesOf(person)).toContainEqual({
      actor: 'user',
      action: 'cards.reveal',
      network: '2001:db8:1:2::/64',
      session: expect.stringMatching(/^[0-9a-f]{16}$/),
      subject: data.order_no,
      detail: { cards: 1 },
    });
  });

  it('has wrong passwords and codes, with the phone masked, also of phones without an account', async () => {
    const person = await withPassword();
    const { last } = await testApp().db.one<{ last: number }>('select max(id) as last from audit_log');
    const [unknown, address] = ['13700001234', '10.77.0.1'];
    for (const phone of [person.phone, unknown]) {
      await testApp().post('app/login', { phone, login_type: 'password', password: 'wrong' }, { address });
      await testApp().post('app/login', { phone, login_type: 'verify', verify: '000000' }, { address });
    }
    await person.post('app/setPassword', { old_password: 'wrong', password: 'Another-1' }, { address });
    await person.post('user/closure', { verify: '000000' }, { address });
    const refused = (
      subject: string,
      user_id: number | null,
      by: string,
      purpose: string,
      session: unknown = null,
    ) => ({
      ...{ actor: 'user', action: 'session.refuse', network: '10.77.0.1/32', session },
      ...{ subject, user_id, detail: { by, purpose } },
    });
    const masked = `${person.phone.slice(0, 3)}****${person.phone.slice(-4)}`;
    expect(
      await testApp().db.rows(
        'select actor, action, network, session, subject, user_id, detail from audit_log where id > $1 order by id',
        [last],
      ),
    ).toEqual([
      refused(masked, person.id, 'password', 'login'),
      refused(masked, person.id, 'code', 'login'),
      refused('137****1234', null, 'password', 'login'),
      refused('137****1234', null, 'code', 'login'),
      refused(masked, person.id, 'password', 'confirm', await sessionOf(person)),
      refused(masked, person.id, 'code', 'account', await sessionOf(person)),
    ]);
  });

  it('has the wrong password of a person without a phone under their number, with the session', async () => {
    const person = await withPassword();
    await testApp().db.run('update users set phone = null where id = $1', [person.id]);
    expect((await person.post('user/closure', { password: 'wrong' })).code).toBe(41001);
    expect((await entriesOf(person)).at(-1)).toMatchObject({
      action: 'session.refuse',
      subject: '',
      session: await sessionOf(person),
    });
  });

  it('has sign-ins and sign-outs with their session, and the refusal of a disabled account', async () => {
    const person = await withPassword();
    const address = '10.78.0.1';
    const signIn = () =>
      testApp().post('app/login', { phone: person.phone, login_type: 'password', password }, { address });
    const token = (await signIn()).data.access_token;
    expect((await testApp().post('app/logout', {}, { token, address })).data).toEqual({ revoked: true });
    expect((await testApp().get('user/info', { token })).code).toBe(401);
    await testApp().db.run('update users set is_usable = 0 where id = $1', [person.id]);
    expect((await signIn()).code).toBe(41006);
    const [, opened, closed, refused] = await entriesOf(person);
    const from = { actor: 'user', network: '10.78.0.1/32' };
    expect(opened).toMatchObject({ ...from, action: 'session.open', session: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(closed).toMatchObject({ ...from, action: 'session.close', session: opened?.session });
    expect(refused).toMatchObject({ ...from, action: 'session.refuse', session: null, detail: { by: 'disabled' } });
  });

  it('has who set a password', async () => {
    const person = await withPassword();
    await person.post('app/setPassword', { old_password: password, password: 'Another-pass-1' });
    expect(await entriesOf(person)).toContainEqual(
      expect.objectContaining({ action: 'password.set', session: expect.any(String), network: expect.any(String) }),
    );
  });

  it('forgets sign-ins, networks and sessions after 180 days at the earliest, and nothing else', async () => {
    const { db } = testApp();
    const ages = { fresh: 170, stale: 200 };
    for (const [subject, days] of Object.entries(ages))
      for (const action of ['session.open', 'test.reveal'])
        await db.run(
          `insert into audit_log (at, actor, action, subject, network, session)
           values (now() - make_interval(days => $3), 'test', $1, $2, '10.0.0.0/32', 'ab')`,
          [action, subject, days],
        );
    const forget = (days: number) =>
      db.one<{ forgotten: number }>('select forget_security_events(now() - make_interval(days => $1)) as forgotten', [
        days,
      ]);
    await expect(forget(100)).rejects.toThrow('kept for 180 days');
    expect(await forget(181)).toEqual({ forgotten: 2 });
    expect(
      await db.rows("select action, subject, network, session from audit_log where actor = 'test' order by id"),
    ).toEqual([
      { action: 'session.open', subject: 'fresh', network: '10.0.0.0/32', session: 'ab' },
      { action: 'test.reveal', subject: 'fresh', network: '10.0.0.0/32', session: 'ab' },
      { action: 'test.reveal', subject: 'stale', network: null, session: null },
    ]);
    // Not even the owner changes what was done.
    for (const change of [
      "set actor = 'ann', network = null, session = null",
      "set network = '10.9.9.9/32', session = null",
    ])
      await expect(testApp().ownerScript(`update audit_log ${change} where subject = 'stale'`)).rejects.toThrow(
        'append-only',
      );
    await expect(testApp().ownerScript("delete from audit_log where subject in ('fresh', 'stale')")).rejects.toThrow(
      'append-only',
    );
  });
});

onEveryDatabase('an order with a phone', (testApp) => {
  it('shows it masked, and whole only to buy again', async () => {
    const { direct } = testApp().goods;
    const label = { 'zh-CN': '手机号', en: 'Mobile number' };
    const field = { key: 'phone', label, type: 'text', required: true, max_len: 20, remember: true };
    await testApp().db.run('update goods set fields = $2 where id = $1', [direct.id, JSON.stringify([field])]);
    const person = await testApp().person(5000);
    const wish = { goods_id: direct.id, spec_id: testApp().spec('direct'), fields: { phone: '13812345678' } };
    const { order_no } = (await person.order(wish)).data;
    const { text, data } = await person.info(order_no);
    expect(data.snapshot.fields).toEqual([{ key: 'phone', label: '手机号', value: '138****5678' }]);
    expect(text).not.toContain('13812345678');
    expect((await person.post('order/again', { order_no })).data.fields).toEqual({ phone: '13812345678' });
  });
});
