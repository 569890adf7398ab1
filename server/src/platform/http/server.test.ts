import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { cookieOf, setCookie } from '@platform/pages/cookies';
import { budgetOf, networksOf } from './networks';
import { closePort, createServer } from './server';

/** Asks a server that answers the address of its client, and sets the cookie "a" to the value that it has. */
async function ask(settings: Partial<Parameters<typeof createServer>[0]>, headers: Record<string, string>) {
  const app = createServer({ logger: false, trustProxy: false, ...settings });
  app.get('/', async (request, reply) => {
    setCookie(request, reply, 'a', cookieOf(request, 'a') ?? '', { path: '/', sameSite: 'lax' });
    return request.ip;
  });
  const answer = await app.inject({ url: '/', headers });
  await app.close();
  return { address: answer.body, cookie: answer.headers['set-cookie'] };
}

const byTls = { 'x-forwarded-proto': 'https' };

it.each([
  ['on plain http', {}, {}, 'a=1; Path=/; SameSite=Lax'],
  ['behind a proxy that is not trusted', {}, byTls, 'a=1; Path=/; SameSite=Lax'],
  ['behind a trusted proxy', { trustProxy: 'loopback' }, byTls, 'a=1; Path=/; Secure; SameSite=Lax'],
  ['with a public address on https', { publicUrl: 'https://shop.example' }, {}, 'a=1; Path=/; Secure; SameSite=Lax'],
  ['with one on http', { publicUrl: 'http://shop.example' }, {}, 'a=1; Path=/; SameSite=Lax'],
  ['without a value, which removes it,', {}, { cookie: 'aa=3' }, 'a=; Max-Age=0; Path=/; SameSite=Lax'],
])('a cookie %s has the right attributes', async (_, settings, headers, expected) => {
  expect((await ask(settings, { cookie: 'b=2; a=1; aa=3', ...headers })).cookie).toBe(expected);
});

const SHOPPER = ['203.0.113.7/32', '203.0.113.0/24'];
const SIX = ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'];
const UNKNOWN_NETWORK = ['unknown'];

const written: Array<[entry: string, networks: string[]]> = [
  ['203.0.113.7', SHOPPER],
  ['203.0.113.7:54321', SHOPPER],
  ['::ffff:203.0.113.7', SHOPPER],
  ['[::ffff:203.0.113.7]:443', SHOPPER],
  ['"203.0.113.7:80"', SHOPPER],
  ['for=203.0.113.7;proto=https;by=10.0.0.1', SHOPPER],
  ['2001:db8:1:2ff:1::1', SIX],
  ['[2001:DB8:1:2ff::9]', SIX],
  ['[2001:db8:1:2ff::9]:51002', SIX],
  ['2001:db8:1:2ff:0:0:0:9:443', SIX],
  ['For="[2001:db8:1:2ff::9]:_port"', SIX],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['unknown', UNKNOWN_NETWORK],
  ['garbage:99', UNKNOWN_NETWORK],
  ['203.0.113.7.8', UNKNOWN_NETWORK],
  ['203.0.113.256:80', UNKNOWN_NETWORK],
  ['[2001:db8::1', UNKNOWN_NETWORK],
  ['shop.example', UNKNOWN_NETWORK],
];

it('all networks of an IPv6 /48 share eight budgets', () => {
  const budgets = Array.from({ length: 1_000 }, (_, index) => budgetOf(`2001:db8:5:${index.toString(16)}::1`));
  expect(new Set(budgets).size).toBe(8);
});

describe('the address of a request', () => {
  const addressOf = async (forwarded: string, trustProxy: false | string[] = ['loopback', '10.0.0.0/8']) =>
    (await ask({ trustProxy }, { 'x-forwarded-for': forwarded })).address;

  it.each(written)(
    'a request that a proxy forwards for %s has an address of these networks',
    async (entry, networks) => {
      expect(networksOf(await addressOf(entry)).map(({ block }) => block)).toEqual(networks);
    },
  );

  it.each([
    ['a proxy that has a port', '203.0.113.7:1111, 10.0.0.2:2222', '203.0.113.7'],
    ['a proxy in brackets', '203.0.113.7, [::ffff:10.0.0.2]:443', '203.0.113.7'],
    ['what the client wrote itself', '198.51.100.1, unknown, 203.0.113.7:5', '203.0.113.7'],
    ['thousands of entries', `${'1.1.1.1,'.repeat(1500)}203.0.113.7`, '203.0.113.7'],
    ['blank entries', ' , 203.0.113.7,, ', '203.0.113.7'],
    ['nothing but blanks', ' , ', '127.0.0.1'],
  ])('a request has the address before the trusted proxies after %s', async (_what, forwarded, address) => {
    expect(await addressOf(forwarded)).toBe(address);
  });

  it('without a trusted proxy a request has the address of its connection', async () => {
    expect(await addressOf('203.0.113.7', false)).toBe('127.0.0.1');
  });
});

const client = `
  const { parentPort, workerData: connected } = require('node:worker_threads');
  const http = require('node:http');
  parentPort.on('message', (port) => {
    const tell = (outcome) => parentPort.postMessage(outcome);
    http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }, ({ statusCode }) => tell(statusCode))
      .on('error', ({ code }) => tell(code))
      .on('socket', (socket) => socket.on('connect', () => {
        Atomics.store(connected, 0, 1);
        Atomics.notify(connected, 0);
      }))
      .end('{}');
  });
  parentPort.postMessage('ready');
`;

let worker: Worker | undefined;
afterEach(async () => void (await worker?.terminate()));

it('closing the port answers a connection that arrived just before, while the event loop was busy', async () => {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connected = new Int32Array(new SharedArrayBuffer(4));
  worker = new Worker(client, { eval: true, workerData: connected });
  await once(worker, 'message');
  const outcome = once(worker, 'message');
  // A timer runs before the event loop polls for connections.
  const closing = new Promise<void>((resolve) => setTimeout(() => resolve(closePort(server))));
  worker.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(connected, 0, 0, 55_000);
  expect(await outcome).toEqual([200]);
  await closing;
  expect(server.listening).toBe(false);
});
