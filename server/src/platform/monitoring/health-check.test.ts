import { until } from '../../../../scripts/jest/until';
import { onEveryDatabase, onOneDatabase } from '../../../test/support/test-app';
import { lockTable } from '../../../test/support/waiting-calls';
import { buildApp } from '../../app';
import { readMigrations } from '../db/schema';

onEveryDatabase('/healthz', (testApp) => {
  const ask = async (url = '/healthz', address = '127.0.0.1', headers: Record<string, string> = {}) => {
    const { status, text } = await testApp().call('GET', url, undefined, { address, headers });
    return { status, body: JSON.parse(text) };
  };
  /** Polls until this part is the first failing one, or all are healthy, because on a slow machine another part may time out. */
  const says = (part?: string, ...call: Parameters<typeof ask>) =>
    until(`/healthz to say ${part ?? 'ok'}`, async () => {
      const { status, body } = await ask(...call);
      return body.part === part ? { status, body } : undefined;
    });
  const ready = { status: 200, body: { status: 'ok' } };
  const without = (part: string) => ({ status: 503, body: { status: 'unavailable', part } });

  it('/healthz reports that the database hangs, and that it works again', async () => {
    expect(await says()).toEqual(ready);
    const unlock = await lockTable(testApp().db, 'schema_migrations');
    const { status, body } = await ask();
    const live = await testApp().get('/livez');
    await unlock();
    expect([status, body]).toEqual([503, { status: 'unavailable', part: 'database' }]);
    expect(live.status).toBe(200);
    expect(await says()).toEqual(ready);
  });

  it('/healthz reports missing migrations', async () => {
    const newest = readMigrations().at(-1) as { version: number; name: string };
    await testApp().db.script(`delete from schema_migrations where version = ${newest.version}`);
    expect(await says('migrations')).toEqual(without('migrations'));
    expect((await says('migrations', '/healthz?full')).body.parts.migrations).toBe(`missing: ${newest.version}`);
    await testApp().db.script(
      `insert into schema_migrations (version, name) values (${newest.version}, '${newest.name}')`,
    );
    expect(await says()).toEqual(ready);
  });

  it('/healthz?full lists backends on this machine only, not through a proxy', async () => {
    expect((await says(undefined, '/healthz?full')).body).toMatchObject({
      status: 'ok',
      parts: { database: 'ok', migrations: 'ok' },
      database: { schema: readMigrations().at(-1)?.version, load: { read: { waiting: 0 } } },
      jobs: expect.any(Array),
    });
    expect((await says(undefined, '/healthz?full', '203.0.113.7')).body).toEqual({ status: 'ok' });
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    expect((await says(undefined, '/healthz?full', '127.0.0.1', proxied)).body).toEqual({ status: 'ok' });
    expect((await testApp().call('GET', '/metrics', undefined, { headers: proxied })).status).toBe(404);
  });
});

onOneDatabase('/metrics', (testApp) => {
  it('/metrics serves another machine only with the token', async () => {
    const token = 'q7Zx2mLw9RtY4bVn8KsD3fGh';
    const { context } = testApp();
    const app = await buildApp({ ...context, config: { ...context.config, metricsToken: token } });
    const ask = async (authorization?: string) => {
      const headers = authorization ? { authorization } : {};
      return (await app.inject({ url: '/metrics', remoteAddress: '203.0.113.7', headers })).statusCode;
    };
    for (const wrong of [undefined, 'Bearer ', `Bearer ${token}x`, token]) expect(await ask(wrong)).toBe(404);
    expect(await ask(`Bearer ${token}`)).toBe(200);
    await app.close();
    expect(
      (await testApp().get('/metrics', { address: '203.0.113.7', headers: { authorization: 'Bearer ' } })).status,
    ).toBe(404);
  });
});
