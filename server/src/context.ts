import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from './config';
import type { Keyring } from './platform/crypto/keyring';
import type { Database } from './platform/db/database';
import type { Sql } from './platform/db/sql';
import type { Tracing } from './platform/monitoring/tracing/tracing';
import type { PublicReads } from './platform/response-cache/public-reads';
import type { ResponseCache } from './platform/response-cache/response-cache';
import type { Settings } from './platform/settings/settings';
import type { UserReads } from './platform/user-reads';
import type { Providers } from './providers/providers';

/** What every domain works with; opened once at start. */
export interface AppContext {
  db: Database;
  config: Config;
  keyring: Keyring;
  providers: Providers;
  /** Undefined while it is off. */
  tracing?: Tracing;
}

export interface DomainOptions {
  /** Its database has the limits of a write. */
  context: AppContext;
  /** The same database for calls that only read: they are turned away first, since a client can repeat them. */
  reads: Database;
  publicReads: PublicReads;
  userReads: UserReads;
}

/** The routes of a domain: a Fastify plugin, encapsulated, with typed schemas. */
export type DomainRoutes<Options extends object = DomainOptions> = FastifyPluginAsyncTypebox<Options>;

/** What is registered beside the domains; nothing is given where there is no API and no database. */
export type ServerPlugin = FastifyPluginAsync<{
  context?: {
    db: Database;
    config: Pick<Config, 'secret' | 'webhooks'> & Partial<Pick<Config, 'render' | 'staffUrl'>>;
  };
  /** What documents show of the shop. */
  pages?: {
    sql: Sql;
    responseCache: ResponseCache;
    publicReads: PublicReads;
    userReads: UserReads;
    config: Pick<Config, 'production' | 'sessionIdleSeconds' | 'providers' | 'indexed' | 'pictureOrigins'>;
  };
  /** What a domain of this name would be given. */
  optionsOf?: (name: string) => DomainOptions;
}>;

export interface Job {
  name: string;
  /** Seconds between runs. */
  every: number;
  /** Returns how many items it has processed. */
  run(context: AppContext): Promise<number>;
}

/** What a composition root adds to the shop's API: documents, releases, the console of staff and ops. */
export interface BackOffice {
  /** Called once, with the other settings, so that all faults are told at once. */
  readSettings(settings: Settings): void;
  /** On the shop's origin. */
  plugins: ServerPlugin[];
  /** On the origin of the staff console, after those of the shop. */
  consolePlugins: ServerPlugin[];
  jobs: Job[];
  /** For the terminal, once the console listens at this address. */
  notes(context: AppContext, consoleUrl: string): Promise<string[]>;
}
