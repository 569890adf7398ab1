import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from './config';
import type { Keyring } from './platform/crypto/keyring';
import type { Database } from './platform/db/database';
import type { Sql } from './platform/db/sql';
import type { Tracing } from './platform/monitoring/tracing/open-telemetry';
import type { PublicReads } from './platform/response-cache/public-reads';
import type { ResponseCache } from './platform/response-cache/response-cache';
import type { Settings } from './platform/settings/settings';
import type { UserReads } from './platform/user-reads';
import type { Providers } from './providers/providers';

export interface AppContext {
  db: Database;
  config: Config;
  keyring: Keyring;
  providers: Providers;
  tracing?: Tracing;
}

export interface DomainOptions {
  /** The database in this context has the limits of writes. */
  context: AppContext;
  /** The same database for read-only calls. Under load they are refused first, because clients can repeat them. */
  reads: Database;
  publicReads: PublicReads;
  userReads: UserReads;
}

export type DomainRoutes<Options extends object = DomainOptions> = FastifyPluginAsyncTypebox<Options>;

export type ServerPlugin = FastifyPluginAsync<{
  context?: {
    db: Database;
    config: Pick<Config, 'secret' | 'webhooks'> & Partial<Pick<Config, 'render' | 'staffUrl'>>;
  };
  pages?: {
    sql: Sql;
    responseCache: ResponseCache;
    publicReads: PublicReads;
    userReads: UserReads;
    config: Pick<
      Config,
      'production' | 'sessionIdleSeconds' | 'providers' | 'indexed' | 'pictureOrigins' | 'hasServiceWorker'
    >;
  };
  optionsOf?: (name: string) => DomainOptions;
}>;

export interface Job {
  name: string;
  every: number;
  run(context: AppContext): Promise<number>;
}

export interface BackOffice {
  readSettings(settings: Settings): void;
  plugins: ServerPlugin[];
  consolePlugins: ServerPlugin[];
  jobs: Job[];
  notes(context: AppContext, consoleUrl: string): Promise<string[]>;
}
