import { buildApp } from '../../../server/src/app';
import { readConfig } from '../../../server/src/config';
import { Keyring } from '../../../server/src/platform/crypto/keyring';
import type { Database } from '../../../server/src/platform/db/database';
import { createProviders } from '../../../server/src/providers/create-providers';

/** The application without a port. It checks for changes before each response, so the response cache hides no query. */
export function inProcessShop(db: Database, dataDir: string) {
  const config = readConfig({
    dataDir,
    env: { ANSWERS_FRESH_MS: '0', WALLET_PROOF_ABOVE: 'CNY=90000000.00,USD=90000000.00' },
  });
  return buildApp({ db, config, keyring: new Keyring(config.cardKeys), providers: createProviders(config) });
}
