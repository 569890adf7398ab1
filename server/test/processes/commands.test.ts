import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ShopProcess } from '../../soak/shop-process';
import { runInShop } from '../../src/cli/command-channel';
import { openEmbedded } from '../../src/db/database';
import { localAddress } from '../../src/db/local-socket';
import { embeddedFolder } from '../../src/start';
import { writeSecrets } from '../support/test-goods';

const CODES = 4_000;

describe('a staff command in a shop on the embedded database', () => {
  let dataDir: string;
  let server: ShopProcess;
  const csv = (prefix: string) =>
    `goods,spec,card_no,card_pwd,expire_at\n${Array.from({ length: CODES }, (_, at) => `card,a,${prefix}-${at},pw,`).join('\n')}\n`;
  const request = (prefix: string) => ({
    args: ['import', 'c.csv'],
    cwd: '/',
    by: 'ann',
    files: { 'c.csv': csv(prefix) },
  });
  /** Resolves once the shop has begun. */
  const begin = async (prefix: string) => {
    const socket = net.connect(localAddress(embeddedFolder(dataDir), 'commands')).on('error', () => {});
    socket.write(`${JSON.stringify(request(prefix))}\n`);
    await once(socket, 'data');
    return socket;
  };
  const importAgain = async (prefix: string) => (await runInShop(embeddedFolder(dataDir), request(prefix)))?.out;

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-commands-'));
    await (await openEmbedded({ folder: embeddedFolder(dataDir), template: process.env.SHOP_TEST_GOODS })).close();
    writeSecrets(dataDir);
    server = await ShopProcess.start({ DATA_DIR: dataDir });
  }, 120_000);
  afterAll(async () => {
    await server?.kill();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  it('is done wholly although its caller is killed', async () => {
    (await begin('ONE')).destroy();
    expect(await importAgain('ONE')).toBe(`Imported 0 goods, 0 new codes, ${CODES} known codes.\n`);
  }, 60_000);

  it('is done wholly or not at all when the shop is killed', async () => {
    await begin('TWO');
    await server.kill();
    await server.start();
    expect([
      `Imported 0 goods, ${CODES} new codes, 0 known codes.\n`,
      `Imported 0 goods, 0 new codes, ${CODES} known codes.\n`,
    ]).toContain(await importAgain('TWO'));
  }, 60_000);
});
