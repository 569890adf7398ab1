import { packBuild, unpackBuild } from '../build-archive';
import { checkFiles } from '../gate';
import { ReleaseKeys } from '../identity';
import { publishBuild } from '../publish';
import type { Blobs } from '../store/blobs';
import { createStore, type Store } from '../store/store';
import { type SampleBuild, sample } from './fixture';

const DAY = 86_400_000;

async function upload(store: Store, { manifest, files }: SampleBuild, who = 'ann') {
  const contents = new Map([...files].map(([file, content]) => [file, Buffer.from(content)] as const));
  const archive = packBuild({ raw: Buffer.from(JSON.stringify(manifest)), files: contents });
  return publishBuild(store, unpackBuild(archive), { by: who });
}

export function serviceSuite(kind: string, open: () => Promise<Blobs>): void {
  describe(`release service on a ${kind}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = createStore(await open(), () => {});
    });

    describe('keys of the release API', () => {
      let now = Date.parse('2026-03-01T00:00:00Z');
      const grant = { role: 'squad', remotes: ['catalog'] } as const;
      const squad = { ...grant, name: 'catalog CI', by: 'ann', lifetime: 30 * DAY };

      it('keys are stored as hashes and valid on every server until they expire or are revoked', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const { key, identity } = await keys.make({ ...squad, maxTraffic: 25 });
        const other = new ReleaseKeys(store.blobs, () => now);
        expect(await other.authenticate(key)).toEqual(identity);
        expect(identity).toMatchObject({ ...grant, name: 'catalog CI', maxTraffic: 25 });
        const stored = (await store.blobs.get(`ops/keys/${identity.id}.json`))?.toString() ?? '';
        const secret = key.slice(-43);
        expect(stored).toContain('catalog CI');
        expect(stored).not.toContain(secret);
        expect(JSON.stringify(await keys.list())).not.toMatch(/hash/);
        expect(await other.authenticate(key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBeNull();
        await other.revoke(identity.id, 'ben');
        expect(await keys.authenticate(key)).toBeNull();
        expect(await keys.list()).toMatchObject([{ id: identity.id, revoked: { by: 'ben' } }]);
        const again = await keys.make(squad);
        now += 31 * DAY;
        expect(await keys.authenticate(again.key)).toBeNull();
      });

      it('keys are listed newest first, without those of forges, and revoked once', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        for (const name of names) {
          now += 1_000;
          await keys.make({ ...squad, name });
        }
        const source = { commit: 'c'.repeat(40) };
        const { identity } = await keys.make({ ...squad, name: 'a', kind: 'forge', source });
        expect(identity).toMatchObject({ kind: 'forge', source });
        const listed = await keys.list();
        expect(listed.map(({ name }) => name)).toEqual(names.reverse());
        // A server that cleans up may have removed a key meanwhile.
        const list = async (prefix: string) => [...(await store.blobs.list(prefix)), `${'0'.repeat(16)}.json`];
        expect(await new ReleaseKeys({ ...store.blobs, list }, () => now).list()).toEqual(listed);
        await store.blobs.put(`ops/keys/${'1'.repeat(16)}.json`, Buffer.from('{"id":'));
        await store.blobs.put(`ops/keys/${'2'.repeat(16)}.json`, Buffer.from('{}'));
        expect(await keys.list()).toEqual(listed);
        await expect(keys.make({ ...squad, name: 'a' })).rejects.toThrow(/a key with the name/);
        const { id } = listed[0] as { id: string };
        const { revoked } = await keys.revoke(id, 'ben');
        now += 1_000;
        expect(await keys.revoke(id, 'eve')).toMatchObject({ revoked });
        for (const unknown of ['0'.repeat(16), `../keys/${id}`, `${id}/../${id}`])
          await expect(keys.revoke(unknown, 'ben')).rejects.toThrow(/there is no key/);
      });

      it('a key of a version with several channels is valid only with the channel that is left', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const { key, identity } = await keys.make(squad);
        const file = `ops/keys/${identity.id}.json`;
        const record = JSON.parse(String(await store.blobs.get(file)));
        for (const [channels, isValid] of [
          [['preview'], false],
          [['preview', 'production'], true],
        ] as const) {
          await store.blobs.put(file, Buffer.from(JSON.stringify({ ...record, channels })));
          expect((await keys.authenticate(key)) !== null).toBe(isValid);
        }
      });

      it('a key inside another text does not authenticate', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const { key } = await keys.make(squad);
        for (const text of [` ${key}`, `${key}A`, key.slice(0, -1), ''])
          expect(await keys.authenticate(text)).toBeNull();
      });

      it('names of keys are unique and cannot imitate a user', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        await keys.make(squad);
        await expect(keys.make({ ...squad, name: 'Catalog ci' })).rejects.toThrow(/a key with the name/);
        await expect(keys.make({ ...squad, name: 'Ann (ops)' })).rejects.toThrow(/is not a name/);
        await expect(keys.make({ ...squad, name: 'b', remotes: [] })).rejects.toThrow(/needs the names/);
        await expect(keys.make({ ...squad, name: 'b', lifetime: 0 })).rejects.toThrow(/1 to 366 days/);
        await keys.make({ ...squad, name: 'b', lifetime: 366 * DAY });
        await keys.make({ ...squad, name: 'b', kind: 'forge' });
        await expect(keys.make({ ...squad, name: 'b', lifetime: 400 * DAY })).rejects.toThrow(/1 to 366 days/);
      });

      it('a token of a forge can be exchanged on one of several servers only, and is forgotten after it expires', async () => {
        const keys = Array.from({ length: 6 }, () => new ReleaseKeys(store.blobs, () => now));
        const taken = await Promise.all(keys.map((one) => one.takeOnce('token', now + 1_000)));
        expect(taken.filter(Boolean)).toHaveLength(1);
        const [server] = keys as [ReleaseKeys];
        const short = { ...squad, lifetime: 1_000 };
        const kept = [
          await server.make({ ...short, name: 'expired' }),
          await server.make({ ...squad, name: 'live' }),
          await server.make({ ...squad, name: 'job', kind: 'forge' }),
        ];
        await server.make({ ...short, name: 'job', kind: 'forge' });
        now += 1_000;
        expect([await server.takeOnce('token', now), await server.takeOnce('token', now)]).toEqual([false, false]);
        now += 1_000;
        await server.takeOnce('another', now + 1_000);
        expect(await store.blobs.list('ops/used/')).toHaveLength(1);
        const ids = kept.map(({ identity }) => `${identity.id}.json`);
        expect((await store.blobs.list('ops/keys/')).sort()).toEqual(ids.sort());
        const full = { ...store.blobs, list: () => Promise.reject(new Error('cannot be listed')) };
        expect(await new ReleaseKeys(full, () => now).takeOnce('a third', now + 1_000)).toBe(true);
      });
    });

    describe('uploads', () => {
      it('an upload is published as a whole, once, and never with other content', async () => {
        const build = sample({ text: 'uploaded' });
        const { name, version } = build.manifest;
        const uploaded = await upload(store, build, 'catalog CI');
        expect(uploaded).toMatchObject({ outcome: 'published', files: build.files.size });
        const checks = await checkFiles(store, build.manifest);
        expect(checks).not.toContainEqual(expect.objectContaining({ outcome: 'failed' }));
        expect(await store.publications(name)).toMatchObject([{ version, by: 'catalog CI' }]);
        expect(await upload(store, build)).toMatchObject({ outcome: 'already there' });
        const manifest = { ...build.manifest, runtime: '2.9.3' };
        await expect(upload(store, { ...build, manifest })).rejects.toThrow(/other content/);
      });
    });
  });
}
