/** A cache in front of the shop, such as a CDN, which keeps whatever the shop's headers allow (docs/operating.md, caching). */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { nginx, startCache } from '../testing/nginx';
import { SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

const by = { by: 'ann' };
// `npm test` has nginx; without it these tests are skipped.
const onlyWithNginx = nginx ? describe : describe.skip;

onlyWithNginx('a cache in front of the shop', () => {
  let place: string;
  let store: Store;
  let app: FastifyInstance;
  let cache: Awaited<ReturnType<typeof startCache>>;
  let one: string;
  let two: string;
  /** Of the last document that the shop itself has sent. */
  let visit = 0;

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'shop-cached-'));
    store = openStore({ place });
    const account = { path: '/user', page: './user', module: '', title: '我的', flags: { requiresLogin: true } };
    for (const sample of [{ name: 'shell' }, { name: 'account', routes: [account] }]) {
      await publishSample(store, sample);
      await promote(store, { ...by, name: sample.name });
    }
    one = await publishSample(store, { text: 'one' });
    await promote(store, { ...by, name: 'catalog' });
    two = await publishSample(store, { text: 'two' });
    app = fastify();
    await app.register(
      documentPlugin({
        site: SITE,
        store: openStore({ place }),
        onDocument: (_request, reply) => void reply.header('set-cookie', `visit_token=${++visit}`),
      }),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    cache = await startCache(nginx ?? '', (app.server.address() as AddressInfo).port);
  });
  afterAll(async () => {
    await cache?.stop();
    await app?.close();
    await rm(place, { recursive: true, force: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(cache.origin + path, { headers: { accept: 'text/html', ...headers } });
    const { headers: answered, status } = answer;
    const token = Number(/visit_token=(\d+)/.exec(answered.getSetCookie().join())?.[1]);
    return { status, headers: answered, body: await answer.text(), from: answered.get('x-cache'), token };
  };

  it('keeps the files of releases and the icon, and forwards what forbids it to keep a document', async () => {
    for (const path of [`/r/catalog/${one}/home.dd.js`, '/icon.svg'])
      expect([path, (await get(path)).from, (await get(path)).from]).toEqual([path, 'MISS', 'HIT']);
    for (const path of ['/home', '/goods/7', '/user', '/no/such/page', '/releases/production.json']) {
      const [first, again] = [await get(path), await get(path)];
      expect([path, first.from, again.from]).toEqual([path, 'MISS', 'MISS']);
      expect(again.headers.get('cache-control')).not.toMatch(/max-age=[1-9]/);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(again.headers.get('vary')).toContain(path.startsWith('/releases') ? 'accept-encoding' : 'cookie');
    }
    expect((await get(`/home?release=catalog@${two}`)).headers.get('cache-control')).toBe('no-store');
  });

  it('has the shop answer each document, so that nobody gets the visit of another or of who is signed in', async () => {
    const cookies = ['', 'session=somebody; token=Bearer%20abc', ''];
    for (const path of ['/home', '/user']) {
      const tokens: number[] = [];
      for (const cookie of cookies) {
        const before = visit;
        const { token, body } = await get(path, { cookie, ...(cookie && { authorization: 'Bearer abc' }) });
        tokens.push(token);
        expect([token, body.includes('somebody')]).toEqual([before + 1, false]);
      }
      expect(new Set(tokens).size).toBe(cookies.length);
    }
  });
});
