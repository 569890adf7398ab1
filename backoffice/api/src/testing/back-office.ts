/** A server with releases, and people who ask it as the console does. */

import type { ServerPlugin } from '@shop/server/context';
import { errorHandler } from '@shop/server/platform/http/error-handler.plugin';
import type { App } from '@shop/server/platform/http/request';
import { requestLocale } from '@shop/server/platform/http/request-locale.plugin';
import { createServer } from '@shop/server/platform/http/server';
import { backOfficeWithReleases, type ReleasePluginsOptions } from '../ops/release-plugins';
import { BackOfficeSessions } from '../staff/back-office-sessions';
import type { StaffRole } from '../staff/roles';

export const breakGlass = 'a-token-for-tests';
export const config = { secret: 'a-secret-for-tests', webhooks: { urls: [], secret: '' } };
type Context = Parameters<ServerPlugin>[1]['context'];

export async function releaseServer(options: ReleasePluginsOptions, context?: Context): Promise<App> {
  const app = createServer({ logger: false, trustProxy: '127.0.0.1' });
  await app.register(errorHandler);
  await app.register(requestLocale);
  const given = { opsToken: breakGlass, openId: null, watchEvery: 0, forges: [], ...options };
  for (const plugin of backOfficeWithReleases(given).plugins) await app.register(plugin, { context });
  return app;
}

/** What the console's page sends and takes. */
export class Console {
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string> = {};

  constructor(readonly app: App) {}

  async ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, headers: Record<string, string> = {}) {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const own = { 'x-staff': 'act', ...(cookie && { cookie }), ...this.headers, ...headers };
    const answer = await this.app.inject({ method, url, headers: own, payload });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }

  withToken = (token = breakGlass, name = '安 Ann') => this.ask('POST', '/staff/api/session/token', { token, name });

  /** The status and the last line of the answer. */
  async act(call: string, body: object = {}, headers?: Record<string, string>) {
    const { statusCode: status, body: text } = await this.ask('POST', `/staff/api/releases/${call}`, body, headers);
    return { status, ...JSON.parse(text.trim().split('\n').at(-1) ?? '{}') };
  }
  async state() {
    return (await this.ask('GET', '/staff/api/releases/state')).json().result;
  }
  async status() {
    return (await this.ask('GET', '/staff/api/releases/state')).statusCode;
  }
}

/** Signed in with a password, as a server of the same secret makes it. */
export function personOf(app: App, name: string, role: StaffRole = 'ops', now?: () => number): Console {
  const person = new Console(app);
  const visitor = new BackOfficeSessions(config.secret, now).open({ name, way: 'password', subject: name, role });
  if (!visitor) throw new Error(`${role} has no session`);
  const [cookie = ''] = new BackOfficeSessions(config.secret).cookies(visitor, false);
  person.cookies.set('staff', cookie.slice('staff='.length, cookie.indexOf(';')));
  return person;
}
