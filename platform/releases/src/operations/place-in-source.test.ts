import { openStore, type Store } from '..';
import { publishSample, scratch } from '../testing/fixture';
import { placeInSource } from './place-in-source';

let store: Store;
beforeEach(async () => {
  store = openStore({ place: await scratch() });
});

/** The first segment of the first line maps to the third column of the third line; the second segment maps to no source of the release. */
const map = { version: 3, sources: ['./src/home.tsx'], names: [], mappings: 'AAEE,U;AACA' };
const publishWith = async (content: string) => ({
  name: 'catalog',
  version: await publishSample(store, { more: { 'server/browser/home.dd.js.map': content } }),
});

it('placeInSource returns file, line and column of the source by the map that was published with the release', async () => {
  const release = await publishWith(JSON.stringify(map));
  expect(await placeInSource(store, release, 'home.dd.js:1:5')).toBe('./src/home.tsx:3:3');
});

it.each([
  ['code without a source', JSON.stringify(map), 'home.dd.js:1:12'],
  ['a script without a map', JSON.stringify(map), 'goods.dd.js:1:5'],
  ['a map that is not JSON', '{"version":3', 'home.dd.js:1:5'],
  ['a map of another shape', '{"version":3,"mappings":7}', 'home.dd.js:1:5'],
  ['a position outside the release', JSON.stringify(map), '../../orders/home.dd.js:1:5'],
  ['no position', JSON.stringify(map), ''],
])('placeInSource returns null for %s', async (_what, content, at) => {
  expect(await placeInSource(store, await publishWith(content), at)).toBeNull();
});
