import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ReleaseApiClient, type ReleaseService, serviceOfStore, UsageError } from '@platform/releases/service';
import { openShopStore, SHOP_SERVER } from '../shop-store';

type Place = Partial<Record<'shop' | 'store' | 'by' | 'against', string>>;

export function serviceOf(values: Place, env: NodeJS.ProcessEnv): ReleaseService {
  const { shop = env.RELEASE_SHOP, store, by, against } = values;
  if (!shop || store) {
    if (values.shop) throw new UsageError('--shop and --store exclude each other');
    return serviceOfStore(openShopStore(env, { place: store }), {
      by: by ?? env.RELEASE_BY ?? account(),
      server: SHOP_SERVER,
      // Loaded on demand: a rollback works without a browser, a compiler and documents.
      async browserGate() {
        const { browserGateOrReason } = await import('./shop-gate');
        return browserGateOrReason(against ?? runningShop(env), env);
      },
    });
  }
  if (by) throw new UsageError('--by is for work on the store itself; with --shop the key names the author');
  if (against)
    throw new UsageError('--against is for work on the store itself; the shop of --shop gates against itself');
  return new ReleaseApiClient(shop, env);
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The shop that runs on this data folder; `npm start` writes its address there. */
export function runningShop(env: NodeJS.ProcessEnv): string | null {
  if (env.SHOP_URL !== undefined) return env.SHOP_URL || null;
  try {
    return readFileSync(path.join(env.DATA_DIR || '.data', 'shop-url'), 'utf8').trim();
  } catch {
    return null;
  }
}
