import { gate, promote, promoteTogether, rollback, servedReleases, serverFaults } from '../operations';
import { openStore } from '../store/open-store';
import type { Store } from '../store/store';
import { publishSample, type Sample, scratch } from '../testing/fixture';
import { callFaults } from './call-faults';
import { checkCalls } from './check-uses';

const by = { by: 'ann' };
let store: Store;
beforeEach(async () => {
  store = openStore({ place: await scratch() });
  await live({ name: 'shell' });
});

async function live(given: Sample, traffic?: number): Promise<string> {
  const version = await publishSample(store, given);
  await promote(store, { ...by, name: given.name ?? 'catalog', version, traffic });
  return version;
}
const page = (path: string, query: string[] = []) => ({
  path,
  page: './main',
  module: './src/main.tsx',
  title: { 'zh-CN': '页', en: 'Page' },
  query,
});
const link = (path: string, remote?: string, query: string[] = []) => ({ links: { [path]: { query, remote } } });

describe('links', () => {
  it('of a release need a live page each, by the shape of the path and the parameters that it reads', async () => {
    const shown = await live({ name: 'catalog', routes: [page('/things/:id', ['size'])] });
    await live({ name: 'orders', uses: link('/things/:key', 'catalog', ['size']) });
    await expect(live({ name: 'orders', text: 'two', uses: link('/things', 'catalog') })).rejects.toThrow(
      `links to /things, for which catalog@${shown} has no page`,
    );
    await expect(
      live({ name: 'orders', text: 'three', uses: link('/things/:id', 'catalog', ['colour']) }),
    ).rejects.toThrow(`whose page in catalog@${shown} does not read "colour"`);
  });

  it('of a query name what the page does not read, and nothing else', async () => {
    const plain = { ...page('/all'), query: undefined };
    const shown = await live({ name: 'catalog', routes: [plain, page('/things', ['size', 'place'])] });
    await expect(live({ name: 'orders', uses: link('/things', 'catalog', ['size', 'colour']) })).rejects.toThrow(
      `links to /things, whose page in catalog@${shown} does not read "colour"`,
    );
    await expect(live({ name: 'orders', text: 'two', uses: link('/all', 'catalog', ['size']) })).rejects.toThrow(
      `links to /all, whose page in catalog@${shown} does not read "size"`,
    );
  });

  it('of the shell need a page of a remote, and it has none itself', async () => {
    const shown = await live({ name: 'catalog', routes: [page('/things')] });
    await live({ name: 'shell', text: 'two', uses: link('/things', 'catalog') });
    await expect(live({ name: 'shell', text: 'three', uses: link('/gone', 'catalog') })).rejects.toThrow(
      `links to /gone, for which catalog@${shown} has no page`,
    );
  });

  it('to a remote of elsewhere need it to be live; to one of the same sources they wait while nothing of it is live', async () => {
    await expect(live({ name: 'orders', uses: link('/gifts') })).rejects.toThrow(
      'links to /gifts, for which no live release has a page',
    );
    const version = await publishSample(store, { name: 'orders', text: 'two', uses: link('/gifts', 'gifts') });
    const { checks } = await gate(store, { name: 'orders', version });
    expect(checks).toContainEqual({
      check: 'links',
      outcome: 'passed',
      detail: '2 pages linked to; nothing is live yet of gifts',
    });
  });

  it('hold a page that somebody live links to, also one that only the canary lacks, and both are named', async () => {
    await live({ name: 'catalog', routes: [page('/things'), page('/things/:id')] });
    const linking = await live({ name: 'orders', uses: link('/things/:id', 'catalog') });
    const without = await publishSample(store, { name: 'catalog', text: 'two', routes: [page('/things')] });
    for (const traffic of [10, undefined])
      await expect(promote(store, { ...by, name: 'catalog', version: without, traffic })).rejects.toThrow(
        `orders@${linking} links to /things/:id, ${traffic ? `which catalog@${without} has no page for` : 'for which'}`,
      );
    // Nobody links to it any more.
    await live({ name: 'orders', text: 'two' });
    await promote(store, { ...by, name: 'catalog', version: without });
  });

  it('of a canary to its own new page pass, and those of others wait until all visitors have it', async () => {
    await live({ name: 'catalog', routes: [page('/things')] });
    const next = await live(
      { name: 'catalog', text: 'two', routes: [page('/things'), page('/new')], uses: link('/new', 'catalog') },
      10,
    );
    await expect(live({ name: 'orders', uses: link('/new', 'catalog') })).rejects.toThrow('has no page for');
    await promote(store, { ...by, name: 'catalog', version: next });
    await live({ name: 'orders', uses: link('/new', 'catalog') });
  });

  it('of a canary to a page that only the version before it has are broken', async () => {
    await live({ name: 'catalog', routes: [page('/things'), page('/old')] });
    const next = { name: 'catalog', text: 'two', routes: [page('/things')], uses: link('/old', 'catalog') };
    const version = await publishSample(store, next);
    await expect(promote(store, { ...by, name: 'catalog', version, traffic: 10 })).rejects.toThrow(
      `catalog@${version} links to /old, for which catalog@${version} has no page`,
    );
  });

  it('are those of a release by its name and version, not of another with the same version', async () => {
    const version = '1.0.0-aaaaaaaa';
    await live({ name: 'catalog', routes: [page('/things')] });
    await live({ name: 'orders', version, uses: link('/things', 'catalog') });
    await expect(live({ name: 'catalog', version, routes: [page('/all')] })).rejects.toThrow(
      `orders@${version} links to /things`,
    );
  });

  it('that a rollback has broken hold up nobody but the release that links', async () => {
    const earlier = await live({ name: 'catalog', routes: [page('/things')] });
    await live({ name: 'catalog', text: 'two', routes: [page('/things'), page('/new')] });
    await live({ name: 'orders', uses: link('/new', 'catalog') });
    await expect(rollback(store, { ...by, name: 'catalog', why: 'errors' })).rejects.toThrow('links to /new');
    await rollback(store, { ...by, name: 'catalog', why: 'errors', anyway: true });
    await live({ name: 'gifts' });
    await expect(live({ name: 'orders', text: 'two', uses: link('/new', 'catalog') })).rejects.toThrow(
      `links to /new, for which catalog@${earlier} has no page`,
    );
  });

  it('that are broken already hold up nobody else, and releases that break each other alone go together', async () => {
    await live({ name: 'catalog', routes: [page('/things')] });
    await live({ name: 'orders', uses: link('/things', 'catalog') });
    const moved = await publishSample(store, { name: 'catalog', text: 'two', routes: [page('/all')] });
    const follows = await publishSample(store, { name: 'orders', text: 'two', uses: link('/all', 'catalog') });
    await expect(promote(store, { ...by, name: 'catalog', version: moved })).rejects.toThrow('links to /things');
    await expect(promote(store, { ...by, name: 'orders', version: follows })).rejects.toThrow('links to /all');
    await promoteTogether(store, {
      ...by,
      releases: [
        { name: 'catalog', version: moved },
        { name: 'orders', version: follows },
      ],
    });
  });
});

const shape = (answer: Record<string, string>, takes: Record<string, string> = {}) => ({
  takes,
  answer: { '': 'object', ...answer },
});

describe('calls', () => {
  const calls = {
    'GET /api/things': shape({ list: 'array', 'list.*.price': 'string' }, { page: 'integer|undefined' }),
  };

  it('that the server has not, or answers otherwise, are refused with the release, the call and the field', async () => {
    const version = await publishSample(store, { name: 'catalog', uses: { calls } });
    const judged = async (serverCalls: Store['serverCalls']) => {
      const { checks } = await gate({ ...store, serverCalls }, { name: 'catalog', version });
      return checks.find(({ check }) => check === 'calls');
    };
    expect(await judged(calls)).toEqual({ check: 'calls', outcome: 'passed', detail: '1 calls with their fields' });
    expect(await judged(undefined)).toMatchObject({ outcome: 'skipped' });
    expect(checkCalls('catalog@1', undefined, calls)).toMatchObject({
      outcome: 'skipped',
      detail: expect.stringContaining('does not say what it calls'),
    });
    expect(await judged({})).toMatchObject({
      outcome: 'failed',
      detail: `catalog@${version} uses GET /api/things, which this server has not`,
    });
    expect(await judged({ 'GET /api/things': shape({ list: 'array' }, { page: 'integer|undefined' }) })).toMatchObject({
      outcome: 'failed',
      detail: `catalog@${version} uses GET /api/things: "list.*.price", which is not answered any more`,
    });
  });

  it.each([
    [
      'a field that may be missing',
      shape({ name: 'string' }),
      shape({ name: 'string|undefined' }),
      '"name", which may now be missing',
    ],
    [
      'a list that is gone is told once',
      shape({ list: 'array', 'list.*': 'object', 'list.*.id': 'integer' }),
      shape({}),
      '"list", which is not answered any more',
    ],
    [
      'an answer that may be null',
      shape({}),
      { takes: {}, answer: { '': 'null|object' } },
      'the answer, which may now be null',
    ],
    [
      'a value that is needed',
      shape({}, { id: 'integer|undefined' }),
      shape({}, { id: 'integer' }),
      'without "id", which is now needed',
    ],
    [
      'an answer that may be anything',
      shape({ name: 'string' }),
      shape({ name: 'unknown' }),
      '"name", which may now be anything',
    ],
    [
      'a field that may be two things more',
      shape({ name: 'string' }),
      shape({ name: 'null|string|undefined' }),
      '"name", which may now be null or missing',
    ],
    [
      'a value that may have been left out and is needed in what is sent',
      shape({}, { box: 'object', 'box.id': 'integer|undefined' }),
      shape({}, { box: 'object', 'box.id': 'integer', 'box.list.*': 'string' }),
      'without "box.id", which is now needed',
    ],
    [
      'a value that is not taken once, without what is in it',
      shape({}, { box: 'object', 'box.id': 'integer' }),
      shape({}),
      '"box", which is not taken any more',
    ],
    [
      'a number where a whole one is taken',
      shape({}, { id: 'number' }),
      shape({}, { id: 'integer' }),
      '"id" as number, which is not taken any more',
    ],
    [
      'an answer that is gone',
      shape({ name: 'string' }),
      { takes: {}, answer: {} },
      'the answer, which is not answered any more',
    ],
    [
      'a text where a number is taken',
      shape({}, { id: 'string' }),
      shape({}, { id: 'number' }),
      '"id" as string, which is not taken any more',
    ],
    ['a value that is not taken', shape({}, { old: 'string' }), shape({}), '"old", which is not taken any more'],
    [
      'a value of another type',
      shape({}, { id: 'string' }),
      shape({}, { id: 'integer' }),
      '"id" as string, which is not taken any more',
    ],
  ])('name %s', (_, used, now, fault) => {
    expect(callFaults({ 'GET /api/x': used }, { 'GET /api/x': now })).toEqual([`GET /api/x: ${fault}`]);
  });

  it('name two fields that begin with the same letters each', () => {
    const [used, now] = [
      shape({ list: 'array', lists: 'array', name: 'string' }, { old: 'string', older: 'string' }),
      shape({ name: 'null|string' }),
    ];
    expect(callFaults({ 'GET /api/x': used }, { 'GET /api/x': now })).toEqual(
      [
        '"list", which is not answered any more',
        '"lists", which is not answered any more',
        '"name", which may now be null',
        '"old", which is not taken any more',
        '"older", which is not taken any more',
      ].map((fault) => `GET /api/x: ${fault}`),
    );
  });

  it.each([
    [
      'more fields and calls',
      shape({ name: 'string' }),
      shape({ name: 'string', more: 'integer' }, { more: 'string|undefined' }),
    ],
    ['a field that is always there now', shape({ name: 'string|undefined' }), shape({ name: 'string' })],
    ['whole numbers and numbers in an answer', shape({ price: 'integer' }), shape({ price: 'number' })],
    ['a field of which anything was expected', shape({ name: 'unknown' }), shape({ name: 'null|string' })],
    ['whole numbers where numbers are taken', shape({}, { id: 'integer' }), shape({}, { id: 'number' })],
    [
      'a value that may be left out where it is taken',
      shape({}, { id: 'integer|undefined' }),
      shape({}, { id: 'integer|undefined', more: 'string|undefined' }),
    ],
    ['a value that takes more than before', shape({}, { id: 'integer' }), shape({}, { id: 'number|string' })],
    [
      'a needed field in a value that is not sent',
      shape({}),
      shape({}, { box: 'object|undefined', 'box.id': 'integer' }),
    ],
  ])('are not broken by %s', (_, used, now) => {
    expect(callFaults({ 'GET /api/x': used }, { 'GET /api/x': now, 'GET /api/y': now })).toEqual([]);
  });
});

describe('what is to go', () => {
  const server = { 'GET /api/x': { ...shape({ name: 'string', old: 'string' }), retires: { old: '2027-01-31' } } };
  const used = (...fields: string[]) => ({
    links: {},
    calls: { 'GET /api/x': shape(Object.fromEntries(fields.map((field) => [field, 'string']))) },
  });
  const judged = (uses: ReturnType<typeof used>, day: string) => checkCalls('catalog@1', uses, server, Date.parse(day));

  it('is told to a release that uses it, and refused from its date on', () => {
    expect(judged(used('name', 'old'), '2027-01-30')).toEqual({
      check: 'calls',
      outcome: 'passed',
      detail: '1 calls with their fields; GET /api/x: "old", which will be retired on 2027-01-31',
    });
    expect(judged(used('name', 'old'), '2027-01-31')).toEqual({
      check: 'calls',
      outcome: 'failed',
      detail: 'catalog@1 uses GET /api/x: "old", which is retired on 2027-01-31',
    });
    expect(judged(used('name'), '2027-01-31').outcome).toBe('passed');
  });

  it('may be a value that is sent, or the call as a whole', () => {
    const server = { 'GET /api/x': { ...shape({}, { old: 'string' }), retires: { old: '2027-01-31' } } };
    const sends = { links: {}, calls: { 'GET /api/x': shape({}, { old: 'string' }) } };
    expect(checkCalls('catalog@1', sends, server, Date.parse('2027-01-31')).detail).toContain(
      '"old", which is retired',
    );
    const whole = { 'GET /api/x': { ...shape({ name: 'string', old: 'string' }), retires: { '': '2027-01-31' } } };
    expect(checkCalls('catalog@1', used('name'), whole, Date.parse('2027-01-31'))).toMatchObject({
      outcome: 'failed',
      detail: 'catalog@1 uses GET /api/x, which is retired on 2027-01-31',
    });
  });
});

describe('the releases that a server must fit', () => {
  it('are those of the map and those of the last week, with the time at which they went', async () => {
    const times = ['2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-20T00:00:00Z', '2026-01-24T00:00:00Z'];
    const versions: string[] = [];
    for (const at of times) {
      const version = await publishSample(store, { name: 'catalog', text: at });
      await promote(store, { ...by, name: 'catalog', version, at });
      versions.push(version);
    }
    const served = await servedReleases(store, { now: Date.parse('2026-01-25T00:00:00Z') });
    expect(
      served
        .filter(({ name }) => name === 'catalog')
        .map(({ version, until }) => [version, until?.toISOString() ?? null]),
    ).toEqual([
      [versions[3], null],
      [versions[2], '2026-01-24T00:00:00.000Z'],
      [versions[1], '2026-01-20T00:00:00.000Z'],
    ]);
  });

  it('are named with what the server has not', async () => {
    const calls = { 'GET /api/things': shape({ name: 'string' }) };
    const before = await live({ name: 'catalog', uses: { calls } });
    await live({ name: 'catalog', text: 'two' });
    expect(await serverFaults(store, calls)).toEqual([]);
    expect(await serverFaults(store, {})).toEqual([
      expect.objectContaining({
        name: 'catalog',
        version: before,
        faults: ['GET /api/things, which this server has not'],
      }),
    ]);
  });
});
