import { DatabaseBusyError } from '../platform/db/database-busy';
import type { Sql } from '../platform/db/sql';
import { PublicReads } from '../platform/response-cache/public-reads';
import { ResponseCache } from '../platform/response-cache/response-cache';
import { plainDescription } from './kinds/plain-description';
import { type PageKinds, pageDescriber } from './page-describer';

const kinds: PageKinds = {
  thing: {
    describe: ({ parameters: { id } }, read) =>
      id === 'none' ? { status: 404 } : read(['thing', id], async () => ({ data: { title: `Thing ${id}` } })),
    withoutData: { status: 503 },
  },
  text: { describe: ({ parameters: { id } }, read) => read(['text', id], async () => ({ data: { title: 'Text' } })) },
};

describe('page descriptions', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const describerWith = (answer: () => Promise<never>, log = { error: jest.fn() }) => {
    const sql = { row: answer, rows: answer, one: answer } as unknown as Sql;
    const responseCache = new ResponseCache(sql, 0);
    const publicReads = new PublicReads(responseCache);
    const describePage = pageDescriber({ kinds, responseCache, publicReads, log });
    const describe = (address: string, kind = 'thing', path = '/things/:id') =>
      describePage({ route: { path, kind, page: './x', module: '', title: 'x' }, address, language: 'zh-CN' });
    return { describe, log };
  };

  it.each([
    ['is busy', () => Promise.reject(new DatabaseBusyError('too many')), 0],
    ['fails', () => Promise.reject(new Error('disk on fire')), 1],
    ['does not answer', () => new Promise<never>(() => {}), 0],
  ])(
    'when the database %s, a page gets its kind’s fallback, or the metadata of its route',
    async (_, answer, logged) => {
      const { describe, log } = describerWith(answer);
      const described = Promise.all([describe('/things/7'), describe('/texts/7', 'text', '/texts/:id')]);
      await jest.advanceTimersByTimeAsync(3_000);
      expect(await described).toEqual([{ status: 503 }, {}]);
      expect(log.error).toHaveBeenCalledTimes(logged);
    },
  );

  it('when the database hangs, one document waits for it and others are sent at once, until it responds again', async () => {
    const hanging: Array<(reason: Error) => void> = [];
    let hangs = true;
    const answer = jest.fn(() =>
      hangs
        ? new Promise<never>((_, reject) => hanging.push(reject))
        : Promise.reject(new DatabaseBusyError('it answers')),
    );
    const { describe } = describerWith(answer);
    const first = describe('/things/7');
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await first).toEqual({ status: 503 });
    expect(await describe('/things/8')).toEqual({ status: 503 });
    expect(await describe('/about', 'text', '/about')).toEqual({});
    await jest.advanceTimersByTimeAsync(1_000);
    const trial = describe('/things/7');
    expect(await describe('/about', 'text', '/about')).toEqual({});
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await trial).toEqual({ status: 503 });
    hangs = false;
    for (const reject of hanging) reject(new DatabaseBusyError('too late'));
    await jest.advanceTimersByTimeAsync(1_999);
    const calls = answer.mock.calls.length;
    expect(await describe('/about', 'text', '/about')).toEqual({});
    expect(answer).toHaveBeenCalledTimes(calls);
    await jest.advanceTimersByTimeAsync(1);
    await describe('/about', 'text', '/about');
    expect(answer.mock.calls.length).toBeGreaterThan(calls);
  });

  it('a failing database is logged at most once in ten seconds', async () => {
    const { describe, log } = describerWith(() => Promise.reject(new Error('disk on fire')));
    for (let second = 0; second < 15; second += 1) {
      await describe('/about', 'text', '/about');
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(log.error).toHaveBeenCalledTimes(2);
  });

  it('pages that need no data are described without the database', async () => {
    const answer = jest.fn(() => Promise.reject(new Error('not asked')));
    const { describe } = describerWith(answer);
    expect(await describe('/home', 'unheard-of')).toEqual({});
    expect(await describe('/home', 'constructor')).toEqual({});
    expect(await describe('/things/none')).toEqual({ status: 404 });
    expect(answer).not.toHaveBeenCalled();
  });
});

it('a plain description is the text without headings, with a space between blocks, and ends at a word if it is long', () => {
  expect(plainDescription('<h2>About</h2><p>A &amp; B<br>C</p><ul><li>1 &lt; 2</li></ul>')).toBe('A & B C 1 < 2');
  const text = plainDescription(`<p>${'word '.repeat(60)}</p>`);
  expect(text).toMatch(/word…$/);
  expect(text.length).toBeLessThanOrEqual(160);
  expect([...plainDescription('字'.repeat(300))]).toHaveLength(160);
});
