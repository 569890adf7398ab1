import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '../publish';
import { publishSample, sample, scratch, writeBuild } from '../testing/fixture';
import { serviceSuite } from '../testing/service-suite';
import { storeSuite } from '../testing/store-suite';
import { folderBlobs } from './folder-blobs';
import { openStore } from './open-store';

storeSuite('folder', async () => folderBlobs(await scratch()));
serviceSuite('folder', async () => folderBlobs(await scratch()));

describe('a folder', () => {
  it('refuses keys that lead out of the folder', async () => {
    const blobs = folderBlobs(await scratch());
    await expect(blobs.get('../../etc/passwd')).rejects.toThrow(/outside the store/);
    await expect(blobs.put('a/../../b', Buffer.from(''))).rejects.toThrow(/outside the store/);
  });

  it('leaves no drafts', async () => {
    const place = await scratch();
    await publishSample(openStore({ place }));
    expect(await readdir(join(place, 'tmp'))).toEqual([]);
  });

  it('refuses names that no release has', async () => {
    const store = openStore({ place: await scratch() });
    expect(await store.readManifest('..', '1.0.0')).toBeNull();
    expect(await store.readFile('catalog', '../../x', 'y')).toBeNull();
  });
});

describe('a build that is not what it says', () => {
  const store = async () => openStore({ place: await scratch() });

  it.each<[string, (dist: string) => Promise<void>, RegExp]>([
    ['a changed file', (dist) => writeFile(join(dist, 'home.dd.js'), 'changed'), /hash differs/],
    ['a file too many', (dist) => writeFile(join(dist, 'extra.js'), ''), /extra\.js is in .* but not in/],
    ['a manifest that is not JSON', (dist) => writeFile(join(dist, 'release.json'), '{'), /not JSON; build again/],
    [
      'a manifest that names a file above',
      (dist) => writeFile(join(dist, 'release.json'), JSON.stringify({ ...sample().manifest, entry: '../x' })),
      /entry names "..\/x"/,
    ],
  ])('%s is refused', async (_, spoil, message) => {
    const dist = await writeBuild(sample());
    await spoil(dist);
    await expect(publish(await store(), { dist, by: 'ann' })).rejects.toThrow(message);
  });

  it('says to build first when there is none', async () => {
    await expect(publish(await store(), { dist: await scratch(), by: 'ann' })).rejects.toThrow(/build first/);
  });

  it('does not follow a link out of the build', async () => {
    const dist = await writeBuild(sample());
    await symlink('/etc/hostname', join(dist, 'link.txt'));
    await expect(publish(await store(), { dist, by: 'ann' })).resolves.toMatchObject({ outcome: 'published' });
  });
});
