import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp, buildConsole } from './app';
import { lacksSecrets, readConfig } from './config';
import type { AppContext, BackOffice, ServerPlugin } from './context';
import { jobs, startJobs } from './jobs/jobs';
import { chatJobs } from './notices/chats.service';
import { checkKeys } from './platform/crypto/check-keys';
import { Keyring } from './platform/crypto/keyring';
import { connectPostgres, isEmbeddedDatabase, openEmbedded, StartError } from './platform/db/database';
import { type MigrateOptions, migrate } from './platform/db/migrate';
import type { App } from './platform/http/request';
import { closePort } from './platform/http/server';
import { startTracing } from './platform/monitoring/tracing/tracing.plugin';
import { createProviders } from './providers/create-providers';
import { lazy } from './providers/lazy';
import { goLive, refuseSandboxOnLiveShop } from './seed/live-shop';
import { seedOnce } from './seed/seed';

interface StartOptions {
  /** 0 picks a free port. */
  port: number;
  staffPort?: number;
  host?: string;
  dataDir: string;
  databaseUrl?: string;
  /** Registered before those of the back office. */
  plugins?: ServerPlugin[];
  backOffice?: BackOffice;
  env?: NodeJS.ProcessEnv;
  logger?: boolean;
  seed?: boolean;
  jobs?: boolean;
}

export interface RunningServer {
  app: App;
  context: AppContext;
  port: number;
  url: string;
  staffUrl: string;
  /** Reports "not ready" and closes each connection after its next response, for DRAIN_SECONDS, before it closes. */
  drainAndClose(): Promise<void>;
  close(): Promise<void>;
}

/** Time for requests on connections that were accepted just before the port closed. */
const LAST_REQUESTS_MS = 500;

/** Opens configuration and database, runs migrations and the initial data. Throws StartError with a one-line message. */
export async function openContext(
  options: Pick<StartOptions, 'dataDir' | 'databaseUrl' | 'env' | 'logger' | 'seed' | 'backOffice'> &
    Pick<MigrateOptions, 'mayGoBack'> & { isTraced?: boolean },
): Promise<AppContext> {
  const { dataDir, databaseUrl, env = process.env, logger, backOffice } = options;
  const createSecrets = !lacksSecrets(dataDir, env) || !(await holdsShop(dataDir, databaseUrl));
  const config = readConfig({ dataDir, env, logger, createSecrets, backOffice });
  const tracing = options.isTraced ? startTracing(config.tracing) : undefined;
  const traceStatement = tracing?.traceStatement;
  const db = databaseUrl
    ? await connectPostgres(databaseUrl, { traceStatement })
    : await openEmbedded({ folder: embeddedFolder(dataDir), traceStatement });
  try {
    await migrate(db, { mayGoBack: options.mayGoBack });
    const keyring = new Keyring(config.cardKeys);
    await checkKeys(db, keyring);
    const context: AppContext = {
      db,
      config,
      keyring,
      providers: createProviders(config),
      tracing,
    };
    if (config.live) await goLive(context);
    if (options.seed !== false) await seedOnce(context);
    return context;
  } catch (error) {
    await db.close().catch(() => {});
    throw error;
  }
}

export const embeddedFolder = (dataDir: string) => path.join(dataDir, 'db');

async function holdsShop(dataDir: string, databaseUrl: string | undefined): Promise<boolean> {
  if (!databaseUrl) return isEmbeddedDatabase(embeddedFolder(dataDir));
  const db = await connectPostgres(databaseUrl, { max: 1 });
  try {
    return (await db.row("select 1 where to_regclass('schema_migrations') is not null")) !== undefined;
  } finally {
    await db.close();
  }
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { plugins = [], backOffice } = options;
  const context = await openContext({ ...options, isTraced: true });
  const apps: App[] = [];
  const listen = async (app: App, port: number, setting: string): Promise<string> => {
    apps.push(app);
    await app.listen({ port, host: options.host ?? '::', ipv6Only: false }).catch(async (error) => {
      if (error.code === 'EADDRINUSE')
        throw new StartError(`Port ${port} is already in use. Choose another with ${setting}=…`);
      // The machine has no IPv6.
      if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error;
      await app.listen({ port, host: '0.0.0.0' });
    });
    return `http://localhost:${(app.server.address() as AddressInfo).port}`;
  };
  let url: string;
  let staffUrl = '';
  try {
    await refuseSandboxOnLiveShop(context);
    const shop = await buildApp({ ...context, plugins: [...plugins, ...(backOffice?.plugins ?? [])] });
    url = await listen(shop, options.port, 'PORT');
    if (backOffice) {
      const staff = await buildConsole({ ...context, shop, plugins: backOffice.consolePlugins });
      staffUrl = await listen(staff, options.staffPort ?? 0, 'STAFF_PORT');
    }
  } catch (error) {
    for (const app of apps) await app.close().catch(() => {});
    await context.db.close().catch(() => {});
    throw error;
  }
  const [running] = apps as [App];
  const stopJobs =
    options.jobs === false
      ? async () => {}
      : startJobs(context, [...jobs, ...chatJobs(context.config), ...(backOffice?.jobs ?? [])], (name, error) =>
          running.log.error({ job: name, err: error }, 'job failed'),
        );
  const close = lazy(async () => {
    await stopJobs();
    // A keep-alive connection that is busy now would stay open after its response.
    const idle = setInterval(() => {
      for (const { server } of apps) server.closeIdleConnections();
    }, 100);
    await Promise.all(apps.map((app) => app.close())).finally(() => clearInterval(idle));
    await context.db.close();
  });
  const drainAndClose = async () => {
    for (const app of apps) {
      app.isStopping = true;
      // A proxy sends no further request on such a connection, and closes those it does not use in the meantime.
      app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    }
    await sleep(context.config.drainMs);
    if (context.config.drainMs > 0) {
      await Promise.all(apps.map(({ server }) => closePort(server)));
      await sleep(LAST_REQUESTS_MS);
    }
    await close();
  };
  return {
    app: running,
    context,
    port: Number(new URL(url).port),
    url,
    staffUrl: context.config.staffUrl || staffUrl,
    drainAndClose,
    close,
  };
}
