import { Console } from 'node:console';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { codeNow, newStaff, type StaffMember, signedInStaff } from '../../../test/support/staff';
import { onEveryDatabase } from '../../../test/support/test-app';
import { runCli } from '../run-cli';

onEveryDatabase('the command line of somebody who has signed in', (testApp) => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-console-'));
    url = await testApp().app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const fileOf = (who: string) => path.join(folder, `${who}.json`);
  const shop = async (who: string, args: string[], typed: string[] = []) => {
    const text = { out: '', err: '' };
    const into = (stream: 'out' | 'err') =>
      new Writable({
        write(chunk, _encoding, done) {
          text[stream] += chunk;
          done();
        },
      });
    // Without a data folder or a database: all goes through the calls.
    const env = { STAFF_SESSION_FILE: fileOf(who), DATA_DIR: path.join(folder, 'nothing') };
    const input = Readable.from(typed.map((line) => `${line}\n`));
    const code = await runCli(['staff', ...args], env, new Console(into('out'), into('err')), input);
    return { code, ...text };
  };
  const login = ({ name, credentials }: StaffMember, who: string) =>
    shop(who, ['login', name, '--url', url], [credentials.password, codeNow(credentials.address)]);
  const bought = async (): Promise<string> => {
    const person = await testApp().person(10_000);
    const goods = { goods_id: testApp().goods.manual.id, spec_id: testApp().spec('manual') };
    const { data } = await person.order(goods);
    await person.pay(data.order_no);
    return data.order_no;
  };
  const lastEntry = (subject: string) =>
    testApp().db.row('select actor, action from audit_log where subject = $1 order by id desc limit 1', [subject]);

  it('finds, delivers and refunds by the calls of the console, as that person and no further than the role', async () => {
    const [seller, money] = [await newStaff(testApp(), 'seller'), await newStaff(testApp(), 'money')];
    expect(await login(seller, 'seller')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`as ${seller.name} (seller)`),
    });
    await login(money, 'money');
    const [order, other] = [await bought(), await bought()];
    expect((await shop('seller', ['queue'])).out).toContain(order);
    const found = JSON.parse((await shop('seller', ['find', order, '--json'])).out);
    expect(found.orders).toMatchObject([{ order_no: order, amount: '20.00' }]);
    expect(await shop('seller', ['deliver', order, '--note', 'by mail'])).toEqual({ code: 0, out: 'Done.\n', err: '' });
    expect(await lastEntry(order)).toEqual({ actor: `${seller.name} (staff)`, action: 'order.deliver' });
    const refund = ['refund', other, '--reason', 'sold out', '--amount', '5.00'];
    expect(await shop('seller', refund)).toMatchObject({ code: 1, err: 'You are not allowed to do this.\n' });
    expect(await shop('money', refund)).toEqual({ code: 0, out: '5.00 CNY: refunded.\n', err: '' });
    expect(await lastEntry(other)).toEqual({ actor: `${money.name} (staff)`, action: 'order.refund' });
    await testApp().check();
  });

  it('keeps the session in a file that only its owner reads, and ends it', async () => {
    const ann = await newStaff(testApp(), 'seller');
    await login(ann, 'ann');
    const file = fileOf('ann');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).not.toContain(ann.credentials.password);
    fs.chmodSync(file, 0o644);
    expect(await shop('ann', ['queue'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('can be read by others'),
    });
    fs.chmodSync(file, 0o600);
    expect((await shop('ann', ['queue'])).code).toBe(0);
    const { cookie } = JSON.parse(fs.readFileSync(file, 'utf8'));
    expect((await shop('ann', ['logout'])).code).toBe(0);
    expect(fs.existsSync(file)).toBe(false);
    expect((await ann.get('session', { cookie })).code).toBe(401);
    expect(await shop('ann', ['queue'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nobody is signed in: /),
    });
  });

  it('says what is wrong: credentials, an ended session, an address that is no shop or not encrypted', async () => {
    const ben = await signedInStaff(testApp(), 'seller');
    expect(await shop('ben', ['login', ben.name, '--url', url], ['wrong', '000000'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Wrong name, password or code.'),
    });
    expect(fs.existsSync(fileOf('ben'))).toBe(false);
    expect(await shop('ben', ['login', ben.name, '--url', 'http://shop.example'])).toMatchObject({
      code: 1,
      err: '"http://shop.example" is not an address like https://shop.example.\n',
    });
    expect(await shop('ben', ['login', ben.name, '--url', 'http://127.0.0.1:9'], ['x', '000000'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('http://127.0.0.1:9 does not answer.'),
    });
    const away = { url: 'http://127.0.0.1:9', name: ben.name, cookie: 'staff=x' };
    fs.writeFileSync(fileOf('ben'), JSON.stringify(away), { mode: 0o600 });
    expect(await shop('ben', ['refund', 'ABCDEFGH12', '--reason', 'x'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/does not answer\. Send it again with --key \w{8,}: the same key is one refund\.\n$/),
    });
    fs.writeFileSync(fileOf('ben'), JSON.stringify({ url, name: ben.name, cookie: 'staff=ended' }), { mode: 0o600 });
    expect(await shop('ben', ['queue'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nobody is signed in: /),
    });
  });
});
