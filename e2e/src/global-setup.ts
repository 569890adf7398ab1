/**
 * Builds, publishes, migrates and seeds once. The shop of all workers and those of single files start from copies of the result.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startShop } from './shop';

export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_DATA_DIR) return undefined;
  // Temporary folder of this run; files that a failed test leaves in it are deleted with it.
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-run-'));
  process.env.TMPDIR = temporary;
  // `npm test` has made it already.
  const made = process.env.E2E_TEMPLATE_DIR;
  const template = made || mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-template-'));
  // The shop is stopped so that its database can be copied.
  if (!made) await (await startShop({ dataDir: template })).stop();
  const shop = await startShop({ template });
  Object.assign(process.env, { E2E_TEMPLATE_DIR: template, E2E_DATA_DIR: shop.dataDir });
  return async () => {
    await shop.stop();
    rmSync(temporary, { recursive: true, force: true });
  };
}
