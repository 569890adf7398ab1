import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { codeNow, fromConsole } from '@shop/backoffice/testing';
import { until } from '../../../scripts/jest/until';
import { openEmbedded } from '../../src/platform/db/database';
import { embeddedFolder } from '../../src/start';
import { runShop } from '../support/run-shop';
import { ShopProcess } from '../support/shop-process';
import { writeSecrets } from '../support/test-goods';

const password = 'kelp-orbit-94-wagon';

const talk = (address: string, text: string) =>
  new Promise<string>((resolve) => {
    let answer = '';
    const socket = net.connect(address, () => socket.end(text));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1'))).on('error', () => {});
    socket.on('close', () => resolve(answer));
  });

describe('running shop on the embedded database', () => {
  let dataDir: string;
  let server: ShopProcess;
  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-doors-'));
    await (await openEmbedded({ folder: embeddedFolder(dataDir), template: process.env.SHOP_TEST_TEMPLATE })).close();
    writeSecrets(dataDir);
    server = await ShopProcess.start({ DATA_DIR: dataDir, LOG: 'on' });
  }, 600_000);
  afterAll(() => server?.kill());

  const setup = async (call: string, body: object): Promise<{ code: number; data: { address: string } }> => {
    const origin = server.staffUrl;
    const headers = { ...fromConsole, origin, 'content-type': 'application/json' };
    const url = `${origin}/staff/api/setup${call}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.status === 503 ? setup(call, body) : response.json();
  };
  const printed = async () => {
    await until('its last line', () => / {2}Payments: .*\n/.test(server.log));
    return [...server.log.matchAll(/\/staff\/setup#([\w-]+)/g)].map(([, token = '']) => token);
  };
  const shop = (...args: string[]) => runShop(args, { DATA_DIR: dataDir });

  it('the only socket of a running shop is its lock, which ignores what clients send and does not wait for silent ones', async () => {
    const files = fs.readdirSync(dataDir, { recursive: true, withFileTypes: true });
    const sockets = files.filter((file) => file.isSocket()).map((file) => path.join(file.parentPath, file.name));
    const lock = path.join(dataDir, 'db/lock.sock');
    expect(sockets).toEqual([lock]);
    expect(await talk(lock, 'GET /healthz HTTP/1.1\r\n\r\n')).toMatch(/^(\d+-0\.\d+)?$/);
    const silentClient = net.connect(lock).on('error', () => {});
    await new Promise((resolve) => silentClient.on('close', resolve).resume());
    expect(await server.stop()).toBe(0);
    await server.start();
  }, 600_000);

  it('a command in a terminal changes nothing while the shop runs, and reports the reason in one line', async () => {
    for (const args of [['staff-setup'], ['rotate-keys']])
      expect(await shop(...args)).toEqual({
        code: 1,
        out: '',
        err: `The shop is running on ${dataDir}: stop it first, or use the console at /staff.\n`,
      });
  }, 600_000);

  it('each start prints the first manager’s single-use address until there is a manager, and nowhere else', async () => {
    const [old = '', ...others] = await printed();
    expect([old.length, others]).toEqual([43, []]);
    expect(server.log).toContain(`${server.staffUrl}/staff/setup#${old}`);
    expect(await setup('/read', { token: old })).toMatchObject({ code: 200, data: { name: null } });
    await server.kill();
    await server.start();
    const [token = ''] = await printed();
    expect(await setup('/read', { token: old })).toMatchObject({ code: 46006 });
    expect(await setup('', { token, name: 'Ann', password, code: 'x' })).toMatchObject({ code: 40001 });
    const shown = await setup('/authenticator', { token, name: 'Ann', password });
    expect(shown).toMatchObject({ code: 200 });
    // The previous step's code, so that the next code can sign in.
    const code = codeNow(shown.data.address, Date.now() - 30_000);
    expect(await setup('', { token, name: 'Ann', password, code })).toMatchObject({ code: 200 });
    await fetch(`${server.staffUrl}/staff/setup`);
    expect(server.log).toContain('"/staff/api/setup/authenticator"');
    expect(server.log.split(token)).toHaveLength(2);
    expect(server.log).not.toContain(password);
    await server.stop();

    const way = await shop('staff-setup');
    expect(way).toEqual({
      code: 0,
      out: expect.stringMatching(/^http:\/\/localhost:8081\/staff\/setup#[\w-]{43}\n$/),
      err: '',
    });
    await server.start();
    expect(await printed()).toEqual([]);
    expect(await setup('/read', { token: way.out.split('#')[1]?.trim() })).toMatchObject({ code: 200 });
  });
});
