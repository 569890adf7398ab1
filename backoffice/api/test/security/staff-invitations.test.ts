import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { acceptInvitation, forgetInvitations, invite, inviteFirst } from '../../src/people/invitations.service';
import { changeStaff } from '../../src/people/people.service';
import { codeNow, lastEntry, newStaff, StaffMember, signedInStaff } from '../../src/testing/staff';

const refused = { status: 400, code: 46006, data: null };
const password = 'kelp-orbit-94-wagon';

onEveryDatabase('the first invitation', (testApp) => {
  const noStaff = async () => {
    await testApp().db.script(
      'delete from staff_invitations; delete from staff_sessions; alter table staff_people disable trigger all; delete from staff_people; alter table staff_people enable trigger all',
    );
  };
  const guest = () => new StaffMember(testApp);
  const first = async () => (await inviteFirst(testApp().context))?.token ?? '';
  const codeOf = async (token: string, name?: string) =>
    codeNow((await guest().post('setup/authenticator', { token, name, password })).data.address);
  const staff = () => testApp().db.rows<{ name: string; role: string }>('select name, role from staff_people');
  const stored = (text: string, tables: string[]) => {
    const ofTable = (table: string) => `select '${table}' from ${table} t where position($1 in t::text) > 0`;
    return testApp().db.column(tables.map(ofTable).join(' union '), [text]);
  };
  beforeEach(noStaff);

  it('the first invitation makes a manager, signs in, is audited, and is single use', async () => {
    const token = await first();
    const ann = guest();
    expect((await ann.post('setup/read', { token })).data).toEqual({ name: null, role: 'manager' });
    const { address, qr } = (await ann.post('setup/authenticator', { token, name: '王 芳', password })).data;
    expect(address).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}&/);
    expect(qr.fields).toHaveLength(qr.size ** 2);
    const done = await ann.post('setup', { token, name: ' 王  芳 ', password, code: codeNow(address) });
    expect(done).toMatchObject({ status: 400 });
    const code = codeNow(address);
    const repeated = await ann.post('setup', { token, name: '王  芳', password, code });
    expect(repeated).toMatchObject({ code: 200, data: { name: '王 芳', role: 'manager' } });
    expect([repeated.headers['set-cookie']].flat()[0]).toMatch(
      /^staff=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    ann.cookie = String(repeated.headers['set-cookie']).split(';')[0] ?? '';
    expect((await ann.get('people')).data).toMatchObject([{ name: '王 芳', role: 'manager', is_set_up: true }]);
    const entry = { actor: '王 芳 (staff)', action: 'staff.add', subject: '王 芳', network: `${ann.address}/32` };
    expect(await lastEntry(testApp(), "action like 'staff.%'")).toMatchObject(entry);
    for (const call of ['setup/read', 'setup/authenticator', 'setup'])
      expect(await guest().post(call, { token, name: 'Eve', password, code: '123456' })).toMatchObject(refused);
    expect(
      await stored(token, ['staff_invitations', 'staff_people', 'staff_sessions', 'audit_log', 'rate_limits']),
    ).toEqual([]);
    expect(await stored(password, ['staff_people', 'audit_log'])).toEqual([]);
    // The code of the setup cannot sign in again.
    const late = await guest().post('session', { name: '王 芳', password, code });
    expect(late.code).toBe(46001);
  });

  it('the first invitation is won by one of many concurrent requests', async () => {
    const token = await first();
    const code = await codeOf(token, 'Racer');
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, at) => guest().post('setup', { token, name: `Racer ${at}`, password, code })),
    );
    expect(all.map((answer) => answer.code).sort()).toEqual([200, ...Array(5).fill(46006)]);
    expect(await staff()).toHaveLength(1);
  });

  it('the first invitation ends as soon as any staff member exists, and is not issued again', async () => {
    const token = await first();
    await newStaff(testApp(), 'seller');
    expect(await guest().post('setup/read', { token })).toMatchObject(refused);
    expect(await inviteFirst(testApp().context)).toBeUndefined();
    expect(await testApp().db.rows('select 1 from staff_invitations where is_first')).toEqual([]);
  });

  it('the first invitation ends with the next start and after a day', async () => {
    const token = await first();
    const two = await first();
    expect(await guest().post('setup/read', { token: token })).toMatchObject(refused);
    expect((await guest().post('setup/read', { token: two })).code).toBe(200);
    const hours = 'select round(extract(epoch from expires_at - now()) / 3600)::integer from staff_invitations';
    expect(await testApp().db.value(hours)).toBe(24);
    await testApp().db.run("update staff_invitations set expires_at = now() - interval '1 second'");
    for (const call of ['setup/read', 'setup/authenticator', 'setup'])
      expect(await guest().post(call, { token: two, name: 'Eve', password, code: '123456' })).toMatchObject(refused);
    expect(await forgetInvitations(testApp().db)).toBe(1);
    expect(await staff()).toEqual([]);
  });

  it('every bad invitation token gets the same answer, and the attempts are limited', async () => {
    const token = await first();
    const texts = new Set<string>();
    const bad = ['', 'x', `${token}x`, token.slice(1), token.toUpperCase(), "' or 1=1 --", 'é', 'a'.repeat(43)];
    for (const badToken of bad) {
      const { text } = await guest().post('setup/read', { token: badToken });
      texts.add(text.replace(/"(request_id|time|timestamp)":[^,}]+/g, ''));
    }
    expect(texts.size).toBe(1);
    const eve = guest();
    const codes: number[] = [];
    for (let time = 0; time < 41; time++) codes.push((await eve.post('setup/read', { token: `${time}` })).code);
    expect([...new Set(codes)]).toEqual([46006, 42901]);
    expect((await eve.post('setup/read', { token })).code).toBe(42901);
    expect((await guest().post('setup/read', { token })).code).toBe(200);
  });

  it('an invitation stays valid after a weak password, a wrong code and a bad name', async () => {
    const token = await first();
    const weak = { token, name: 'Ann', password: 'password1234' };
    for (const call of ['setup/authenticator', 'setup'])
      expect((await guest().post(call, { ...weak, code: '123456' })).code).toBe(46003);
    expect((await guest().post('setup', { ...weak, password, code: '000000' })).code).toBe(46007);
    expect((await guest().post('setup/authenticator', { token, password })).status).toBe(400);
    const code = await codeOf(token, 'Ann');
    expect((await guest().post('setup', { token, name: 'Ann', password, code })).code).toBe(200);
  });
});

onEveryDatabase('invitations at /staff', (testApp) => {
  const guest = () => new StaffMember(testApp);
  const accept = async (token: string, name?: string) => {
    const { data } = await guest().post('setup/authenticator', { token, name, password });
    return guest().post('setup', { token, name, password, code: codeNow(data?.address ?? 'otpauth://x') });
  };

  it('an invitation is for the user and role that a manager chose, not for the name in the request', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    const { token } = (await manager.post('people', { name: 'Zoe', role: 'stock' })).data;
    expect((await guest().post('setup/read', { token })).data).toEqual({ name: 'Zoe', role: 'stock' });
    expect((await guest().post('session', { name: 'Zoe', password, code: '123456' })).code).toBe(46001);
    expect((await accept(token, 'Boss')).data).toMatchObject({ name: 'Zoe', role: 'stock' });
    expect(await accept(token)).toMatchObject(refused);
  });

  it('a reset replaces the invitation and ends the password, the authenticator and the sessions', async () => {
    const [manager, ben] = [await signedInStaff(testApp(), 'manager'), await signedInStaff(testApp(), 'seller')];
    const replaced = (await manager.post('people/reset', { name: ben.name })).data.token;
    const two = (await manager.post('people/reset', { name: ben.name })).data.token;
    expect((await ben.get('session')).code).toBe(401);
    expect((await ben.signIn({ code: codeNow(ben.credentials.address, Date.now() + 30_000) })).code).toBe(46001);
    expect(await accept(replaced)).toMatchObject(refused);
    expect((await accept(two)).data).toMatchObject({ name: ben.name, role: 'seller' });
    const { address } = ben.credentials;
    expect((await guest().post('session', { name: ben.name, password, code: codeNow(address) })).code).toBe(46001);
  });

  it('an invitation ends when its user is disabled, even at the moment of its use', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    const { token } = (await manager.post('people', { name: 'Gone', role: 'seller' })).data;
    await changeStaff(testApp().context, 'Gone', { disabled: true });
    await changeStaff(testApp().context, 'Gone', { disabled: false });
    expect(await accept(token)).toMatchObject(refused);
    const late = (await manager.post('people/reset', { name: 'Gone' })).data.token;
    const { data } = await guest().post('setup/authenticator', { token: late, password });
    const { db } = testApp().context;
    const spy = jest.spyOn(db, 'withTransaction').mockImplementationOnce(async (work) => {
      await changeStaff(testApp().context, 'Gone', { disabled: true });
      return db.withTransaction(work);
    });
    const acceptance = { token: late, password, code: codeNow(data.address), address: '10.41.0.1' };
    await expect(acceptInvitation(testApp().context, acceptance)).rejects.toMatchObject({ code: 46006 });
    spy.mockRestore();
    expect(
      await testApp().db.row("select 1 from staff_people where name = 'Gone' and password_hash is not null"),
    ).toBeUndefined();
  });

  it('the administrator of the machine invites another manager although staff exist', async () => {
    const { db, keyring } = testApp().context;
    const old = (await invite(db, keyring, {})).token;
    const { token } = await invite(db, keyring, {});
    expect(await accept(old, 'Wei Bai')).toMatchObject(refused);
    const existing = await signedInStaff(testApp(), 'seller');
    expect((await guest().post('setup/authenticator', { token, name: existing.name, password })).code).toBe(46002);
    expect((await accept(token, 'Wei Bai')).data).toMatchObject({ name: 'Wei Bai', role: 'manager' });
    expect(await accept(token, 'Wei Bai Again')).toMatchObject(refused);
  });
});
