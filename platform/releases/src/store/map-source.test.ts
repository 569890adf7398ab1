import { emptyMap } from '../map/read-map';
import { mapSource } from './map-source';
import type { Store } from './store';

function slowStore() {
  let rev = 1;
  let copied = 1;
  const waiting: Array<() => void> = [];
  let stamps = 0;
  const store = {
    blobs: {
      readAgainMs: 0,
      stamp: async (key: string) => {
        stamps += 1;
        const stamp = key.includes('history') ? (key.includes(`/${rev + 1}.json`) ? null : 'written') : String(copied);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return stamp;
      },
    },
    readMap: async () => ({ ...emptyMap(), rev }),
  } as unknown as Store;
  const letThrough = async () => {
    for (const go of waiting.splice(0)) go();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const die = () => (rev += 1);
  const change = () => (copied = die());
  return { store, letThrough, change, die, stamps: () => stamps };
}

it('mapSource reads the store once for all concurrent calls, and again for calls that must see a later change', async () => {
  const { store, letThrough, change, stamps } = slowStore();
  const source = mapSource(store);
  const first = source.get();
  await letThrough();
  expect((await first).rev).toBe(1);
  const before = stamps();
  const early = source.get();
  change();
  const later = Array.from({ length: 20 }, () => source.get());
  await letThrough();
  await letThrough();
  await early;
  expect(new Set((await Promise.all(later)).map(({ rev }) => rev))).toEqual(new Set([2]));
  expect(stamps() - before).toBeLessThanOrEqual(3);
});

it('mapSource finds a revision whose writer died before it wrote the copy within a second', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const { store, letThrough, die } = slowStore();
  const source = mapSource(store);
  const look = async () => {
    const map = source.get();
    await letThrough();
    return (await map).rev;
  };
  await look();
  await look();
  die();
  expect(await look()).toBe(1);
  jest.setSystemTime(Date.now() + 1_000);
  expect(await look()).toBe(2);
  jest.useRealTimers();
});
