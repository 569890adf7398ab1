import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '../../../scripts/jest/until';
import { ask, type Fleet, restartInTurn, startFleet, startLoad } from '../support/fleet';
import { nginx } from '../support/nginx';
import { createDatabase } from '../support/postgres';
import { kinds } from '../support/test-app';

if (!nginx) console.warn('\nnginx was not found (NGINX_PATH, /usr/sbin): the rolling restart behind it is skipped.');
const together = kinds.includes('postgres') && nginx ? describe : describe.skip;
const count = process.env.TEST_FULL ? 4 : 2;

together(`${count} servers on one PostgreSQL and one release store behind nginx`, () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'shop-rolling-'));
  let fleet: Fleet;

  beforeAll(async () => {
    const databaseUrl = await createDatabase(`rolling_${process.pid}`);
    fleet = await startFleet({ servers: count, databaseUrl, releaseStore: path.join(place, 'store') });
  }, 600_000);
  afterAll(async () => {
    await fleet?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  it('are restarted in turn under load without one failed request', async () => {
    const load = startLoad(fleet, 6);
    const { codes, long } = await restartInTurn(fleet);
    const { requests, failures, documents, rendered } = await load.stop();
    expect([failures, failures.length > 0 && fleet.front.errors()]).toEqual([[], false]);
    expect(codes).toEqual(Array(count).fill(0));
    expect(long.map(({ status, text }) => [status, JSON.parse(text).code])).toEqual(Array(count).fill([200, 200]));
    expect(requests).toBeGreaterThan(100);
    expect(rendered).toBeGreaterThan(documents / 2);
  }, 600_000);

  it('are not ready while they drain, answer meanwhile and on a connection taken before the port closed, and end each connection with its response', async () => {
    const [server] = fleet.servers;
    if (!server) throw new Error('no server');
    const url = `http://127.0.0.1:${server.port}`;
    const stopped = server.stop();
    let ready = await ask(`${url}/healthz`);
    while (ready.status === 200) ready = await ask(`${url}/healthz`);
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: 'unavailable', part: 'stopping' }]);
    const list = await ask(`${url}/api/front/goods/list`);
    expect([list.status, list.headers.connection]).toEqual([200, 'close']);
    expect((await ask(`${url}/livez`)).status).toBe(200);
    const taken = connect(server.port, '127.0.0.1');
    await once(taken, 'connect');
    await until('the port to close', async () => !(await isOpen(server.port)));
    taken.end('GET /livez HTTP/1.1\r\nhost: shop\r\n\r\n');
    const [answer] = (await once(taken, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await stopped).toBe(0);
  });
});

/** Whether somebody listens there. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}
