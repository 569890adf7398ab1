/**
 * Shop and console over the sample releases of ops.test.ts, in the data folder that is its argument. A process of its own, because
 * Playwright takes six seconds to compile the server in each fresh clone, before any test starts. Prints both addresses, and the
 * credentials of three members of staff, as JSON.
 */
import path from 'node:path';
import { openStore } from '@platform/releases';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { staffPerson } from '@shop/backoffice/testing';
import { startServer } from '@shop/server/start';

async function serve(dataDir: string): Promise<void> {
  const store = openStore({ place: path.join(dataDir, 'releases') });
  const browserGate = async () => ({ check: 'browser', run: async () => [] });
  const { context, url, staffUrl, close } = await startServer({
    ...{ port: 0, host: '127.0.0.1', dataDir, seed: false, jobs: false },
    // Sample releases have no server build, and no pages that a browser could open.
    env: { SHOP_RENDER: 'off' },
    backOffice: backOfficeWithReleases({ store, watchEvery: 0, browserGate }),
  });
  const staff = await Promise.all(['Ann', 'Ben', 'Cid'].map((name) => staffPerson(context, name, 'ops')));
  console.log(JSON.stringify({ url, staffUrl, staff }));
  process.once('SIGTERM', () => void close());
}

void serve(process.argv[2] ?? '');
