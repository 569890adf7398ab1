import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, type RouteContract, type Store } from '@platform/releases';
import { publishLive, type Sample, scratch } from '@platform/releases/testing';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { buildApp } from '../../src/app';
import type { Config } from '../../src/config';
import type { AppContext } from '../../src/context';
import { liveReleases } from '../../src/live-releases.plugin';
import { openEmbedded } from '../../src/platform/db/database';
import type { App } from '../../src/platform/http/request';
import { embeddedFolder, startServer } from '../../src/start';
import { writeSecrets } from './test-goods';

/** The routes of a remote of this repository, such as "catalog". */
export const routesOf = (remote: string): RouteContract[] =>
  JSON.parse(fs.readFileSync(path.join(__dirname, `../../../mfe-${remote}/remote.json`), 'utf8')).routes;

/** A release store in a temporary folder, where a shell and a release of each of these remotes are live. */
export async function storeWith(remotes: Sample[], shell: Sample = {}): Promise<Store> {
  const store = openStore({ place: await scratch() });
  for (const sample of [{ ...shell, name: 'shell' }, ...remotes]) await publishLive(store, sample);
  return store;
}

/** The shop with the documents of the store's releases, which waits for their descriptions on a busy machine too. */
export function shopWith(
  context: AppContext,
  store: Store,
  { publicUrl = '', ...changes }: Partial<Config> & { publicUrl?: string } = {},
): Promise<App> {
  const plugins = [liveReleases({ store, watchEvery: 0, describeWithinMs: 20_000 })];
  const providers = { ...context.config.providers, publicUrl };
  return buildApp({ ...context, config: { ...context.config, ...changes, providers }, plugins });
}

/** A server on a port and a new embedded database with the test goods, which renders the pages of the store's releases. */
export async function startShopOn(store: Store) {
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
    backOffice: backOfficeWithReleases({ store }),
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

export type StartedShop = Awaited<ReturnType<typeof startShopOn>>;
