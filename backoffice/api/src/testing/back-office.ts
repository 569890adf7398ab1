import type { ServerPlugin } from '@shop/server/context';
import { liveReleases, type ReleasesOptions } from '@shop/server/live-releases.plugin';
import type { Database } from '@shop/server/platform/db/database';
import { errorHandler } from '@shop/server/platform/http/error-handler.plugin';
import { type App, requestLocale } from '@shop/server/platform/http/request';
import { createServer } from '@shop/server/platform/http/server';
import { backOfficeWithReleases, type ReleasePluginsOptions } from '../ops/release-plugins';
import type { StaffRole } from '../people/roles';
import { openSession } from '../people/staff-sessions.service';
import { fromConsole } from './staff';

export const config = { secret: 'a-secret-for-tests', webhooks: { urls: [], secret: '' } };
type Context = NonNullable<Parameters<ServerPlugin>[1]['context']>;

export interface ReleaseServers {
  shop: App;
  console: App;
  db: Database;
  close(): Promise<void>;
}

export async function releaseServers(
  options: ReleasePluginsOptions & ReleasesOptions,
  context: Context,
): Promise<ReleaseServers> {
  const { plugins, consolePlugins } = backOfficeWithReleases({ forges: [], ...options });
  const serve = async (plugins: ServerPlugin[]) => {
    const app = createServer({ logger: false, trustProxy: '127.0.0.1' });
    await app.register(errorHandler);
    await app.register(requestLocale);
    for (const plugin of plugins) await app.register(plugin, { context });
    return app;
  };
  const shop = await serve([liveReleases({ watchEvery: 0, ...options }), ...plugins]);
  const console = await serve(consolePlugins);
  return {
    shop,
    console,
    db: context.db,
    close: async () => void (await Promise.all([shop.close(), console.close()])),
  };
}

export class Console {
  constructor(
    readonly app: App,
    readonly cookie = '',
  ) {}

  ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
    return this.app.inject({ method, url, headers: { ...fromConsole, cookie: this.cookie }, payload });
  }
  async run(call: string, body: object) {
    const { statusCode: status, body: text } = await this.ask('POST', `/staff/api/releases/${call}`, body);
    return { status, ...JSON.parse(text.trim().split('\n').at(-1) ?? '{}') };
  }
  async state() {
    return (await this.ask('GET', '/staff/api/releases/state')).json().result;
  }
}

export async function userOf({ console, db }: ReleaseServers, name: string, role: StaffRole = 'ops'): Promise<Console> {
  const id = await db.value<number>(
    `insert into staff_people (name, name_key, role) values ($1, $1, $2)
     on conflict (name_key) do update set role = excluded.role returning id`,
    [name, role],
  );
  const { token } = await openSession(db, { id, name, role }, '127.0.0.1');
  return new Console(console, `staff=${token}`);
}
