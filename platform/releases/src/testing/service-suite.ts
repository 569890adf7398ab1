/** What the release API needs of every back end: keys and uploads. Run where store-suite.ts is. */
import { type Attestation, attest, makeSigningKey, readPrivateKey, SigningKeys } from '../attestation';
import { readSbom } from '../attestation/judge';
import { checkFiles } from '../gate';
import { ReleaseKeys } from '../identity';
import {
  changeSettings,
  gate,
  history,
  promote,
  promoteTogether,
  prune,
  releases,
  restore,
  rollback,
  status,
} from '../operations';
import { publishBuild, readBuild } from '../publish';
import type { Blobs } from '../store/blobs';
import { createStore, type Store } from '../store/store';
import { beginUpload, publishUpload, receiveFile } from '../uploads';
import { publishSample, type SampleBuild, sample, writeBuild } from './fixture';

const by = { by: 'ann' };
const DAY = 86_400_000;
const WRITES = ['put', 'putNew', 'putAll', 'remove', 'removeAll'] as const;

/** From its n-th write on, nothing reaches the back end any more; `after` lets that one through, as a kill just behind it does. */
function dying(blobs: Blobs, at: number, after: boolean, error: Error): { blobs: Blobs; writes: () => number } {
  let writes = 0;
  const counted = { ...blobs };
  for (const name of WRITES) {
    const original = blobs[name] as (...args: unknown[]) => Promise<unknown>;
    (counted as Record<string, unknown>)[name] = async (...args: unknown[]) => {
      writes += 1;
      if (writes > at || (writes === at && !after)) throw error;
      const result = await original.apply(counted, args);
      if (writes === at) throw error;
      return result;
    };
  }
  return { blobs: counted, writes: () => writes };
}

async function upload(store: Store, { manifest, files }: SampleBuild, who = 'ann') {
  const begun = await beginUpload(store, Buffer.from(JSON.stringify(manifest)));
  for (const { file, hash } of begun.missing)
    await receiveFile(store, begun.upload, hash, Buffer.from(files.get(file) ?? ''));
  return publishUpload(store, begun.upload, { by: who });
}

export function serviceSuite(kind: string, open: () => Promise<Blobs>): void {
  describe(`a release service on a ${kind}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = createStore(await open(), () => {});
    });

    describe('keys', () => {
      let now = Date.parse('2026-03-01T00:00:00Z');
      const grant = { role: 'squad', remotes: ['catalog'], channels: ['production'] } as const;
      const squad = { ...grant, name: 'catalog CI', by: 'ann', lifetime: 30 * DAY };

      it('are good until they expire or are revoked, at every server, and are stored as hashes', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const { key, identity } = await keys.make({ ...squad, maxTraffic: 25 });
        const other = new ReleaseKeys(store.blobs, () => now);
        expect(await other.authenticate(key)).toEqual(identity);
        expect(await other.identityOf(identity.id)).toEqual(identity);
        expect(await other.identityOf('0'.repeat(16))).toBeNull();
        expect(identity).toMatchObject({ ...grant, name: 'catalog CI', maxTraffic: 25 });
        const stored = (await store.blobs.get(`ops/keys/${identity.id}.json`))?.toString() ?? '';
        const secret = key.slice(-43);
        expect(stored).toContain('catalog CI');
        expect(stored).not.toContain(secret);
        expect(JSON.stringify(await keys.list())).not.toMatch(/hash/);
        expect(await other.authenticate(key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBeNull();
        await other.revoke(identity.id, 'ben');
        expect([await keys.authenticate(key), await keys.identityOf(identity.id)]).toEqual([null, null]);
        expect(await keys.list()).toMatchObject([{ id: identity.id, revoked: { by: 'ben' } }]);
        const again = await keys.make(squad);
        now += 31 * DAY;
        expect([await keys.authenticate(again.key), await keys.identityOf(again.identity.id)]).toEqual([null, null]);
      });

      it('are listed newest first, without those of forges, and revoked once', async () => {
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
        // A server that cleans up may have removed one meanwhile.
        const list = async (prefix: string) => [...(await store.blobs.list(prefix)), `${'0'.repeat(16)}.json`];
        expect(await new ReleaseKeys({ ...store.blobs, list }, () => now).list()).toEqual(listed);
        const { id } = listed[0] as { id: string };
        const { revoked } = await keys.revoke(id, 'ben');
        now += 1_000;
        expect(await keys.revoke(id, 'eve')).toMatchObject({ revoked });
        for (const unknown of ['0'.repeat(16), `../keys/${id}`, `${id}/../${id}`])
          await expect(keys.revoke(unknown, 'ben')).rejects.toThrow(/there is no key/);
      });

      it('open nothing as a part of another text', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        const { key } = await keys.make(squad);
        for (const text of [` ${key}`, `${key}A`, key.slice(0, -1), ''])
          expect(await keys.authenticate(text)).toBeNull();
      });

      it('have names of their own, which show what they are', async () => {
        const keys = new ReleaseKeys(store.blobs, () => now);
        await keys.make(squad);
        await expect(keys.make({ ...squad, name: 'Catalog ci' })).rejects.toThrow(/there is a key of the name/);
        await expect(keys.make({ ...squad, name: 'Ann (ops)' })).rejects.toThrow(/is not a name/);
        await expect(keys.make({ ...squad, name: 'b', remotes: [] })).rejects.toThrow(/needs the names/);
        await expect(keys.make({ ...squad, name: 'b', channels: [] })).rejects.toThrow(/needs the channels/);
        await expect(keys.make({ ...squad, name: 'b', channels: ['../x'] })).rejects.toThrow(/is not a channel/);
        await expect(keys.make({ ...squad, name: 'b', lifetime: 0 })).rejects.toThrow(/1 to 366 days/);
        await keys.make({ ...squad, name: 'b', lifetime: 366 * DAY });
        await keys.make({ ...squad, name: 'b', kind: 'forge' });
        const all = { ...squad, role: 'platform', remotes: [] } as const;
        await keys.make({ ...all, channels: [], name: 'platform CI' });
        await expect(keys.make({ ...all, name: 'b' })).rejects.toThrow(/for squads/);
        await expect(keys.make({ ...squad, name: 'b', role: 'viewer' })).rejects.toThrow(/for squads/);
        await expect(keys.make({ ...squad, name: 'b', lifetime: 400 * DAY })).rejects.toThrow(/1 to 366 days/);
      });

      it('let one of several servers take a token of a forge, and forget it when it has expired', async () => {
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
        // In its last millisecond, and after the clean-up that a try begins.
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

    describe('an upload', () => {
      it('is published as a whole after its last file, and goes on where it stopped', async () => {
        const build = sample({ text: 'uploaded' });
        const { name, version } = build.manifest;
        const raw = Buffer.from(JSON.stringify(build.manifest));
        const first = await beginUpload(store, raw);
        expect(first.missing).toHaveLength(build.files.size);
        const [one, ...rest] = first.missing;
        await receiveFile(store, first.upload, one?.hash ?? '', Buffer.from(build.files.get(one?.file ?? '') ?? ''));
        await expect(publishUpload(store, first.upload, by)).rejects.toThrow(/the upload lacks/);
        expect(await store.readManifest(name, version)).toBeNull();
        expect((await beginUpload(store, raw)).missing).toEqual(rest);
        expect(await upload(store, build, 'catalog CI')).toMatchObject({
          outcome: 'published',
          files: build.files.size,
        });
        expect(await checkFiles(store, build.manifest)).not.toContainEqual(
          expect.objectContaining({ outcome: 'failed' }),
        );
        expect(await store.publications(name)).toMatchObject([{ version, by: 'catalog CI' }]);
        expect(await store.blobs.list('staging/')).toEqual([]);
        expect(await upload(store, build)).toMatchObject({ outcome: 'already there' });
      });

      it('refuses another content than its hash, other files, other content of a published version, and too much', async () => {
        const build = sample();
        const { manifest } = build;
        const begun = await beginUpload(store, Buffer.from(JSON.stringify(manifest)));
        const hash = begun.missing[0]?.hash ?? '';
        await expect(receiveFile(store, begun.upload, hash, Buffer.from('other'))).rejects.toThrow(/another content/);
        await expect(receiveFile(store, begun.upload, 'ab'.repeat(48), Buffer.from('x'))).rejects.toThrow(/no file of/);
        await expect(receiveFile(store, 'ab'.repeat(32), hash, Buffer.from('x'))).rejects.toThrow(/no upload/);
        await upload(store, build);
        const other = { ...manifest, runtime: '2.9.3' };
        await expect(beginUpload(store, Buffer.from(JSON.stringify(other)))).rejects.toThrow(/another content/);
        const files = { ...manifest.files, 'big.js': { size: 1e12, integrity: 'sha384-AAAA' } };
        const big = Buffer.from(JSON.stringify({ ...manifest, version: '1.0.1-00000000', files }));
        await expect(beginUpload(store, big)).rejects.toThrow(/a release has at most/);
        await expect(beginUpload(store, Buffer.from('{'))).rejects.toThrow(/not JSON/);
      });

      it.each([
        ['is killed', new Error('killed')],
        ['meets a full disk', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
      ])('that %s at any of its writes leaves nothing half, and the same upload again succeeds', async (_, error) => {
        let lived = false;
        for (let at = 1; !lived; at += 1) {
          for (const after of [false, true]) {
            const build = sample({ text: `${error.message} ${at} ${after}`, routes: [] });
            const { name, version } = build.manifest;
            const { blobs, writes } = dying(store.blobs, at, after, error);
            const outcome = await upload(
              createStore(blobs, () => {}),
              build,
            ).then(
              () => 'lived',
              (reason: unknown) => reason,
            );
            expect(['lived', error]).toContain(outcome);
            const manifest = await store.readManifest(name, version);
            if (manifest)
              expect(await checkFiles(store, manifest)).not.toContainEqual(
                expect.objectContaining({ outcome: 'failed' }),
              );
            await upload(store, build);
            expect((await store.readManifest(name, version))?.version).toBe(version);
            expect(await store.blobs.list('staging/')).toEqual([]);
            lived = writes() < at;
          }
        }
      });

      it('that nobody finishes goes with a later prune', async () => {
        await beginUpload(store, Buffer.from(JSON.stringify(sample().manifest)));
        await prune(store, { now: Date.now() });
        await prune(store, { now: Date.now() + DAY });
        expect(await store.blobs.list('staging/')).toHaveLength(1);
        await prune(store, { now: Date.now() + 3 * DAY });
        expect(await store.blobs.list('staging/')).toEqual([]);
      });
    });

    describe('provenance', () => {
      const pair = makeSigningKey();
      const source = {
        commit: 'c'.repeat(40),
        repository: 'https://forge.example/acme/catalog',
        lockfile: 'ab'.repeat(32),
      };
      const sbom = JSON.stringify({ bomFormat: 'CycloneDX', components: [{ name: 'react' }, { name: 'yup' }] });
      const own = { publicKey: pair.publicKey, name: 'catalog CI', remotes: ['catalog'], by: 'ann' };

      /** Publishes a build with what is said of it, which `edit` may change on the way. */
      async function publishAttested({
        text = 'signed',
        key = pair.privateKey as string | null,
        from = source as { commit?: string },
        bill = sbom as string | null,
        edit = (said: Attestation) => said,
      } = {}): Promise<string> {
        const build = await readBuild(await writeBuild(sample({ text }), bill ?? undefined));
        const { name, version } = build.manifest;
        const said = attest({ ...build, name, version }, from, key === null ? undefined : readPrivateKey(key));
        await publishBuild(store, build, { ...by, attestation: edit(said) });
        return version;
      }
      const judged = async (version: string) => {
        const verdict = await gate(store, { name: 'catalog', version });
        return verdict.checks.filter(({ outcome, check }) => outcome === 'failed' || check === 'provenance');
      };
      const askForSignatures = () => changeSettings(store, { ...by, provenance: 'signed', why: 'a squad of its own' });

      it('that is signed passes the gate, and is shown with its commit and the number of packages', async () => {
        const keys = new SigningKeys(store.blobs);
        await keys.add(own);
        await askForSignatures();
        const version = await publishAttested();
        const detail = `signed by catalog CI, commit ${source.commit}, packages: 2`;
        expect(await judged(version)).toEqual([{ check: 'provenance', outcome: 'passed', detail }]);
        await promote(store, { ...by, name: 'catalog' });
        const shown = { signedBy: 'catalog CI', commit: source.commit, packages: 2, faults: [] };
        expect((await status(store)).releases[0]?.attestation).toEqual(shown);
        expect((await releases(store))[0]?.attestation).toEqual(shown);
        expect(await store.blobs.list(`r/catalog/${version}/`)).not.toContainEqual(
          expect.stringMatching(/sbom|attest/),
        );
        expect(await readSbom(store, 'catalog', version)).toBe(sbom);
        await overwrite(version, () => 7);
        expect(await readSbom(store, 'catalog', version)).toBeNull();
        await store.removeRelease('catalog', version);
        expect(await store.readAttestation('catalog', version)).toBeNull();
        expect(await readSbom(store, 'catalog', version)).toBeNull();
      });

      const forged = (said: Attestation): Attestation => {
        const text = Buffer.from(said.envelope.payload, 'base64').toString();
        const payload = Buffer.from(text.replaceAll('c'.repeat(40), 'd'.repeat(40))).toString('base64');
        return { ...said, envelope: { ...said.envelope, payload } };
      };
      const overwrite = async (version: string, edit: (said: Attestation) => unknown) => {
        const content = await store.readAttestation('catalog', version);
        const said = JSON.parse(content?.toString() ?? '') as Attestation;
        await store.writeAttestation('catalog', version, Buffer.from(JSON.stringify(edit(said))));
        return version;
      };

      it.each<[string, RegExp, () => Promise<string>]>([
        ['none', /it has no provenance: publish it again with RELEASE_SIGNING_KEY/, () => publishSample(store)],
        ['no signature', /is not signed/, () => publishAttested({ key: null })],
        [
          'a key that nobody has added',
          /which ops has not added/,
          () => publishAttested({ key: makeSigningKey().privateKey }),
        ],
        [
          'a revoked key',
          /catalog CI, a key that ben revoked/,
          async () => {
            const keys = new SigningKeys(store.blobs);
            for (const { id } of await keys.list()) await keys.revoke(id, 'ben');
            return publishAttested();
          },
        ],
        [
          'a key of another remote',
          /a key of orders and not of catalog/,
          async () => {
            await new SigningKeys(store.blobs).add({ ...own, remotes: ['orders'] });
            return publishAttested();
          },
        ],
        [
          'a statement edited after it was signed',
          /not one of catalog CI over this/,
          () => publishAttested({ edit: forged }),
        ],
        [
          'a statement of another release',
          /release.json is not the one/,
          async () => {
            const other = await store.readAttestation('catalog', await publishAttested({ text: 'another' }));
            return overwrite(await publishAttested(), () => JSON.parse(other?.toString() ?? ''));
          },
        ],
        [
          'a manifest changed in the store',
          /release.json is not the one that the provenance names/,
          async () => {
            const version = await publishAttested();
            const key = `r/catalog/${version}/release.json`;
            await store.blobs.put(key, Buffer.from(`${(await store.blobs.get(key))?.toString()} `));
            return version;
          },
        ],
        [
          'an SBOM changed in the store',
          /its SBOM is not the one/,
          async () => overwrite(await publishAttested(), (said) => ({ ...said, sbom: sbom.replace('yup', 'yap') })),
        ],
        ['no SBOM', /has no SBOM/, () => publishAttested({ bill: null })],
        ['an SBOM that is no CycloneDX', /has no SBOM/, () => publishAttested({ bill: '{"packages":[]}' })],
        ['no commit', /names no commit/, () => publishAttested({ from: {} })],
        ['a commit that is none', /names no commit/, () => publishAttested({ from: { commit: 'main' } })],
        [
          'something else in its place',
          /it has no provenance/,
          async () => overwrite(await publishAttested(), () => 7),
        ],
        [
          'something else that is signed',
          /no in-toto statement/,
          () =>
            publishAttested({
              edit: (said) => ({ ...said, envelope: { ...said.envelope, payloadType: 'text/plain' } }),
            }),
        ],
      ])('is refused where a channel asks for it: %s', async (_, fault, publishIt) => {
        await new SigningKeys(store.blobs).add(own);
        await askForSignatures();
        const version = await publishIt();
        expect(await judged(version)).toEqual([
          { check: 'provenance', outcome: 'failed', detail: expect.stringMatching(fault) },
        ]);
      });

      it('that is not good stops a promote, a canary and a promote of several, and leaves the map', async () => {
        await askForSignatures();
        const version = await publishAttested({ key: null });
        const one = { ...by, name: 'catalog', version };
        for (const attempt of [
          () => promote(store, one),
          () => promote(store, { ...one, traffic: 10 }),
          () => promoteTogether(store, { ...by, releases: [one] }),
        ])
          await expect(attempt()).rejects.toThrow(/did not pass the gate: provenance \(its provenance is not signed/);
        expect((await store.readMap('production')).microFrontends).toEqual({});
      });

      it('is not asked for on other channels, at a rollback, and after it was turned off', async () => {
        const [one, two] = [await publishAttested({ text: 'one', key: null }), await publishSample(store)];
        await promote(store, { ...by, name: 'catalog', version: one });
        await promote(store, { ...by, name: 'catalog', version: two });
        await expect(changeSettings(store, { ...by, provenance: 'signed' })).rejects.toThrow(/needs a reason/);
        await askForSignatures();
        await expect(askForSignatures()).rejects.toThrow(/signed already/);
        await promote(store, { ...by, name: 'catalog', version: one, channel: 'preview' });
        expect(await rollback(store, { ...by, name: 'catalog' })).toMatchObject({ to: one });
        await restore(store, { ...by, rev: 2 });
        expect((await status(store)).provenance).toBe('signed');
        await changeSettings(store, { ...by, provenance: 'off', why: 'back' });
        await promote(store, { ...by, name: 'catalog', version: one });
        expect((await history(store)).map(({ action, to }) => [action, to])).toContainEqual([
          'settings',
          'provenance signed',
        ]);
      });

      it('that is good stays when the same build is published again without, by whoever may publish', async () => {
        await new SigningKeys(store.blobs).add(own);
        await askForSignatures();
        const version = await publishAttested();
        await publishAttested({ key: null });
        await publishAttested({ key: makeSigningKey().privateKey });
        await publishAttested({ from: {} });
        expect(await judged(version)).toMatchObject([{ outcome: 'passed' }]);
        await publishAttested({ from: { commit: 'e'.repeat(40) } });
        expect(await judged(version)).toMatchObject([{ detail: expect.stringContaining('e'.repeat(40)) }]);
      });

      it('that is signed before its key is known stays when a start of the shop publishes the same build unsigned', async () => {
        await askForSignatures();
        const version = await publishAttested();
        await publishAttested({ key: null });
        expect(await judged(version)).toMatchObject([{ outcome: 'failed' }]);
        await new SigningKeys(store.blobs).add(own);
        expect(await judged(version)).toMatchObject([{ outcome: 'passed' }]);
      });

      it('names the commit that a forge vouches for, or is not taken', async () => {
        const build = await readBuild(await writeBuild(sample(), sbom));
        const { name, version } = build.manifest;
        const attestation = attest({ ...build, name, version }, source);
        const published = publishBuild(store, build, { ...by, attestation, provenance: { commit: 'd'.repeat(40) } });
        await expect(published).rejects.toThrow(/the forge says that the job is of d{40}/);
        expect(await store.publications(name)).toEqual([]);
      });

      it('is signed with keys that have a name and remotes, and come back by no second registration', async () => {
        const keys = new SigningKeys(store.blobs);
        await expect(keys.add({ ...own, publicKey: 'ed25519:short' })).rejects.toThrow(/looks like ed25519/);
        await expect(keys.add({ ...own, name: 'Ann (ops)' })).rejects.toThrow(/is not a name/);
        await expect(keys.add({ ...own, remotes: [] })).rejects.toThrow(/needs the names/);
        const { id } = await keys.add(own);
        await expect(keys.revoke('0'.repeat(16), 'ben')).rejects.toThrow(/there is no signing key/);
        await keys.revoke(id, 'ben');
        await expect(keys.add(own)).rejects.toThrow(/was revoked; make another/);
        expect(await keys.list()).toMatchObject([{ id, name: 'catalog CI', revoked: { by: 'ben' } }]);
        expect(await keys.revoke(id, 'eve')).toMatchObject({ revoked: { by: 'ben' } });
        await expect(keys.add({ ...own, remotes: ['catalog', '../x'] })).rejects.toThrow(/"..\/x" is not a name/);
        await expect(keys.revoke(`../signing-keys/${id}`, 'ben')).rejects.toThrow(/there is no signing key/);
        for (const text of [pair.publicKey, `x${pair.privateKey}`, `${pair.privateKey}x`])
          expect(() => readPrivateKey(text)).toThrow(/^RELEASE_SIGNING_KEY is not a private key/);
        expect(readPrivateKey(`${pair.privateKey}\n`).type).toBe('private');
      });

      it('has its keys listed newest first, and a damaged one is as good as none', async () => {
        let at = 0;
        const keys = new SigningKeys(store.blobs, () => at);
        const ids: string[] = [];
        for (let count = 0; count < 6; count += 1) {
          at += 1_000;
          ids.unshift((await keys.add({ ...own, publicKey: makeSigningKey().publicKey })).id);
        }
        expect((await keys.list()).map(({ id }) => id)).toEqual(ids);
        const file = (id?: string) => `ops/signing-keys/${id}.json`;
        const [noJson, noRemotes, ofAnother, ...sound] = ids;
        await store.blobs.put(file(noJson), Buffer.from('{'));
        const key = JSON.parse(String(await store.blobs.get(file(noRemotes)))) as object;
        await store.blobs.put(file(noRemotes), Buffer.from(JSON.stringify({ ...key, remotes: 'catalog' })));
        await store.blobs.put(file(ofAnother), (await store.blobs.get(file(sound[0]))) as Buffer);
        expect((await keys.list()).map(({ id }) => id)).toEqual(sound);
      });
    });
  });
}
