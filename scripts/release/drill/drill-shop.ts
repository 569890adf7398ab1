/** A shop that is thrown away: a temporary folder, free ports, an embedded database. Nothing is read from the environment of the user's shop. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withStaticSite } from '@platform/pages';
import { openStore, type Store } from '@platform/releases';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import serverCalls from '@shop/server/calls.json';
import type { ServerPlugin } from '@shop/server/context';
import { type RunningServer, startServer } from '@shop/server/start';
import { publishBuilds } from '../../publish-builds';

const HOST = '127.0.0.1';

/** What a browser of the drill has reported; the generated shoppers have other addresses. */
export interface TabReport {
  name: string;
  version: string;
  kind: string;
}

export interface DrillShop {
  url: string;
  store: Store;
  tabReports: readonly TabReport[];
  close(): Promise<void>;
}

export async function openDrillShop(say: (line: string) => void): Promise<DrillShop> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'shop-drill-'));
  const store = withStaticSite(openStore({ place: path.join(dataDir, 'store') }), { serverCalls });
  const tabReports: TabReport[] = [];
  const office = backOfficeWithReleases({ store, opsToken: 'drill' });
  const watched: ServerPlugin = async (app, options) => {
    app.addHook('preHandler', async ({ url, ip, body }) => {
      if (url !== '/api/health/report' || ip !== HOST) return;
      tabReports.push(...((body as { events?: TabReport[] } | null)?.events ?? []));
    });
    for (const plugin of office.plugins) await app.register(plugin, options);
  };
  let server: RunningServer | undefined;
  const close = async () => {
    await server?.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await publishBuilds(store, say);
    server = await startServer({
      port: 0,
      host: HOST,
      dataDir,
      env: { NODE_ENV: 'development', TRUST_PROXY: 'loopback' },
      backOffice: { ...office, plugins: [watched] },
      logger: false,
      // Of orders and mail; counting and watching are not among them.
      jobs: false,
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://${HOST}:${server.port}`, store, tabReports, close };
}
