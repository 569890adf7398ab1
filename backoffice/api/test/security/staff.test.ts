import { buildApp, buildConsole } from '@shop/server/app';
import type { App } from '@shop/server/platform/http/request';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { backOffice } from '../../src/back-office';
import { changeStaff, changeStaffPassword, resetStaff } from '../../src/people/people.service';
import { forgetStaffSessions, signIn } from '../../src/people/staff-sessions.service';
import { codeNow, fromConsole, lastEntry, newStaff, type StaffMember, signedInStaff } from '../../src/testing/staff';

const refused = { status: 400, code: 46001, message: 'Wrong name, password or code', data: null };
const signedOut = { status: 400, code: 401 };

onEveryDatabase('sign-in at /staff', (testApp) => {
  it('a sign-in needs name, password and code together, sets a strict cookie, and is audited', async () => {
    const ann = await newStaff(testApp(), 'seller');
    const answer = await ann.signIn({ name: `  ${ann.name.toUpperCase()} ` });
    expect(answer).toMatchObject({ status: 200, data: { name: ann.name, role: 'seller' } });
    const [cookie] = [answer.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^staff=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await lastEntry(testApp(), 'true')).toEqual({
      actor: ann.actor,
      action: 'session.open',
      network: `${ann.address}/32`,
      session: expect.stringMatching(/^[0-9a-f]{16}$/),
      subject: ann.name,
      detail: {},
    });
    expect((await ann.get('session')).data).toEqual({ name: ann.name, role: 'seller', time_zone: 'Asia/Shanghai' });
    expect((await ann.call('DELETE', 'session')).data).toEqual({ done: true });
    expect(await lastEntry(testApp(), 'true')).toMatchObject({ action: 'session.close', subject: ann.name });
    expect(await ann.get('session')).toMatchObject(signedOut);
  });

  it('the cookie is Secure and host-only if the console’s address is https, regardless of the proxy’s headers', async () => {
    const ann = await newStaff(testApp(), 'seller');
    const { name, password, address } = ann.credentials;
    const { context } = testApp();
    const staffUrl = 'https://staff.shop.example';
    const config = { ...context.config, staffUrl };
    const app = await buildConsole({ ...context, config, shop: testApp().app, plugins: backOffice().consolePlugins });
    const { headers } = await app.inject({
      method: 'POST',
      url: '/staff/api/session',
      headers: { ...fromConsole, host: 'staff.shop.example', origin: staffUrl },
      payload: { name, password, code: codeNow(address) },
    });
    expect(headers['set-cookie']).toMatch(
      /^__Host-staff=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await app.close();
  });

  it('a wrong name, password or code, a used code and a disabled user get the same refusal; the audit log has the reason', async () => {
    const ben = await newStaff(testApp(), 'seller');
    const cases: Array<[wrong: Record<string, string>, by: string, subject: string]> = [
      [{ name: 'Unknown Name' }, 'name', ''],
      [{ password: 'wrong' }, 'password', ben.name],
      [{ code: '000000' }, 'code', ben.name],
    ];
    for (const [wrong, by, subject] of cases) {
      expect(await ben.signIn(wrong)).toMatchObject(refused);
      const entry = { actor: 'staff', action: 'session.refuse', subject, detail: { by } };
      expect(await lastEntry(testApp(), 'true')).toMatchObject(entry);
    }
    // The same code twice: the next half minute, which may begin in between, has another code.
    const code = codeNow(ben.credentials.address);
    expect((await ben.signIn({ code })).code).toBe(200);
    expect(await ben.signIn({ code })).toMatchObject(refused);
    await changeStaff(testApp().context, ben.name, { disabled: true });
    expect(await ben.signIn({ code: codeNow(ben.credentials.address, Date.now() + 30_000) })).toMatchObject(refused);
    expect(await lastEntry(testApp(), 'true')).toMatchObject({ detail: { by: 'disabled' } });
  });

  it('a sign-in fails if the user is disabled or gets another password or secret meanwhile', async () => {
    const { context } = testApp();
    const { db } = context;
    const meanwhile: Array<(name: string, shown: { password: string }) => Promise<unknown>> = [
      (name) => resetStaff(context, name),
      (name) => changeStaff(context, name, { disabled: true }),
      async (name, shown) => {
        const id = await db.value<number>('select id from staff_people where name = $1', [name]);
        const [{ password: current }, password] = [shown, 'correct horse battery'];
        await changeStaffPassword(context, { id, name, tokenHash: Buffer.alloc(32) }, { current, password });
      },
    ];
    for (const change of meanwhile) {
      const { credentials } = await newStaff(testApp(), 'seller');
      const { name, password, address } = credentials;
      const late = jest.spyOn(db, 'withTransaction').mockImplementationOnce(async (work) => {
        await change(name, credentials);
        return db.withTransaction(work);
      });
      const signInBody = { name, password, code: codeNow(address), address: '10.30.0.1' };
      await expect(signIn(context, signInBody)).rejects.toMatchObject({ code: 46001 });
      late.mockRestore();
      const sessions = 'select 1 from staff_sessions where staff_id = (select id from staff_people where name = $1)';
      expect(await db.row(sessions, [name])).toBeUndefined();
    }
  });

  it('sign-ins are limited per network and per name', async () => {
    const [eve, victim] = [await newStaff(testApp(), 'seller'), await newStaff(testApp(), 'seller')];
    const codes = new Set<number>();
    for (let time = 0; time < 21; time++) codes.add((await eve.signIn({ name: 'x', password: `${time}` })).code);
    expect([...codes]).toEqual([46001, 42901]);
    await testApp().db.run('select rate_limit_hits(array[$1::text], 900) from generate_series(1, 30)', [
      `staff-sign-in:${victim.name.toLowerCase()}`,
    ]);
    expect((await victim.signIn()).code).toBe(42901);
  });
});

onEveryDatabase('sessions of /staff', (testApp) => {
  const change = (member: StaffMember, set: string) =>
    testApp().db.run(
      `update staff_sessions set ${set} where staff_id = (select id from staff_people where name = $1)`,
      [member.name],
    );

  it('a session ends after half an hour without an action, despite polling, and after eight hours', async () => {
    const ann = await signedInStaff(testApp(), 'seller');
    await change(ann, "seen_at = now() - interval '29 minutes'");
    expect((await ann.get('session', { 'x-staff': 'watch' })).code).toBe(200);
    await change(ann, "seen_at = seen_at - interval '2 minutes'");
    expect(await ann.get('session')).toMatchObject(signedOut);
    await change(ann, "seen_at = now() - interval '29 minutes'");
    expect((await ann.get('session')).code).toBe(200);
    await change(ann, "seen_at = seen_at - interval '2 minutes'");
    expect((await ann.get('session')).code).toBe(200);
    await change(ann, "expires_at = now() - interval '1 second'");
    expect(await ann.get('session')).toMatchObject(signedOut);
    expect(await forgetStaffSessions(testApp().db)).toBeGreaterThanOrEqual(1);
    expect(await testApp().db.row('select 1 from staff_sessions where expires_at < now()')).toBeUndefined();
  });

  it('a session ends when a manager disables the user, changes the role, or resets the credentials', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    for (const [call, body] of [
      ['people/change', { disabled: true }],
      ['people/change', { disabled: false, role: 'stock' }],
      ['people/reset', {}],
    ] as const) {
      const member = await signedInStaff(testApp(), 'seller');
      expect((await manager.post(call, { name: member.name, ...body })).code).toBe(200);
      expect(await member.get('session')).toMatchObject(signedOut);
    }
  });

  it('changing the password to a strong one keeps this session and ends the others', async () => {
    const ann = await signedInStaff(testApp(), 'seller');
    const current = ann.credentials.password;
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', `${ann.name} 2026`, 'password1234', '123456789012'])
      expect([password, (await ann.post('password', { current, password })).code]).toEqual([password, 46003]);
    const password = 'correct horse battery';
    expect((await ann.post('password', { current: password, password })).code).toBe(46005);
    expect((await ann.post('password', { current, password })).code).toBe(200);
    expect((await ann.get('session')).code).toBe(200);
    const code = codeNow(ann.credentials.address, Date.now() + 30_000);
    expect(await ann.signIn({ code })).toMatchObject(refused);
    expect((await ann.signIn({ code, password: 'correct horse battery' })).code).toBe(200);
  });

  it.each([
    ['its password', 'password', { current: 'wrong', password: 'correct horse battery' }, 46005],
    ['a code', 'session/code', { code: '000000' }, 46007],
  ])('an open session allows ten guesses of %s in a quarter of an hour', async (_what, call, wrong, refusal) => {
    const ann = await signedInStaff(testApp(), 'seller');
    const codes: number[] = [];
    for (let time = 0; time < 11; time++) codes.push((await ann.post(call, wrong)).code);
    expect(codes).toEqual([...Array(10).fill(refusal), 42901]);
    const right = { current: ann.credentials.password, code: codeNow(ann.credentials.address, Date.now() + 30_000) };
    expect((await ann.post(call, { ...wrong, ...right })).code).toBe(42901);
  });

  it('a session accepts calls only from a script of the console’s own page', async () => {
    const ann = await signedInStaff(testApp(), 'manager');
    for (const headers of [
      { 'x-staff': '' },
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site' },
      // A page of another port of the host, or of another host of the site.
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' },
      { origin: 'http://localhost:8080' },
      { origin: 'https://localhost:80' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Array<Record<string, string>>)
      for (const call of [ann.get('session', headers), ann.post('people', { name: 'Eve', role: 'manager' }, headers)])
        expect([headers, await call]).toMatchObject([headers, { status: 400, code: 403 }]);
    const { origin: _, ...withoutOrigin } = fromConsole;
    const ask = async (method: 'GET' | 'POST', url: string) =>
      (await testApp().console.inject({ method, url, headers: { ...withoutOrigin, cookie: ann.cookie } })).json().code;
    expect(await ask('GET', '/staff/api/session')).toBe(200);
    expect(await ask('POST', '/staff/api/people')).toBe(403);
    expect((await ann.get('people')).data.map((user: { name: string }) => user.name)).not.toContain('Eve');
  });

  it('managing staff and exporting codes need a code of the last five minutes, and each code counts once', async () => {
    const ann = await signedInStaff(testApp(), 'manager');
    const calls = [
      ['people', { name: 'Late', role: 'seller' }],
      ['people/change', { name: ann.name, role: 'manager' }],
      ['people/reset', { name: ann.name }],
      ['batches/export', { id: 1, reason: 'x' }],
      ['batches/agree', { id: 1 }],
      ['batches/file', { id: 1 }],
    ] as const;
    await change(ann, "code_at = now() - interval '5 minutes'");
    for (const [call, body] of calls) expect([call, (await ann.post(call, body)).code]).toEqual([call, 46008]);
    expect((await ann.get('people')).data.map((user: { name: string }) => user.name)).not.toContain('Late');
    const lastCode = 'select (totp_step * 30000)::float8 from staff_people where name = $1';
    const at = await testApp().db.value<number>(lastCode, [ann.name]);
    expect((await ann.post('session/code', { code: codeNow(ann.credentials.address, at) })).code).toBe(46007);
    expect((await ann.post('people', { name: 'Late', role: 'seller' })).code).toBe(46008);
    // The same code twice: the next half minute, which may begin in between, has another code.
    const code = codeNow(ann.credentials.address, Date.now() + 30_000);
    expect((await ann.post('session/code', { code })).code).toBe(200);
    expect((await ann.post('session/code', { code })).code).toBe(46007);
    expect((await ann.post('people', { name: 'Late', role: 'seller' })).code).toBe(200);
    await change(ann, "code_at = code_at - interval '5 minutes'");
    expect((await ann.post('people', { name: 'Later', role: 'seller' })).code).toBe(46008);
  });

  it('a staff session opens no shop call, and a shopper’s token opens no staff call', async () => {
    const [ann, user] = [await signedInStaff(testApp(), 'manager'), await testApp().user()];
    const token = /^staff=(.*)/.exec(ann.cookie)?.[1];
    expect((await testApp().get('user/info', { token, headers: { cookie: ann.cookie } })).code).toBe(401);
    for (const headers of [{ authorization: `Bearer ${user.token}` }, { cookie: `staff=${user.token}` }]) {
      const answer = await testApp().get('/staff/api/people', { headers: { ...fromConsole, ...headers } as never });
      expect(answer).toMatchObject(signedOut);
    }
  });
});

onEveryDatabase('staff management at /staff', (testApp) => {
  it('changes of staff are audited with before and after', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    const added = await manager.post('people', { name: 'New One', role: 'stock' });
    expect(added.data).toEqual({ name: 'New One', token: expect.any(String), expires_at: expect.any(String) });
    expect((await manager.post('people', { name: 'new one', role: 'stock' })).code).toBe(46002);
    const { data } = await manager.post('people/change', { name: 'New One', role: 'money' });
    expect(data).toMatchObject({ name: 'New One', role: 'money', disabled_at: null });
    const session = expect.stringMatching(/^[0-9a-f]{16}$/);
    const detail = { before: { role: 'stock', disabled: false }, after: { role: 'money', disabled: false } };
    expect(await lastEntry(testApp(), "action = 'staff.change'")).toEqual(
      expect.objectContaining({ actor: manager.actor, session, detail }),
    );
    expect((await manager.post('people/change', { name: 'Nobody', role: 'stock' })).code).toBe(404);
    expect((await manager.get('people')).data).toContainEqual(
      expect.objectContaining({ name: 'New One', role: 'money', is_set_up: false }),
    );
    expect(JSON.stringify((await manager.get('people')).data)).not.toMatch(/argon2|cipher|token/);
  });

  it('one manager who can sign in always stays: neither a reset nor an invited one counts', async () => {
    const manager = await signedInStaff(testApp(), 'manager');
    const secondManager = await signedInStaff(testApp(), 'manager');
    await testApp().db.run("update staff_people set disabled_at = now() where role = 'manager' and name <> all($1)", [
      [manager.name, secondManager.name],
    ]);
    const reset = async (name: string) => (await manager.post('people/reset', { name })).code;
    for (let time = 0; time < 2; time++) expect(await reset(secondManager.name)).toBe(200);
    expect((await manager.post('people', { name: 'Invited only', role: 'manager' })).code).toBe(200);
    expect(await reset(manager.name)).toBe(46004);
    for (const change of [{ role: 'seller' }, { disabled: true }])
      expect((await manager.post('people/change', { name: manager.name, ...change })).code).toBe(46004);
    expect((await manager.get('people')).code).toBe(200);
  });
});

type Method = 'GET' | 'POST' | 'DELETE';
type Served = [roles: string, method: Method, urls: string];
const editCallsOf = (roles: string, path: string): Served[] => [
  [roles, 'GET', `${path}/:key ${path}/:key/history`],
  [roles, 'POST', `${path}/save ${path}/put-back`],
];
/** The calls that each group of roles may make; a manager may make all. */
const served: Served[] = [
  ['seller', 'GET', 'queue enquiries enquiries/:id'],
  ['seller', 'POST', 'queue/take queue/give-back queue/fields queue/ask queue/deliver'],
  ['seller', 'POST', 'queue/refund queue/refuse-refund enquiries/close holds/release holds/refund'],
  ['seller money', 'GET', 'find order/:order_no orders orders/sums orders/export orders/choices shopper/:id'],
  ['seller money', 'POST', 'shopper/note'],
  ['money', 'GET', 'closures wallet refunds reports'],
  ['money', 'POST', 'shopper/change shopper/coupon shopper/level reconcile'],
  ['money', 'POST', 'wallet wallet/agree wallet/refuse refunds refunds/agree refunds/refuse'],
  ['stock money', 'GET', 'levels'],
  ['stock', 'GET', 'goods articles banners modules coupons categories suppliers suppliers/values'],
  ['stock', 'GET', 'stock stock/low prices/edits codes codes/shared batches'],
  ['stock', 'POST', 'banners/order modules/order pictures suppliers/ask stock/save'],
  ['stock', 'POST', 'prices/file prices/preview prices/apply prices/undo'],
  ['stock', 'POST', 'codes/preview codes/import codes/void codes/share codes/unshare codes/read'],
  ['stock', 'POST', 'batches/save batches/void batches/export batches/agree batches/refuse batches/file'],
  ...['goods', 'articles', 'banners', 'modules', 'coupons', 'levels'].flatMap((path) => editCallsOf('stock', path)),
  ['ops', 'GET', 'chats'],
  ['ops', 'POST', 'chats/test'],
  ['', 'GET', 'people config audit'],
  ['', 'POST', 'people people/change people/reset config shopper/export shopper/erase'],
  ...editCallsOf('', 'hold-settings'),
  ['seller stock money ops', 'GET', 'session'],
  ['seller stock money ops', 'POST', 'password session/code'],
  ['seller stock money ops', 'DELETE', 'session'],
];
const calls = served.flatMap(([roles, method, urls]) => urls.split(' ').map((url) => [method, url, roles] as const));

const guestCalls = ['session', 'setup', 'setup/authenticator', 'setup/read'].map((url) => ['POST', url] as const);

onEveryDatabase('permissions of /staff', (testApp) => {
  it('every call of the console is in the table of roles', async () => {
    const listedCalls = new Set(calls.map(([method, url]) => `${method} /staff/api/${url.replace(/\?.*/, '')}`));
    const registeredCalls = testApp()
      .routes.filter(({ method, url }) => url.startsWith('/staff/api/') && url !== '/staff/api/*' && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
    const guests = guestCalls.map(([method, url]) => `${method} /staff/api/${url}`);
    expect(registeredCalls.sort()).toEqual([...listedCalls, ...guests].sort());
  });

  it('the console answers at the host of STAFF_URL only and the shop elsewhere, even if a proxy mixes them up', async () => {
    const { context } = testApp();
    const config = { ...context.config, staffUrl: 'https://staff.shop.example' };
    const shop = await buildApp({ ...context, config });
    const console = await buildConsole({ ...context, config, shop, plugins: backOffice().consolePlugins });
    const statusAt = async (app: App, host: string, url: string) =>
      (await app.inject({ url, headers: { ...fromConsole, host } })).statusCode;
    const calls = ['/staff/api/session', '/api/front/app/config'];
    for (const [app, hosts] of [
      [shop, { 'shop.example': [404, 200], 'staff.shop.example': [404, 404] }],
      [console, { 'shop.example': [404, 404], 'staff.shop.example': [400, 404] }],
    ] as const)
      for (const [host, statuses] of Object.entries(hosts))
        expect([host, await Promise.all(calls.map((url) => statusAt(app, host, url)))]).toEqual([host, statuses]);
    await console.close();
    await shop.close();
  });

  it.each(['seller', 'stock', 'money', 'ops', 'manager'] as const)(
    'the console serves a %s as the table of roles says',
    async (role) => {
      const member = await signedInStaff(testApp(), role);
      for (const [method, url, roles] of calls) {
        const { code } = await member.call(method, url, method === 'POST' ? {} : undefined);
        const isServed = role === 'manager' || roles.split(' ').includes(role);
        expect([method, url, isServed ? code !== 403 && code !== 401 : code]).toEqual([method, url, isServed || 403]);
      }
    },
  );

  it('the console serves no guest', async () => {
    for (const [method, url] of calls) {
      const body = method === 'POST' ? {} : undefined;
      expect((await testApp().call(method, `/staff/api/${url}`, body, { headers: fromConsole })).code).toBe(401);
    }
    expect(await testApp().get('/staff/api/nothing')).toMatchObject({ status: 404, code: 404 });
  });

  it('the shop’s origin has no staff call or page, with any cookie, and the console’s origin has no shop', async () => {
    const ann = await signedInStaff(testApp(), 'manager');
    const statusOf = async (app: App, method: string, url: string) =>
      (
        await app.inject({
          method: method as 'GET',
          url,
          headers: { ...fromConsole, accept: 'text/html', cookie: ann.cookie },
          payload: method === 'POST' ? {} : undefined,
        })
      ).statusCode;
    const { app, console, routes } = testApp();
    for (const [method, url] of [...calls, ...guestCalls, ['GET', '/staff'], ['GET', '/ops'], ['GET', '/staff/setup']])
      expect([url, await statusOf(app, method, url.startsWith('/') ? url : `/staff/api/${url}`)]).toEqual([url, 404]);
    const ofShop = routes.filter(({ url }) => !/^\/(staff|media)\//.test(url) && !url.includes('*'));
    expect(ofShop.length).toBeGreaterThan(80);
    for (const { method, url } of ofShop)
      expect([url, await statusOf(console, [method].flat()[0] as string, url)]).toEqual([url, 404]);
  });
});
