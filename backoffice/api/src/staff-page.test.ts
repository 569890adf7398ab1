import fastify, { type FastifyInstance } from 'fastify';
import { consolePage, staffPage } from './staff-page.plugin';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await app.register(staffPage);
});
afterAll(() => app.close());

it('the console frames no page and cannot be framed', async () => {
  for (const url of ['/staff', '/ops', '/staff/setup']) {
    const policy = String((await app.inject(url)).headers['content-security-policy']).split('; ');
    expect(policy.filter((directive) => /^(default-src|frame-)/.test(directive))).toEqual([
      "default-src 'none'",
      "frame-ancestors 'none'",
    ]);
  }
});

it('the root of the console’s origin redirects to its page', async () => {
  const { statusCode, headers } = await app.inject('/');
  expect([statusCode, headers.location]).toEqual([302, '/staff']);
});

it('the console’s document is always revalidated, and its content-hashed files are cached forever', async () => {
  const document = await app.inject('/staff');
  expect(document.headers['cache-control']).toBe('no-cache, no-transform');
  const files = [...document.body.matchAll(/(?:src|href)="(\/staff\/[^"]+)"/g)].map(([, url = '']) => url);
  expect(files.map((file) => file.replace(/[0-9a-f]{16}/, '…'))).toEqual([
    '/staff/icon.svg',
    '/staff/staff-….css',
    '/staff/staff-….js',
  ]);
  const { chunks } = consolePage();
  const later = Object.keys(chunks).map((name) => `/staff/${name}`);
  expect(later.length).toBeGreaterThan(5);
  for (const file of [...files.filter((file) => !file.endsWith('.svg')), ...later]) {
    const answer = await app.inject(file);
    expect([file, answer.statusCode]).toEqual([file, 200]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      'content-security-policy': expect.stringContaining("script-src 'self';"),
      'x-content-type-options': 'nosniff',
    });
  }
  expect((await app.inject('/staff/chunk-0123456789abcdef.js')).statusCode).toBe(404);
});
