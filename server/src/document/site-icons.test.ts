import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SITE } from '@shop/shared/site';

const seed = join(__dirname, '../../seed');

it('the manifest names icons of 192 and 512 pixels, one of them maskable, whose files have these sizes', async () => {
  const { icons, ...manifest } = SITE.webManifest;
  expect(manifest).toMatchObject({ start_url: '/home', display: 'standalone', id: '/home' });
  const pngs = icons.filter(({ type }) => type === 'image/png');
  expect(pngs.map((icon) => `${icon.sizes} ${'purpose' in icon && icon.purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of pngs) {
    const bytes = await readFile(join(seed, src));
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  await expect(readFile(join(seed, SITE.appleTouchIcon))).resolves.toBeInstanceOf(Buffer);
});
