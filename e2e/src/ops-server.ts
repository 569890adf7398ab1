/**
 * The console over the sample releases of ops.test.ts, in the data folder that is its argument. A process of its own, because Playwright
 * takes six seconds to compile the server in each fresh clone, before any test starts. Prints its address.
 */
import path from 'node:path';
import { openStore } from '@platform/releases';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { buildApp } from '@shop/server/app';
import { openContext } from '@shop/server/start';

async function serve(dataDir: string, opsToken: string): Promise<void> {
  const store = openStore({ place: path.join(dataDir, 'releases') });
  // Sample releases have no server build, and no pages that a browser could open.
  const context = await openContext({ dataDir, env: { SHOP_RENDER: 'off' }, seed: false });
  const browserGate = async () => ({ check: 'browser', run: async () => [] });
  const { plugins } = backOfficeWithReleases({ store, opsToken, watchEvery: 0, browserGate });
  const app = await buildApp({ ...context, plugins });
  console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
  process.once('SIGTERM', async () => {
    await app.close();
    await context.db.close();
  });
}

const [dataDir = '', opsToken = ''] = process.argv.slice(2);
void serve(dataDir, opsToken);
