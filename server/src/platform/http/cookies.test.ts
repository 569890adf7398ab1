import { cookieOf, setCookie } from '@platform/pages/cookies';
import { createServer } from './server';

const scope = { path: '/', sameSite: 'lax' } as const;

async function cookieFor(settings: { publicUrl?: string; trustProxy?: string }, headers: Record<string, string> = {}) {
  const app = createServer({ logger: false, trustProxy: settings.trustProxy ?? false, publicUrl: settings.publicUrl });
  app.get('/', async (request, reply) => setCookie(request, reply, 'a', cookieOf(request, 'a') ?? '', scope));
  const answer = await app.inject({ url: '/', headers: { cookie: 'b=2; a=1; aa=3', ...headers } });
  await app.close();
  return answer.headers['set-cookie'];
}
const byTls = { 'x-forwarded-proto': 'https' };

it.each([
  ['on plain http', {}, {}, 'a=1; Path=/; SameSite=Lax'],
  ['behind a proxy that is not trusted', {}, byTls, 'a=1; Path=/; SameSite=Lax'],
  ['behind a trusted proxy', { trustProxy: 'loopback' }, byTls, 'a=1; Path=/; Secure; SameSite=Lax'],
  ['with a public address on https', { publicUrl: 'https://shop.example' }, {}, 'a=1; Path=/; Secure; SameSite=Lax'],
  ['with one on http', { publicUrl: 'http://shop.example' }, {}, 'a=1; Path=/; SameSite=Lax'],
])('a cookie %s has the right attributes', async (_, settings, headers, expected) => {
  expect(await cookieFor(settings, headers)).toBe(expected);
});

it('a cookie without a value is removed', async () => {
  expect(await cookieFor({}, { cookie: 'aa=3' })).toBe('a=; Max-Age=0; Path=/; SameSite=Lax');
});
