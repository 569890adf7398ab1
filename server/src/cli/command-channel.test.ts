import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { localAddress } from '../db/local-socket';
import { embeddedFolder } from '../start';
import { type CommandChannel, openCommandChannel, runInShop } from './command-channel';
import type { CommandRequest, Outcome } from './commands';
import { runCli } from './run-cli';

const request = (...args: string[]): CommandRequest => ({ args, cwd: '/', by: 'ann', files: {} });
const done: Outcome = { code: 0, out: 'Done.\n', err: '' };

describe('the channel for staff commands', () => {
  let folder: string;
  let channel: CommandChannel | undefined;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-channel-'));
  });
  afterEach(async () => {
    await channel?.close();
    channel = undefined;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('passes a command to the shop and its outcome back, with a file of some megabytes', async () => {
    const wish = { ...request('import', 'a.csv'), files: { 'a.csv': '码'.repeat(2_000_000) } };
    channel = await openCommandChannel(folder, async (got) => {
      expect(got).toEqual(wish);
      return { code: 1, out: 'some\n', err: 'faults\n' };
    });
    expect(await runInShop(folder, wish)).toEqual({ code: 1, out: 'some\n', err: 'faults\n' });
    const large = { ...wish, files: { 'a.csv': 'x'.repeat(33 * 1024 * 1024) } };
    await expect(runInShop(folder, large)).rejects.toThrow('takes up to 32 MB at once');
  });

  it('is for the user of the shop only', async () => {
    channel = await openCommandChannel(folder, async () => done);
    expect((fs.statSync(localAddress(folder, 'commands')).mode & 0o077).toString(8)).toBe('0');
  });

  it('leaves folders that are made while it opens usable for the user of the shop', async () => {
    const made = path.join(folder, 'made');
    const { listen } = net.Server.prototype;
    const spy = jest.spyOn(net.Server.prototype, 'listen').mockImplementationOnce(function (this: net.Server, ...args) {
      fs.mkdirSync(made);
      return Reflect.apply(listen, this, args);
    });
    channel = await openCommandChannel(folder, async () => done);
    spy.mockRestore();
    expect((fs.statSync(made).mode & 0o777).toString(8)).toBe('700');
  });

  it('is where the path of the folder is too long for a socket, in a folder that others cannot open', async () => {
    const long = path.join(folder, 'x'.repeat(120));
    fs.mkdirSync(long);
    channel = await openCommandChannel(long, async () => done);
    expect(await runInShop(long, request('orders'))).toEqual(done);
    const { mode } = fs.statSync(path.dirname(localAddress(long, 'commands')));
    expect((mode & 0o777).toString(8)).toBe('700');
  });

  it('is absent without a shop, and after one that was killed', async () => {
    expect(await runInShop(path.join(folder, 'nowhere'), request('orders'))).toBeUndefined();
    expect(await runInShop(folder, request('orders'))).toBeUndefined();
    fs.writeFileSync(localAddress(folder, 'commands'), '');
    expect(await runInShop(folder, request('orders'))).toBeUndefined();
    channel = await openCommandChannel(folder, async () => done);
    expect(await runInShop(folder, request('orders'))).toEqual(done);
  });

  it('runs nothing for a request that is cut or not one', async () => {
    const run = jest.fn(async () => done);
    channel = await openCommandChannel(folder, run);
    const send = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = net.connect(localAddress(folder, 'commands'));
        socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
        socket.on('close', () => resolve(answer));
        socket.end(text);
      });
    const whole = JSON.stringify(request('refund', 'X'));
    for (const text of ['', whole.slice(0, -4), whole, '{}\n', 'GET / HTTP/1.1\r\n\r\n', '[1]\n'])
      expect([text, await send(text)]).toEqual([text, '']);
    expect(run).not.toHaveBeenCalled();
  });

  it('finishes a command whose caller has died, before the shop ends', async () => {
    let finish = () => {};
    let ended = false;
    const taken = new Promise<void>((resolve) => {
      const open = openCommandChannel(folder, async () => {
        resolve();
        await new Promise<void>((end) => {
          finish = end;
        });
        ended = true;
        return done;
      });
      void open.then((opened) => {
        channel = opened;
        const socket = net.connect(localAddress(folder, 'commands'));
        socket.write(`${JSON.stringify(request('import'))}\n`);
        void taken.then(() => socket.destroy());
      });
    });
    await taken;
    const closed = channel?.close().then(() => ended);
    finish();
    expect(await closed).toBe(true);
    channel = undefined;
  });

  it.each([
    [
      'after it began',
      '{"taken":true}\n',
      'The shop ended before the command did: look at what it has done, then run it again.',
    ],
    ['before', '', 'The shop does not answer: whether it runs the command is unknown.'],
  ])('exits with 1 and says so when the shop ends %s', async (_when, answer, line) => {
    fs.mkdirSync(embeddedFolder(folder));
    const shop = net.createServer((socket) => socket.once('data', () => socket.end(answer)));
    await new Promise<void>((resolve) => shop.listen(localAddress(embeddedFolder(folder), 'commands'), resolve));
    const output = { error: jest.fn(), log: jest.fn() };
    expect(await runCli(['rotate-keys'], { DATA_DIR: folder }, output as unknown as Console)).toBe(1);
    expect(output.error).toHaveBeenCalledWith(line);
    shop.close();
  });

  it('refuses a fifth command at once', async () => {
    let finish = () => {};
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let running = 0;
    let allRun = () => {};
    const four = new Promise<void>((resolve) => {
      allRun = resolve;
    });
    channel = await openCommandChannel(folder, async () => {
      if (++running === 4) allRun();
      await end;
      return done;
    });
    const first = Array.from({ length: 4 }, () => runInShop(folder, request('backup', 'a')));
    await four;
    expect(await runInShop(folder, request('orders'))).toMatchObject({
      code: 1,
      err: 'The shop runs 4 commands already: try again later.\n',
    });
    finish();
    expect(await Promise.all(first)).toEqual([done, done, done, done]);
    expect(await runInShop(folder, request('orders'))).toEqual(done);
  });
});
