/** A shop that is thrown away: a temporary folder, free ports, an embedded database. Nothing is read from the environment of the user's shop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withStaticSite } from '@shop/document';
import { openStore, type Store } from '@shop/release';
import { buildApp } from '@shop/server/app';
import { type ReleasePlugin, releasePlugins } from '@shop/server/releases';
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
  /** Further servers on the same store and database, each with a clock that is so many minutes off. */
  addServers(clocks: readonly number[]): Promise<{ urls: string[]; close(): Promise<void> }>;
  close(): Promise<void>;
}

export async function openDrillShop(say: (line: string) => void): Promise<DrillShop> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'shop-drill-'));
  const store = withStaticSite(openStore({ place: path.join(dataDir, 'store') }));
  const tabReports: TabReport[] = [];
  const plugins = (clock = 0): ReleasePlugin[] => {
    const now = () => Date.now() + clock * 60_000;
    const { plugins: releases } = releasePlugins({ store, opsToken: 'drill', now });
    return [
      async (app, options) => {
        app.addHook('preHandler', async ({ url, ip, body }) => {
          if (url !== '/api/health/report' || ip !== HOST) return;
          tabReports.push(...((body as { events?: TabReport[] } | null)?.events ?? []));
        });
        for (const plugin of releases) await app.register(plugin, options);
      },
    ];
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
      plugins: plugins(),
      logger: false,
      // Of orders and mail; counting and watching are not among them.
      jobs: false,
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { context, port } = server;
  return {
    url: `http://${HOST}:${port}`,
    store,
    tabReports,
    async addServers(clocks) {
      const apps = await Promise.all(clocks.map((clock) => buildApp({ ...context, plugins: plugins(clock) })));
      const urls = await Promise.all(apps.map((app) => app.listen({ port: 0, host: HOST })));
      return {
        urls,
        async close() {
          await Promise.all(apps.map((app) => app.close()));
        },
      };
    },
    close,
  };
}
