import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { MediaManifest, SeedGoods } from '../src/seed/seed';

const load = <T>(file: string): T => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as T;
const goods = load<SeedGoods[]>('goods.json');
const media = load<MediaManifest>('media/manifest.json');
const coverKeys = Object.keys(media).flatMap((name) => /^goods\/(.+)$/.exec(name)?.[1] ?? []);
const fileOf = (key: string) => join(__dirname, 'media', media[`goods/${key}`]?.file ?? '');

/** A difference hash of 16 × 16 bits: each bit says whether a pixel is brighter than its right neighbour. */
async function differenceHash(file: string): Promise<boolean[]> {
  // The file is read here because uploads block sharp's file loaders for the whole process.
  const grey = await sharp(readFileSync(file)).greyscale().resize(17, 16, { fit: 'fill' }).raw().toBuffer();
  return Array.from({ length: 256 }, (_, at) => {
    const place = Math.floor(at / 16) * 17 + (at % 16);
    return (grey[place] ?? 0) > (grey[place + 1] ?? 0);
  });
}

it('every seed product has a cover, and there is no unused cover', () => {
  expect([...coverKeys].sort()).toEqual(goods.map(({ key }) => key).sort());
  for (const { key, image } of goods) expect(image).toBe(`goods/${key}`);
});

it('no two covers look alike: their difference hashes differ in at least 20 of 256 bits', async () => {
  const hashes = await Promise.all(coverKeys.map((key) => differenceHash(fileOf(key))));
  let least = { bits: 256, pair: '' };
  for (const [i, hash] of hashes.entries()) {
    for (const [j, earlierHash] of hashes.slice(0, i).entries()) {
      const bits = hash.filter((bit, at) => bit !== earlierHash[at]).length;
      if (bits < least.bits) least = { bits, pair: `${coverKeys[i]} and ${coverKeys[j]}` };
    }
  }
  expect({ ...least, enough: least.bits >= 20 }).toEqual({ ...least, enough: true });
});
