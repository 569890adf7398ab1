import { canaryInMap, emptyMap, previewInMap, promoteInMap, type ReleaseMap, toPageMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import type { PanelState } from '../panel-state';
import { tabReleases } from './tab-releases';

const by = { by: 'ann' };
const releaseOf = (hash: string, name = 'catalog') => manifestOf({ name, version: `1.0.0-${hash.repeat(8)}` });
const [a, b, c] = [releaseOf('a'), releaseOf('b'), releaseOf('c')];
const shell = releaseOf('d', 'shell');
const live = [shell, a].reduce((map, manifest) => promoteInMap(map, manifest, null, by), emptyMap('production'));
const afterB = promoteInMap(live, b, a, by);
const withCanary = canaryInMap(live, b, a, 10, by);

const entry = (version: string) => ({ step: 'entry' as const, at: 1, name: 'catalog', version });
const now = (map: ReleaseMap): PanelState => ({
  ...{ channel: 'production', by: 'ann' },
  releases: [
    {
      ...{ name: 'catalog', published: null, canary: null },
      live: { version: map.microFrontends.catalog?.[0]?.metadata.version ?? '', bytes: 1 },
    },
  ],
});
const catalogOf = (...given: Parameters<typeof tabReleases>) => {
  const [first, catalog] = tabReleases(...given);
  expect(first).toMatchObject({ name: 'shell', origin: 'live' });
  return catalog;
};

it.each([
  ['live', live, 50, a.version],
  ['canary', withCanary, 5, b.version],
  ['live', withCanary, 50, a.version],
  ['preview', previewInMap(live, c, null), 50, c.version],
  ['fallback', afterB, 50, a.version],
  ['own-machine', live, 50, '0.0.0-dev1x2y-3'],
] as const)('tells that a release is %s', (origin, map, visitor, version) => {
  const found = catalogOf(toPageMap(map), visitor, [entry(version)], null);
  expect(found).toEqual({ name: 'catalog', version, origin, isLoaded: true });
});

it('tells what the map would give where nothing is loaded yet', () => {
  expect(catalogOf(toPageMap(live), null, [], null)).toMatchObject({ version: a.version, isLoaded: false });
});

it('tells that the release of an open tab is not live any more', () => {
  expect(catalogOf(toPageMap(live), 50, [entry(a.version)], now(afterB))).toMatchObject({ origin: 'earlier' });
  expect(catalogOf(toPageMap(live), 50, [entry(b.version)], now(afterB))).toMatchObject({ origin: 'live' });
});
