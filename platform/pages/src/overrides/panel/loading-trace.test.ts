import { emptyMap, promoteInMap, toPageMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import { loadingTrace, type Noted, type NotedRequest } from './loading-trace';

const origin = 'https://site.example';
const by = { by: 'ann' };
const [one, two] = [manifestOf({ version: '1.0.0-aaaaaaaa' }), manifestOf({ version: '1.0.0-bbbbbbbb' })];
const first = promoteInMap(emptyMap('production'), one, null, by);
const map = toPageMap(promoteInMap(first, two, one, by));

const request = (path: string, startTime: number, rest: Partial<NotedRequest> = {}): NotedRequest => ({
  ...{ name: origin + path, startTime, responseEnd: startTime + 10, responseStatus: 200, transferSize: 1_000 },
  ...rest,
});
const trace = (noted: Partial<Noted>) => loadingTrace({ origin, map, requests: [], marks: [], shown: [], ...noted });

it('goes from the map by the entry and the files of the page to what is shown', () => {
  const steps = trace({
    navigation: request('/home?keyword=secret', 0),
    requests: [
      request(`/r/catalog/${two.version}/home.aa.js`, 60, { transferSize: 0 }),
      request(`/r/catalog/${two.version}/remoteEntry.js`, 40),
      request('/releases/production.json', 90),
    ],
    shown: [{ name: 'catalog', path: '/home', at: 80.04 }],
  });
  expect(steps).toEqual([
    { step: 'map', at: 0, took: 10, status: 200, bytes: 1_000, file: '/home' },
    {
      ...{ step: 'entry', at: 40, took: 10, status: 200, bytes: 1_000 },
      ...{ name: 'catalog', version: two.version, file: 'remoteEntry.js' },
    },
    {
      ...{ step: 'chunk', at: 60, took: 10, status: 200, bytes: 0 },
      ...{ name: 'catalog', version: two.version, file: 'home.aa.js' },
    },
    { step: 'shown', at: 80, name: 'catalog', version: two.version, file: '/home' },
    { step: 'map', at: 90, took: 10, status: 200, bytes: 1_000, file: '/releases/production.json' },
  ]);
});

it('counts retries, and says when and why the release before stands in', () => {
  const steps = trace({
    requests: [
      request(`/r/catalog/${two.version}/remoteEntry.js`, 10, { responseStatus: 404 }),
      request(`/r/catalog/${two.version}/remoteEntry.js?retry=1`, 300, { responseStatus: 404 }),
      request(`/r/catalog/${one.version}/remoteEntry.js`, 1_500),
    ],
    marks: [
      { name: 'another mark', startTime: 5 },
      { name: `catalog@${two.version} ./home: /r/… answered 404`, startTime: 1_520 },
    ],
    shown: [{ name: 'catalog', path: '/home', at: 1_600 }],
  });
  expect(
    steps.map(({ step, at, version, attempt, status, reason }) => [step, at, version, attempt ?? status, reason]),
  ).toEqual([
    ['entry', 10, two.version, 404, undefined],
    ['entry', 300, two.version, 1, undefined],
    ['entry', 1_500, one.version, 200, undefined],
    ['failed', 1_520, two.version, undefined, '/r/… answered 404'],
    ['fallback', 1_520, one.version, undefined, '/r/… answered 404'],
    ['shown', 1_600, one.version, undefined, undefined],
  ]);
});

it('says that a page threw where the release before stands in and nothing failed to load', () => {
  const requests = [two, one].map(({ version }, at) => request(`/r/catalog/${version}/remoteEntry.js`, at * 100));
  expect(trace({ requests })).toContainEqual({
    ...{ step: 'fallback', at: 100, name: 'catalog', version: one.version },
    ...{ reason: 'the page threw while it was drawn, or this release is live again' },
  });
});

it('leaves out what is no part of a release, and other origins', () => {
  const requests = [
    request('/api/front/user/info', 1),
    request(`/r/catalog/${two.version}/cover.webp`, 2),
    { ...request('', 3), name: `https://evil.example/r/catalog/${two.version}/remoteEntry.js` },
  ];
  expect(trace({ requests })).toEqual([]);
});
