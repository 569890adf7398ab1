/** Builds, publishes, migrates and seeds once; each worker's shop starts from a copy of the resulting data folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startShop } from './shop';

export default async function globalSetup(): Promise<(() => void) | undefined> {
  if (process.env.E2E_DATA_DIR) return undefined;
  const template = mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-template-'));
  const shop = await startShop({ dataDir: template });
  await shop.stop();
  process.env.E2E_TEMPLATE_DIR = template;
  return () => rmSync(template, { recursive: true, force: true });
}
