import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { OtlpReceiver } from '../test/support/doubles/otlp-receiver';
import { program, ShopProcess } from '../test/support/shop-process';

const root = path.join(__dirname, '../..');
const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'shop-start-'));
const source = ['--import', 'tsx', 'scripts/image/server.ts'];

const runToEnd = (env: Record<string, string>) =>
  new Promise<{ code: unknown; text: string }>((resolve) => {
    const surroundings = { PATH: process.env.PATH ?? '', TMPDIR: os.tmpdir(), HOME: os.homedir() };
    const options = { cwd: root, env: { ...surroundings, LOG: 'off', PORT: '0', ...env } };
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, text: stdout + stderr }),
    );
  });

describe('the server program', () => {
  const dataDir = folder();
  let server: ShopProcess;
  afterAll(() => server?.kill());

  it('the program starts, serves at the printed address, stops on SIGTERM with its traces sent, and finds its data again', async () => {
    const receiver = await new OtlpReceiver().start();
    for (const round of [1, 2]) {
      const traced = round === 2 ? receiver.env() : {};
      server = await ShopProcess.start({ DATA_DIR: dataDir, ...traced }, round === 1 ? source : program);
      const { url } = server;
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      const { data } = (await (await fetch(`${url}/api/front/goods/list?keyword=ys`)).json()) as {
        data: { list: Array<{ name: string }> };
      };
      expect(data.list[0]?.name).toContain('原神');
      const login = { phone: '13800000000', login_type: 'password', password: 'demo1234' };
      const answer = await fetch(`${url}/api/front/app/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(login),
      });
      expect(await answer.json()).toMatchObject({ code: 200 });
      if (round === 1) {
        expect(await runToEnd({ DATA_DIR: dataDir })).toEqual({
          code: 1,
          text: expect.stringMatching(/^The data folder .* is in use by process \d+\.\n$/),
        });
      }
      expect(await server.stop()).toBe(0);
      for (const text of ['13800000000', '/dev/outbox', '/dev/mails']) expect(server.log).toContain(text);
    }
    const search = receiver.spans.find(({ name }) => name === 'GET /api/front/goods/list');
    expect(receiver.spans.some(({ parentSpanId }) => parentSpanId === search?.spanId)).toBe(true);
    await receiver.close();
  }, 600_000);

  it('the program reports a taken port, a broken folder or an unreachable database in one line', async () => {
    const listener = net.createServer().listen(0).unref();
    const { port } = listener.address() as net.AddressInfo;
    const file = path.join(folder(), 'a-file');
    fs.writeFileSync(file, '');
    const broken = folder();
    fs.mkdirSync(path.join(broken, 'db/pgdata'), { recursive: true });
    fs.writeFileSync(path.join(broken, 'db/pgdata/PG_VERSION'), '18\n');
    const keyless = folder();
    fs.cpSync(broken, keyless, { recursive: true });
    for (const name of ['app-secret', 'card-key']) fs.copyFileSync(path.join(dataDir, name), path.join(broken, name));
    const faults: Array<[env: Record<string, string>, line: RegExp]> = [
      [{ DATA_DIR: dataDir, PORT: String(port) }, /^Port \d+ is already in use.*\n$/],
      [{ DATA_DIR: file }, /^The data folder .* cannot be used: .*\n$/],
      [{ DATA_DIR: broken }, /^The database in .* does not open.*\n$/],
      [{ DATA_DIR: keyless }, /^.*app-secret is missing: restore it from the backup.*\n.*card-key is missing.*\n$/],
      [
        { DATA_DIR: folder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
        /^The database is unreachable: .*\n$/,
      ],
      [{ DATA_DIR: folder(), PORT: 'x' }, /^PORT must be a whole number from 0 to 65535\.\n$/],
      [
        { DATA_DIR: folder(), NODE_ENV: 'production' },
        /^APP_SECRET must be set.*\nCARD_KEYS must be set.*\nSTAFF_URL must be set.*\n$/,
      ],
    ];
    const results = await Promise.all(faults.map(([env]) => runToEnd(env)));
    for (const [index, { code, text }] of results.entries()) {
      expect(text).toMatch(faults[index]?.[1] as RegExp);
      expect(code).toBe(1);
    }
    expect(fs.existsSync(path.join(keyless, 'card-key'))).toBe(false);
    listener.close();
  }, 600_000);
});
