import path from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { buildApp } from './app';
import { readConfig } from './config';
import type { AppContext } from './context';
import { Keyring } from './crypto/keyring';
import { connectPostgres, type Database, openEmbedded, StartError } from './db/database';
import { migrate } from './db/migrate';
import type { App } from './http/request';
import { startJobs } from './jobs/jobs';
import { createProviders } from './providers/create-providers';
import { DEMO_PASSWORD, DEMO_PHONE, seedOnce } from './seed/seed';

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
  context: AppContext;
  port: number;
  url: string;
  /** Finishes what it has started, then ends. */
  close(): Promise<void>;
}

/** Opens the shop: configuration, database, migrations, first data. Throws StartError with one clear line. */
export async function openContext(
  options: Pick<StartOptions, 'dataDir' | 'databaseUrl' | 'env' | 'logger' | 'seed'>,
): Promise<AppContext> {
  const config = readConfig({ dataDir: options.dataDir, env: options.env, logger: options.logger });
  const db = options.databaseUrl
    ? await connectPostgres(options.databaseUrl)
    : await openEmbedded({ folder: path.join(options.dataDir, 'db') });
  try {
    await migrate(db);
    const context: AppContext = {
      db,
      config,
      keyring: new Keyring(config.cardKeys),
      providers: createProviders(config),
    };
    if (options.seed !== false) await seedOnce(context);
    return context;
  } catch (error) {
    await db.close().catch(() => {});
    throw error;
  }
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const context = await openContext(options);
  let app: App | undefined;
  try {
    app = await buildApp({ ...context, plugins: options.plugins });
    await app.listen({ port: options.port, host: options.host ?? '::', ipv6Only: false }).catch(async (error) => {
      // A machine without IPv6.
      if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error;
      await app?.listen({ port: options.port, host: '0.0.0.0' });
    });
  } catch (error) {
    await app?.close().catch(() => {});
    await context.db.close().catch(() => {});
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new StartError(`Port ${options.port} is already in use. Choose another one with PORT=…`);
    }
    throw error;
  }
  const running = app;
  const stopJobs =
    options.jobs === false
      ? async () => {}
      : startJobs(context, (name, error) => running.log.error({ job: name, err: error }, 'job failed'));
  const address = running.server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    app: running,
    context,
    port,
    url: `http://localhost:${port}`,
    close: once(async () => {
      await stopJobs();
      // A connection that is busy when closing begins is kept alive after its answer, for longer than anybody waits.
      const idle = setInterval(() => running.server.closeIdleConnections(), 100);
      await running.close().finally(() => clearInterval(idle));
      await context.db.close();
    }),
  };
}

export function banner({ url, context }: RunningServer): string {
  const lines = [`Shop ready: ${url}`];
  if (context.config.sandbox) {
    lines.push(`  Demo account: ${DEMO_PHONE}, password ${DEMO_PASSWORD}`);
    if (context.providers.sms.name === 'outbox') lines.push(`  Verification codes: ${url}/dev/outbox`);
  }
  const { payments, sms, storage, wechatSignIn, suppliers } = context.config.providers;
  const methods = Object.entries(payments).map(([currency, codes]) => `${currency} ${codes.join(', ') || 'none'}`);
  const supplied = Object.keys(suppliers).length;
  lines.push(
    `  Payments: ${methods.join('; ')}. Messages: ${typeof sms === 'string' ? sms : 'tencent'}. Pictures: ${
      typeof storage === 'string' ? storage : 's3'
    }. WeChat sign-in: ${typeof wechatSignIn === 'string' ? wechatSignIn : 'on'}. Stock types with a supplier: ${supplied}.`,
  );
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
