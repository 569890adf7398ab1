import { openStore, promote, type Store } from '@platform/releases';
import { publishSample, scratch } from '@platform/releases/testing';
import { RetiringCalls } from './retiring-calls';

const calls = {
  'GET /api/things': {
    takes: {},
    answer: { '': 'object', name: 'string', old: 'string' },
    retires: { old: '2027-01-31' },
  },
  'GET /api/old': { takes: {}, answer: { '': 'object' }, retires: { '': '2027-02-28' } },
  'GET /api/new': { takes: {}, answer: { '': 'object' } },
};
let store: Store;
let versions: string[];
let counted: RetiringCalls;

beforeEach(async () => {
  store = openStore({ place: await scratch() });
  await publishSample(store, { name: 'shell' });
  await promote(store, { by: 'ann', name: 'shell' });
  const things = (...fields: string[]) => ({
    'GET /api/things': { takes: {}, answer: Object.fromEntries(['', ...fields].map((field) => [field, 'string'])) },
  });
  const reads = [
    { calls: { ...things('name', 'old'), 'GET /api/old': calls['GET /api/old'] } },
    { calls: things('name') },
  ];
  versions = [];
  for (const [index, uses] of reads.entries()) {
    const version = await publishSample(store, { name: 'catalog', text: String(index), uses });
    await promote(store, { by: 'ann', name: 'catalog', version, traffic: index === 0 ? undefined : 10 });
    versions.push(version);
  }
  counted = new RetiringCalls({
    calls,
    mapAt: (rev) => store.readRevision('production', rev),
    manifestOf: (name, version) => store.readManifest(name, version),
  });
});

it('counts a call by the release of its visitor that uses what is to go, and tells the date', async () => {
  const { rev } = await store.readMap('production');
  await counted.note('GET /api/things', { rev, visitor: 50 });
  await counted.note('GET /api/things', { rev, visitor: 60 });
  await counted.note('GET /api/old', { rev, visitor: 50 });
  expect(counted.lines('site').slice(2)).toEqual([
    `site_retiring_calls_total{call="GET /api/old",field="",on="2027-02-28",release="catalog@${versions[0]}"} 1`,
    `site_retiring_calls_total{call="GET /api/things",field="old",on="2027-01-31",release="catalog@${versions[0]}"} 2`,
  ]);
});

it('counts what no release of the visitor is known to use as unknown', async () => {
  const { rev } = await store.readMap('production');
  // The canary does not read the field; and a call may come from no page at all.
  await counted.note('GET /api/things', { rev, visitor: 5 });
  await counted.note('GET /api/things', null);
  await counted.note('GET /api/things', { rev: 999, visitor: 5 });
  expect(counted.lines('site').slice(2)).toEqual([
    'site_retiring_calls_total{call="GET /api/things",field="old",on="2027-01-31",release="unknown"} 3',
  ]);
});

it('is concerned by nothing else', () => {
  expect(Object.keys(calls).filter((call) => counted.concerns(call))).toEqual(['GET /api/things', 'GET /api/old']);
  expect(counted.lines('site')).toEqual([]);
});
