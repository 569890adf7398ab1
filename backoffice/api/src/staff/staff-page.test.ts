import { brotliDecompressSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { until } from '../../../../scripts/jest/until';
import { consolePage, staffPage } from './staff-page.plugin';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await app.register(staffPage);
});
afterAll(() => app.close());

it('sends its script with fewer bytes once it has been asked for', async () => {
  const [script = ''] = /\/staff\/staff-\w+\.js/.exec((await app.inject('/staff')).body) ?? [];
  const ask = async () => (await app.inject({ url: script, headers: { 'accept-encoding': 'br' } })).rawPayload;
  const first = await ask();
  const next = await until('the smaller script', async () => {
    const script = await ask();
    return script.length === first.length ? undefined : script;
  });
  expect(next.length).toBeLessThan(first.length * 0.95);
  expect(brotliDecompressSync(next).equals(brotliDecompressSync(first))).toBe(true);
});

it('takes frames of its own origin only, and only where there are some', async () => {
  const policyAt = async (url: string) =>
    String((await app.inject(url)).headers['content-security-policy']).split('; ');
  for (const url of ['/staff', '/ops'])
    expect(await policyAt(url)).toEqual(expect.arrayContaining(["frame-src 'self'", "frame-ancestors 'none'"]));
  const atSetup = await policyAt('/staff/setup');
  expect(atSetup.filter((one) => one.startsWith('frame-'))).toEqual(["frame-ancestors 'none'"]);
});

it('sends a document that is always revalidated, and its files, which are named by their content, to be stored for ever', async () => {
  const document = await app.inject('/staff');
  expect(document.headers['cache-control']).toBe('no-cache');
  const files = [...document.body.matchAll(/(?:src|href)="(\/staff\/[^"]+)"/g)].map(([, url = '']) => url);
  expect(files.map((file) => file.replace(/[0-9a-f]{16}/, '…'))).toEqual([
    '/staff/first-calls-….js',
    '/staff/staff-….css',
    '/staff/staff-….js',
  ]);
  const { chunks } = consolePage();
  const later = Object.keys(chunks).map((name) => `/staff/${name}`);
  expect(later.length).toBeGreaterThan(5);
  for (const file of [...files, ...later]) {
    const answer = await app.inject(file);
    expect([file, answer.statusCode]).toEqual([file, 200]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining("script-src 'self';"),
      'x-content-type-options': 'nosniff',
    });
  }
  expect((await app.inject('/staff/chunk-0123456789abcdef.js')).statusCode).toBe(404);
});
