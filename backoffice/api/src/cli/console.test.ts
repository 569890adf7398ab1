import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { runShop } from '@shop/server/test/support/run-shop';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { codeNow, newStaff, type StaffMember, signedInStaff } from '../testing/staff';

onEveryDatabase('npm run shop staff', (testApp) => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-console-'));
    url = await testApp().console.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const fileOf = (user: string) => path.join(folder, `${user}.json`);
  /** It has no data folder and no database: everything goes through the calls. */
  const shop = (user: string, args: string[], typed?: string[]) =>
    runShop(['staff', ...args], { STAFF_SESSION_FILE: fileOf(user), DATA_DIR: path.join(folder, 'nothing') }, typed);
  const login = ({ name, credentials }: StaffMember, user: string) =>
    shop(user, ['login', name, '--url', url], [credentials.password, codeNow(credentials.address)]);
  const buy = async (): Promise<string> => {
    const user = await testApp().user(10_000);
    return user.bought(testApp().orderBody('manual'));
  };
  const staffCall = (user: string, method: string, url: string, body?: object) =>
    shop(user, ['call', method, `/staff/api/${url}`, ...(body ? [JSON.stringify(body)] : [])]);

  it('npm run shop staff calls the API with the role of its user and records it in the audit log', async () => {
    const [seller, money] = [await newStaff(testApp(), 'seller'), await newStaff(testApp(), 'money')];
    expect(await login(seller, 'seller')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`as ${seller.name} (seller)`),
    });
    await login(money, 'money');
    const order = await buy();
    const result = JSON.parse((await staffCall('seller', 'GET', `find?q=${order}`)).out);
    expect(result.orders).toMatchObject([{ order_no: order, amount: '20.00' }]);
    const refund = { order_no: order, target: 'wallet', amount: '5.00', reason: 'sold out', key: randomNumber() };
    expect(await staffCall('seller', 'POST', 'refunds', refund)).toMatchObject({
      code: 1,
      err: 'You are not allowed to do this.\n',
    });
    for (let time = 0; time < 2; time++)
      expect(JSON.parse((await staffCall('money', 'post', 'refunds', refund)).out)).toMatchObject({ state: 'done' });
    const entries = "select actor from audit_log where action = 'order.refund' and subject = $1";
    expect(await testApp().db.rows(entries, [order])).toEqual([{ actor: `${money.name} (staff)` }]);
    await testApp().check();
  });

  it('npm run shop staff keeps the session in a file that only its owner can read, and ends it', async () => {
    const ann = await newStaff(testApp(), 'seller');
    await login(ann, 'ann');
    const file = fileOf('ann');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).not.toContain(ann.credentials.password);
    fs.chmodSync(file, 0o644);
    expect(await staffCall('ann', 'GET', 'queue')).toMatchObject({
      code: 1,
      err: expect.stringContaining('can be read by others'),
    });
    fs.chmodSync(file, 0o600);
    expect((await staffCall('ann', 'GET', 'queue')).code).toBe(0);
    const { cookie } = JSON.parse(fs.readFileSync(file, 'utf8'));
    expect((await shop('ann', ['logout'])).code).toBe(0);
    expect(fs.existsSync(file)).toBe(false);
    expect((await ann.get('session', { cookie })).code).toBe(401);
    expect(await staffCall('ann', 'GET', 'queue')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^You are not signed in: /),
    });
  });

  it('npm run shop staff reports wrong credentials, an ended session, and an unknown or unencrypted address', async () => {
    const ben = await signedInStaff(testApp(), 'seller');
    expect(await shop('ben', ['login', ben.name, '--url', url], ['wrong', '000000'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Wrong name, password or code.'),
    });
    expect(fs.existsSync(fileOf('ben'))).toBe(false);
    expect(await shop('ben', ['login', ben.name, '--url', 'http://shop.example'])).toMatchObject({
      code: 1,
      err: '"http://shop.example" is not an address like https://staff.shop.example.\n',
    });
    expect(await shop('ben', ['login', ben.name, '--url', 'http://127.0.0.1:9'], ['x', '000000'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('http://127.0.0.1:9 does not answer.'),
    });
    fs.writeFileSync(fileOf('ben'), JSON.stringify({ url, name: ben.name, cookie: 'staff=ended' }), { mode: 0o600 });
    expect(await staffCall('ben', 'GET', 'queue')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^You are not signed in: /),
    });
    fs.writeFileSync(fileOf('ben'), JSON.stringify({ url, name: ben.name, cookie: ben.cookie }), { mode: 0o600 });
    const faults: Array<[args: string[], err: RegExp]> = [
      [['dance'], /"dance" is none of login, call, logout/],
      [['call', 'PATCH', '/staff/api/queue'], /"PATCH" is none of GET, POST, DELETE/],
      [['call', 'POST', '/staff/api/queue/take', '{order_no'], /The body is not JSON/],
      [['call', 'POST', '/staff/api/queue/take', '{}'], /order_no/],
      // No other address gets the session.
      ...[
        '/api/front/order',
        '/staff/api/../x',
        '//127.0.0.1:9/staff/api/queue',
        'https://evil.example/staff/api/queue',
      ].map((address): [string[], RegExp] => [['call', 'GET', address], /is not an address like \/staff\/api\/queue/]),
    ];
    for (const [args, err] of faults)
      expect([args, await shop('ben', args)]).toEqual([args, { code: 1, out: '', err: expect.stringMatching(err) }]);
  });
});
