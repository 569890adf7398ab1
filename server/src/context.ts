import type { Config } from './config';
import type { Keyring } from './crypto/keyring';
import type { Database } from './db/database';
import type { Providers } from './providers/providers';

/** What every domain works with; opened once at start. */
export interface AppContext {
  db: Database;
  config: Config;
  keyring: Keyring;
  providers: Providers;
}
