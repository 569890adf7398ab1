import path from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { Keyring } from '../crypto/keyring';
import { connectPostgres, type Database, openEmbedded, StartError } from '../db/database';
import { migrate } from '../db/migrate';
import { startJobs } from '../jobs/jobs';
import { createProviders } from '../providers/create-providers';
import { DEMO_PASSWORD, DEMO_PHONE, seedOnce } from '../seed/seed';
import { buildApp } from './build-app';
import { readConfig } from './config';
import type { App, Shop } from './context';

export interface StartOptions {
  /** 0 picks a free one. */
  port: number;
  host?: string;
  dataDir: string;
  databaseUrl?: string;
  plugins?: FastifyPluginAsync[];
  env?: NodeJS.ProcessEnv;
  logger?: boolean;
  /** Whether to fill an empty database; true by default. */
  seed?: boolean;
  /** Whether the jobs run; true by default. */
  jobs?: boolean;
}

export interface RunningServer {
  app: App;
  shop: Shop;
  port: number;
  url: string;
  /** Finishes what it has started, then ends. */
  close(): Promise<void>;
}

/** Opens the shop: configuration, database, migrations, first data. Throws StartError with one clear line. */
export async function openShop(
  options: Pick<StartOptions, 'dataDir' | 'databaseUrl' | 'env' | 'logger' | 'seed'>,
): Promise<Shop> {
  const config = readConfig({ dataDir: options.dataDir, env: options.env, logger: options.logger });
  const db = options.databaseUrl
    ? await connectPostgres(options.databaseUrl)
    : await openEmbedded({ folder: path.join(options.dataDir, 'db') });
  try {
    await migrate(db);
    const shop: Shop = { db, config, keyring: new Keyring(config.cardKeys), providers: createProviders(config) };
    if (options.seed !== false) await seedOnce(shop);
    return shop;
  } catch (error) {
    await db.close().catch(() => {});
    throw error;
  }
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const shop = await openShop(options);
  let app: App | undefined;
  try {
    app = await buildApp({ ...shop, plugins: options.plugins });
    await app.listen({ port: options.port, host: options.host ?? '::', ipv6Only: false }).catch(async (error) => {
      // A machine without IPv6.
      if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error;
      await app?.listen({ port: options.port, host: '0.0.0.0' });
    });
  } catch (error) {
    await app?.close().catch(() => {});
    await shop.db.close().catch(() => {});
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new StartError(`Port ${options.port} is already in use. Choose another one with PORT=…`);
    }
    throw error;
  }
  const running = app;
  const stopJobs =
    options.jobs === false
      ? async () => {}
      : startJobs(shop, (name, error) => running.log.error({ job: name, err: error }, 'job failed'));
  const address = running.server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    app: running,
    shop,
    port,
    url: `http://localhost:${port}`,
    close: once(async () => {
      await stopJobs();
      await running.close();
      await shop.db.close();
    }),
  };
}

export function banner({ url, shop }: RunningServer): string {
  const lines = [`Shop ready: ${url}`];
  if (shop.config.sandbox) {
    lines.push(`  Demo account: ${DEMO_PHONE}, password ${DEMO_PASSWORD}`);
    if (shop.providers.sms.name === 'outbox') lines.push(`  Verification codes: ${url}/dev/outbox`);
  }
  return lines.join('\n');
}

function once(work: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= work();
    return ended;
  };
}

export type { Database };
export { StartError };
