import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { freePort, newFolder, nginx, readConfiguration, runNginx } from '@platform/pages/testing/nginx';
import { openStore, promote } from '@platform/releases';
import { publishLive, publishSample } from '@platform/releases/testing';
import { until } from '../../../scripts/jest/until';
import { openContext } from '../../src/start';
import { fillShop, type Shopper } from './fill-shop';
import { ShopProcess } from './shop-process';

/** Starts the real nginx with the project's caching proxy (cdn.conf) on a free port, in front of the servers at these ports. */
async function startNginx(servers: number[]) {
  const folder = await newFolder();
  const port = await freePort();
  const configured = readConfiguration('cdn.conf', folder);
  const [, options = ''] = /server shop-1:8080(.*);/.exec(configured) ?? [];
  const drained = new Set<number>();
  const upstream = () =>
    servers.map((server) => `server 127.0.0.1:${server}${options}${drained.has(server) ? ' down' : ''};`);
  const site = () =>
    configured
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace(/^ *server shop-\d:8080.*\n/gm, '')
      .replace(/^upstream .*$/m, (line) => [line, ...upstream()].join('\n'))
      .replace(/keepalive_timeout .*;/, `keepalive_timeout ${KEEP_ALIVE_MS}ms;`);
  const { log, reload, stop } = await runNginx({ program: nginx ?? '', folder, site: site() });
  const url = `http://127.0.0.1:${port}`;
  await until('an answer', () =>
    fetch(`${url}/api/front/goods/category`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    errors: () => log().replace(/^.*\[notice\].*\n/gm, ''),
    drain: (server: number) => {
      drained.add(server);
      return reload(site());
    },
    admit: (server: number) => {
      drained.delete(server);
      return reload(site());
    },
    stop,
  };
}

const DRAIN_SECONDS = 2;
/** Shorter than the draining time of a server, as deployed, by more than the proxy waits for a core on a busy machine. */
const KEEP_ALIVE_MS = 700;
const DRAIN_MS = DRAIN_SECONDS * 1000;

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

export async function startFleet(count: number, databaseUrl: string, releaseStore: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-fleet-'));
  const context = await openContext({ dataDir: folder, databaseUrl, env: {}, seed: false });
  const { goods, users } = await fillShop(context);
  await context.db.close();
  const store = openStore({ place: releaseStore });
  await publishLive(store, { name: 'shell', more: { 'server/main.js': SHELL_BUILD('one') } });
  await publishSample(store, { more: { 'server/main.js': remoteBuild({ '/home': "return '<p>home</p>';" }) } });
  await promote(store, { by: 'ann', name: 'catalog' });
  const shopEnv = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    RELEASE_STORE: releaseStore,
    TRUST_PROXY: 'loopback',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    LOG: 'on',
  };
  const servers = await Promise.all(Array.from({ length: count }, () => ShopProcess.start(shopEnv)));
  const front = await startNginx(servers.map(({ port }) => port));
  return {
    servers,
    front,
    goods,
    shopper: users[0] as Shopper,
    stop: async () => {
      await front.stop();
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

interface ApiAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

interface Call {
  token?: string;
  key?: string;
  body?: object;
  /** Milliseconds between the two halves of the body. */
  slowly?: number;
  onConnect?: () => void;
  agent?: http.Agent;
}

export function ask(url: string, call: Call = {}): Promise<ApiAnswer> {
  const { token, key, body, slowly = 0, onConnect, agent } = call;
  const bytes = body ? Buffer.from(JSON.stringify(body)) : undefined;
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method: bytes ? 'POST' : 'GET',
        agent,
        headers: {
          ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : { accept: 'text/html' }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { 'idempotency-key': key }),
          currency: 'CNY',
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', reject);
      },
    );
    // Retries as a browser does: if an idle keep-alive connection was closed, the server has not read the request. `reusedSocket`
    // is not reliable: it is not set if a request waited for a connection and got one as soon as it was free.
    let isReused = false;
    request.on('socket', (socket) => {
      isReused = !socket.connecting;
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isReused && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) resolve(ask(url, call));
      else reject(error);
    });
    // A connection kept alive from an earlier call is already connected.
    if (onConnect)
      request.on('socket', (socket) => (socket.connecting ? socket.once('connect', onConnect) : onConnect()));
    if (!bytes) return void request.end();
    const half = bytes.length >> 1;
    request.write(bytes.subarray(0, half));
    setTimeout(() => request.end(bytes.subarray(half)), slowly);
  });
}

const PAUSE_MS = 10;

/**
 * Limits of database calls (call-limits.ts) that servers reach on a machine without a free core, and that the shop reports as "try again".
 * Errors of a restart, such as a lock that is not released or a database that is closed too early, have other reasons.
 */
const TOO_SLOW =
  /statement timeout|Query read timeout|no connection within|timeout exceeded when trying to connect|connection timeout|ran no statement/;

async function whyBusy(servers: ShopProcess[], requestId: string): Promise<string> {
  const line = await until(`the reason of ${requestId} in a log`, () =>
    servers
      .flatMap(({ log }) => log.split('\n'))
      .find((entry) => entry.includes(requestId) && entry.includes('"reason"')),
  );
  return JSON.parse(line).reason;
}

export function startLoad({ servers, front, goods, shopper: { token } }: Fleet, shoppers: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: shoppers });
  const figures = { requests: 0, failures: [] as string[], documents: 0, rendered: 0 };
  const body = { goods_id: goods.card.id, spec_id: goods.card.spec, quantity: 1 };
  const calls: Array<[url: string, call?: Call]> = [
    ['/home'],
    ['/api/front/goods/list'],
    ['/api/front/order/preview', { token, body }],
    ['/releases/production.json'],
    ['/api/front/user/favourite', { token, body: { goods_id: goods.card.id } }],
    ['/api/front/user/info', { token }],
  ];
  let isOver = false;
  const answered = async (url: string, call: Call, tries = 20): Promise<ApiAnswer> => {
    const answer = await ask(front.url + url, call);
    if (answer.status !== 503 || !answer.text.includes('request_id')) return answer;
    const reason = await whyBusy(servers, JSON.parse(answer.text).request_id);
    return TOO_SLOW.test(reason) && tries > 1 ? answered(url, call, tries - 1) : { ...answer, text: reason };
  };
  const runCall = async ([url, call]: (typeof calls)[number]) => {
    figures.requests += 1;
    try {
      const { status, text } = await answered(url, { ...call, agent });
      const isRight = status === 200 && (!url.startsWith('/api/') || JSON.parse(text).code === 200);
      if (!isRight) figures.failures.push(`${url}: ${status} ${text.slice(0, 200)}`);
      if (url !== '/home') return;
      figures.documents += 1;
      if (text.includes('<p>home')) figures.rendered += 1;
    } catch (error) {
      figures.failures.push(`${url}: ${(error as Error).message}`);
    }
  };
  const shop = async (first: number) => {
    for (let at = first; !isOver; at += 1) {
      await runCall(calls[at % calls.length] as (typeof calls)[number]);
      // This is not a wait of the test: it sets the pace of the load.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const running = Array.from({ length: shoppers }, (_, index) => shop(index));
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
      return figures;
    },
  };
}

export async function restartInTurn({ servers, front, goods, shopper: { token } }: Fleet) {
  const body = { goods_id: goods.card.id, spec_id: goods.card.spec, quantity: 1 };
  const codes: unknown[] = [];
  const long: ApiAnswer[] = [];
  for (const server of servers) {
    const url = `http://127.0.0.1:${server.port}/api/front/order/preview`;
    let slow: Promise<ApiAnswer> | undefined;
    await new Promise<void>((onConnect) => {
      slow = ask(url, { token, body, slowly: 1.5 * DRAIN_MS, onConnect });
    });
    await front.drain(server.port);
    codes.push(await server.stop());
    long.push((await slow) as ApiAnswer);
    await server.start();
    await front.admit(server.port);
    await until('the first call', () => requestsOf(server, 'goods/list'));
  }
  return { codes, long };
}

export async function requestsOf(server: ShopProcess, route: string): Promise<number> {
  const { text } = await ask(`http://127.0.0.1:${server.port}/metrics`);
  const lines = text.split('\n').filter((line) => line.startsWith('shop_requests_total') && line.includes(route));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
