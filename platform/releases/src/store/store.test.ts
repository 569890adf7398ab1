import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '../publish';
import { publishSample, sample, scratch, writeBuild } from '../testing/fixture';
import { storeSuite } from '../testing/store-suite';
import { folderBlobs } from './folder-blobs';
import { openStore } from './store';

storeSuite('folder', async () => folderBlobs(await scratch()));

describe('folder store', () => {
  it('a folder store refuses keys that lead out of the folder', async () => {
    const blobs = folderBlobs(await scratch());
    await expect(blobs.get('../../etc/passwd')).rejects.toThrow(/outside the store/);
    await expect(blobs.put('a/../../b', Buffer.from(''))).rejects.toThrow(/outside the store/);
  });

  it('a folder store leaves no drafts', async () => {
    const place = await scratch();
    await publishSample(openStore({ place }));
    expect(await readdir(join(place, 'tmp'))).toEqual([]);
  });

  it('a store refuses names that no release can have', async () => {
    const store = openStore({ place: await scratch() });
    expect(await store.readManifest('..', '1.0.0')).toBeNull();
    expect(await store.readFile('catalog', '../../x', 'y')).toBeNull();
  });
});

describe('builds that contradict their manifest', () => {
  const store = async () => openStore({ place: await scratch() });

  it.each<[string, (dist: string) => Promise<void>, RegExp]>([
    ['a changed file', (dist) => writeFile(join(dist, 'home.dd.js'), 'changed'), /hash differs/],
    ['an extra file', (dist) => writeFile(join(dist, 'extra.js'), ''), /extra\.js is in .* but not in/],
    ['a manifest that is not JSON', (dist) => writeFile(join(dist, 'release.json'), '{'), /not JSON; build again/],
    [
      'a manifest that names a file outside its folder',
      (dist) => writeFile(join(dist, 'release.json'), JSON.stringify({ ...sample().manifest, entry: '../x' })),
      /entry names "..\/x"/,
    ],
  ])('readBuild refuses %s', async (_, spoil, message) => {
    const dist = await writeBuild(sample());
    await spoil(dist);
    await expect(publish(await store(), { dist, by: 'ann' })).rejects.toThrow(message);
  });

  it('readBuild asks to build first if there is no build', async () => {
    await expect(publish(await store(), { dist: await scratch(), by: 'ann' })).rejects.toThrow(/build first/);
  });

  it('readBuild does not follow a link out of the build', async () => {
    const dist = await writeBuild(sample());
    await symlink('/etc/hostname', join(dist, 'link.txt'));
    await expect(publish(await store(), { dist, by: 'ann' })).resolves.toMatchObject({ outcome: 'published' });
  });
});
