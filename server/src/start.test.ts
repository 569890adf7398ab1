import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { OtlpReceiver } from '../test/support/doubles/otlp-receiver';
import { program } from '../test/support/shop-process';

const root = path.join(__dirname, '../..');
const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'shop-start-'));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const source = ['--import', 'tsx', 'scripts/image/server.ts'];

function run(env: Record<string, string>, args = program) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', TMPDIR: os.tmpdir(), HOME: os.homedir(), LOG: 'off', PORT: '0', ...env },
  });
  children.push(child);
  let text = '';
  const collect = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, text })),
  );
  const ready = new Promise<string>((resolve, reject) => {
    child.on('close', () => reject(new Error(text)));
    child.stdout.on('data', () => {
      const url = /Shop ready: (\S+)/.exec(text)?.[1];
      if (url) resolve(url);
    });
  });
  ready.catch(() => {});
  return { child, ended, ready };
}

describe('the server program', () => {
  const dataDir = folder();

  it('the program starts, serves at the printed address, stops on SIGTERM with its traces sent, and finds its data again', async () => {
    const DATA_DIR = dataDir;
    const receiver = await new OtlpReceiver().start();
    for (const round of [1, 2]) {
      const { child, ended, ready } =
        round === 1 ? run({ DATA_DIR }, source) : run({ DATA_DIR, ...(receiver.env() as Record<string, string>) });
      const url = await ready;
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
        const second = await run({ DATA_DIR }).ended;
        expect(second).toMatchObject({
          code: 1,
          text: expect.stringMatching(/^The data folder .* is in use by process \d+\.\n$/),
        });
      }
      child.kill('SIGTERM');
      const { code, text } = await ended;
      expect(code).toBe(0);
      expect(text).toContain('13800000000');
      expect(text).toContain('/dev/outbox');
      expect(text).toContain('/dev/mails');
    }
    const search = receiver.spans.find(({ name }) => name === 'GET /api/front/goods/list');
    expect(receiver.spans.some(({ parentSpanId }) => parentSpanId === search?.spanId)).toBe(true);
    await receiver.close();
  }, 600_000);

  it('the program reports a taken port, a broken folder or an unreachable database in one line', async () => {
    const server = net.createServer().listen(0).unref();
    const { port } = server.address() as net.AddressInfo;
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
    const results = await Promise.all(faults.map(([env]) => run(env).ended));
    for (const [index, { code, text }] of results.entries()) {
      expect(text).toMatch(faults[index]?.[1] as RegExp);
      expect(code).toBe(1);
    }
    expect(fs.existsSync(path.join(keyless, 'card-key'))).toBe(false);
    server.close();
  }, 600_000);
});
