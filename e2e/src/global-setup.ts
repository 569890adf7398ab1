/**
 * Builds and publishes once, and starts the shop of all tests: on PostgreSQL if it is installed, else on PGlite. At night, files
 * start a separate shop from a copy of the template. As a program it makes the template only, in the folder of its argument:
 * `npm test` runs it while the server tests run.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../server/test/support/postgres';
import { startShop } from './shop';

export default async function globalSetup(): Promise<() => Promise<void>> {
  // Temporary folder of this run; files that a failed test leaves in it are deleted with it.
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-run-'));
  // PostgreSQL runs as another user when root starts it, and that user needs access.
  chmodSync(temporary, 0o755);
  process.env.TMPDIR = temporary;
  // `npm test` has made it already.
  const made = process.env.E2E_TEMPLATE_DIR;
  const template = made || mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-template-'));
  if (!made) await makeTemplate(template);
  const postgres = await startPostgres();
  const shop = await startShop({ template, env: postgres && { DATABASE_URL: postgres.url('postgres') } });
  Object.assign(process.env, { E2E_TEMPLATE_DIR: template, E2E_DATA_DIR: shop.dataDir });
  return async () => {
    await shop.stop();
    await postgres?.stop();
    rmSync(temporary, { recursive: true, force: true });
  };
}

/** The shop is stopped so that its database can be copied. */
const makeTemplate = async (dataDir?: string) => (await startShop({ dataDir })).stop();

if (require.main === module) makeTemplate(process.argv[2]);
