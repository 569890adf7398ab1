import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from './config';
import type { Keyring } from './platform/crypto/keyring';
import type { Database } from './platform/db/database';
import type { Tracing } from './platform/monitoring/tracing/tracing';
import type { PublicReads } from './platform/response-cache/public-reads';
import type { Providers } from './providers/providers';
import type { BackOfficeSessions } from '@shop/backoffice/staff/back-office-sessions';

/** What every domain works with; opened once at start. */
export interface AppContext {
  db: Database;
  config: Config;
  keyring: Keyring;
  providers: Providers;
  /** Undefined while it is off. */
  tracing?: Tracing;
}

/** Of a server. */
export interface ServerContext extends AppContext {
  /** Of the back office. */
  sessions: BackOfficeSessions;
}

export interface DomainOptions {
  /** Its database has the limits of a write. */
  context: ServerContext;
  /** The same database for calls that only read: they are turned away first, since a client can repeat them. */
  reads: Database;
  publicReads: PublicReads;
}

/** The routes of a domain: a Fastify plugin, encapsulated, with typed schemas. */
export type DomainRoutes = FastifyPluginAsyncTypebox<DomainOptions>;
