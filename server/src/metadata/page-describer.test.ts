import { emptyMap, type MapSource } from '@platform/releases';
import fastify from 'fastify';
import { DatabaseBusyError } from '../platform/db/database-busy';
import type { Sql } from '../platform/db/sql';
import { ResponseCache } from '../platform/response-cache/response-cache';
import { pageDescriber } from './page-describer';
import { plainDescription } from './plain-description';
import { searchEngines } from './search-engines.plugin';

const route = (path: string) => ({ path, page: './x', module: '', title: 'x' });

describe('while the database', () => {
  const describerWith = (answer: () => Promise<never>, log = { error: jest.fn() }) => {
    const sql = { row: answer, rows: answer, one: answer } as unknown as Sql;
    const describePage = pageDescriber({
      sql,
      responseCache: new ResponseCache(sql, 0),
      log,
      now: () => performance.now(),
    });
    const describe = (address: string, path = address) =>
      describePage({ route: route(path), address, language: 'zh-CN' });
    return { describe, log };
  };

  it.each([
    ['is busy', () => Promise.reject(new DatabaseBusyError('too many')), 0],
    ['fails', () => Promise.reject(new Error('disk on fire')), 1],
    ['does not answer', () => new Promise<never>(() => {}), 0],
  ])('%s, a product is answered with 503 and other pages with what their route says', async (_, answer, logged) => {
    jest.useFakeTimers();
    const { describe, log } = describerWith(answer);
    const described = Promise.all([
      describe('/goods/7', '/goods/:id'),
      describe('/goods?category_id=1', '/goods'),
      describe('/article/privacy'),
    ]);
    await jest.advanceTimersByTimeAsync(3_000);
    jest.useRealTimers();
    expect(await described).toEqual([{ status: 503 }, {}, {}]);
    expect(log.error).toHaveBeenCalledTimes(logged);
  });

  it('does not answer, one document waits for it and the others go out at once, until it answers again', async () => {
    jest.useFakeTimers();
    const hanging: Array<(reason: Error) => void> = [];
    let hangs = true;
    const answer = jest.fn(() =>
      hangs
        ? new Promise<never>((_, reject) => hanging.push(reject))
        : Promise.reject(new DatabaseBusyError('it answers')),
    );
    const { describe } = describerWith(answer);
    const first = describe('/goods/7', '/goods/:id');
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await first).toEqual({ status: 503 });
    // No time passes until these are there.
    expect(await describe('/goods/8', '/goods/:id')).toEqual({ status: 503 });
    expect(await describe('/article/privacy')).toEqual({});
    // After the pause one waits again, and the others still do not.
    await jest.advanceTimersByTimeAsync(1_000);
    const trial = describe('/goods/7', '/goods/:id');
    expect(await describe('/goods?category_id=1', '/goods')).toEqual({});
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await trial).toEqual({ status: 503 });
    hangs = false;
    for (const reject of hanging) reject(new DatabaseBusyError('too late'));
    await jest.advanceTimersByTimeAsync(1_999);
    const calls = answer.mock.calls.length;
    expect(await describe('/article/privacy')).toEqual({});
    expect(answer).toHaveBeenCalledTimes(calls);
    await jest.advanceTimersByTimeAsync(1);
    await describe('/article/privacy');
    expect(answer.mock.calls.length).toBeGreaterThan(calls);
    jest.useRealTimers();
  });

  it('fails, that is logged once in ten seconds', async () => {
    jest.useFakeTimers();
    const { describe, log } = describerWith(() => Promise.reject(new Error('disk on fire')));
    for (let second = 0; second < 15; second += 1) {
      await describe('/article/privacy');
      await jest.advanceTimersByTimeAsync(1_000);
    }
    jest.useRealTimers();
    expect(log.error).toHaveBeenCalledTimes(2);
  });

  it('is not needed, pages are described without it', async () => {
    const answer = jest.fn(() => Promise.reject(new Error('not asked')));
    const { describe } = describerWith(answer);
    expect(await describe('/home')).toEqual({});
    expect(await describe('/search?keyword=ys', '/search')).toEqual({ metadata: { noindex: true, path: null } });
    expect(await describe('/goods/none', '/goods/:id')).toMatchObject({ status: 404 });
    expect(answer).not.toHaveBeenCalled();
  });
});

describe('a description', () => {
  it('is the text of the page without headings, with a space between blocks', () => {
    expect(plainDescription('<h2>About</h2><p>A &amp; B<br>C</p><ul><li>1 &lt; 2</li></ul>')).toBe('A & B C 1 < 2');
  });

  it('ends at a word when it is cut', () => {
    const text = plainDescription(`<p>${'word '.repeat(60)}</p>`);
    expect(text).toMatch(/word…$/);
    expect(text.length).toBeLessThanOrEqual(160);
    expect([...plainDescription('字'.repeat(300))]).toHaveLength(160);
  });
});

it('without a database there is robots.txt, and no sitemap', async () => {
  const app = fastify();
  const source = { get: async () => emptyMap('production') } as MapSource;
  await app.register(searchEngines({ source, origin: 'https://shop.example', indexed: true }));
  const robots = await app.inject('/robots.txt');
  expect(robots.body).toContain('Disallow: /api/');
  expect(robots.body).not.toContain('Sitemap');
  expect((await app.inject('/sitemap.xml')).statusCode).toBe(404);
  await app.close();
});
