import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Store } from '@platform/releases';
import { liveReleases } from '../../src/live-releases.plugin';
import { openEmbedded } from '../../src/platform/db/database';
import { embeddedFolder, type RunningServer, startServer } from '../../src/start';
import { writeSecrets } from './test-goods';

export interface StartedShop {
  server: RunningServer;
  url: string;
  dataDir: string;
  close(): Promise<void>;
}

/** A server on a port and a new embedded database with the test goods, which renders the pages of the store's releases. */
export async function startShopOn(store: Store): Promise<StartedShop> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-started-'));
  await (await openEmbedded({ folder: embeddedFolder(dataDir), template: process.env.SHOP_TEST_GOODS })).close();
  writeSecrets(dataDir);
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    seed: false,
    jobs: false,
    logger: false,
    env: { SHOP_RENDER: 'on', WALLET_PROOF_ABOVE: 'off', ANSWERS_FRESH_MS: '0' },
    plugins: [liveReleases({ store, watchEvery: 0 })],
  });
  return {
    server,
    dataDir,
    url: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await server.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
