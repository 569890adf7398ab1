/** The requirements on every back end. store.test.ts runs the suite on a folder, bucket.test.ts on a bucket. */

import { advanceCanary, history, promote, promoteTogether, prune, restore, rollback, status, verify } from '..';
import { GATE_VERSION, GateError } from '../gate/verdict';
import { liveVersion } from '../map';
import { publish, publishBuild, readBuild } from '../publish';
import type { Blobs } from '../store/blobs';
import { ConflictError, createStore, type Store } from '../store/store';
import { publishLive, publishSample, type Sample, sample, writeBuild } from './fixture';

const by = { by: 'ann' };

export function storeSuite(kind: string, open: () => Promise<Blobs>): void {
  describe(`store in a ${kind}`, () => {
    let store: Store;
    const live = async (name = 'catalog') => liveVersion(await store.readMap(), name);
    beforeEach(async () => {
      store = createStore(await open());
    });

    it('only one concurrent writer can create a blob', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.blobs.putNew('a/b.json', Buffer.from(`${index}`))),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect((await store.blobs.get('a/b.json'))?.toString()).toBe(String(answers.indexOf(true)));
    });

    it('blobs can be listed, stamped and removed', async () => {
      const { blobs } = store;
      await blobs.put('x/one', Buffer.from('1'));
      await blobs.put('x/deep/two', Buffer.from('2'));
      expect((await blobs.list('x/')).sort()).toEqual(['deep', 'one']);
      expect(await blobs.list('nothing/')).toEqual([]);
      const stamp = await blobs.stamp('x/one');
      await blobs.put('x/one', Buffer.from('1!'));
      expect(await blobs.stamp('x/one')).not.toBe(stamp);
      await blobs.removeAll('x/deep');
      await blobs.remove('x/one');
      await blobs.removeAll('x/deep');
      expect(await blobs.get('x/deep/two')).toBeNull();
      expect(await blobs.stamp('x/one')).toBeNull();
    });

    it('publish stores every file with its compressed siblings and makes nothing live', async () => {
      const version = await publishSample(store);
      const plain = await store.readFile('catalog', version, 'remoteEntry.js');
      const brotli = await store.readFile('catalog', version, 'remoteEntry.js.br');
      expect(plain?.length).toBeGreaterThan(brotli?.length ?? Number.POSITIVE_INFINITY);
      expect(await store.readFile('catalog', version, 'remoteEntry.js.gz')).not.toBeNull();
      expect(await live()).toBeNull();
    });

    it('publish refuses other content under a known version and keeps the first', async () => {
      const first = sample({ version: '1.0.0-aaaaaaaa' });
      await publish(store, { dist: await writeBuild(first), ...by });
      const other = await writeBuild(sample({ version: '1.0.0-aaaaaaaa', text: 'other' }));
      await expect(publish(store, { dist: other, ...by })).rejects.toThrow(/other content.*package\.json/);
      const kept = await store.readFile('catalog', '1.0.0-aaaaaaaa', 'remoteEntry.js');
      expect(String(kept)).toBe(first.files.get('remoteEntry.js'));
    });

    it('one of eight concurrent writers gets a folder, with all files of that writer', async () => {
      const names = [...Array.from({ length: 12 }, (_, index) => `${index}.js`), 'release.json'];
      for (let round = 0; round < 5; round += 1) {
        const folder = `r/race/${round}`;
        const outcomes = await Promise.allSettled(
          Array.from({ length: 8 }, (_, writer) =>
            store.blobs.putAll(folder, new Map(names.map((name) => [name, Buffer.from(`${writer}`)])), 'release.json'),
          ),
        );
        const winners = outcomes.flatMap((one, at) => (one.status === 'fulfilled' && one.value ? [`${at}`] : []));
        expect(winners).toHaveLength(1);
        const kept = await Promise.all(names.map(async (name) => String(await store.blobs.get(`${folder}/${name}`))));
        expect([...new Set(kept)]).toEqual(winners);
      }
    });

    it('eight servers that promote different remotes at the same time all succeed', async () => {
      const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map((word) => `remote-${word}`);
      const versions = await Promise.all(names.map((name) => publishSample(store, { name })));
      const servers = names.map(() => createStore(store.blobs));
      await Promise.all(servers.map((server, index) => promote(server, { ...by, name: names[index] as string })));
      const map = await store.readMap();
      expect(names.map((name) => liveVersion(map, name))).toEqual(versions);
      expect((await history(store)).map(({ rev }) => rev)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    });

    describe('a damaged map', () => {
      const copyKey = 'maps/production.json';
      const revisionKey = (rev: number) => `maps/production/history/${rev}.json`;
      const keys = [copyKey, revisionKey(1), revisionKey(2), revisionKey(3)];
      const versions: string[] = [];
      const whole = new Map<string, Buffer>();
      let blobs: Blobs;
      let copy: Buffer;
      let lines: string[];

      beforeAll(async () => {
        blobs = await open();
        const writer = createStore(blobs);
        for (const text of ['one', 'two', 'three']) {
          versions.push(await publishSample(writer, { text }));
          await promote(writer, { ...by, name: 'catalog', at: `2026-03-0${versions.length}T00:00:00.000Z` });
        }
        for (const key of keys) whole.set(key, (await blobs.get(key)) as Buffer);
        copy = whole.get(copyKey) as Buffer;
      });
      beforeEach(async () => {
        await blobs.removeAll('maps/production');
        for (const [key, content] of whole) await blobs.put(key, content);
        lines = [];
        store = createStore(blobs, (line) => lines.push(line));
      });
      const cutRevision = async (rev: number) => {
        const content = whole.get(revisionKey(rev)) as Buffer;
        await blobs.put(revisionKey(rev), content.subarray(0, content.length / 2));
      };

      it.each<[string, (full: Buffer) => Buffer]>([
        ['empty', () => Buffer.alloc(0)],
        ['cut after its first byte', (full) => full.subarray(0, 1)],
        ['cut in the middle', (full) => full.subarray(0, full.length / 2)],
        ['without its last brace', (full) => full.subarray(0, full.length - 2)],
        ['zeros, as after a power cut', (full) => Buffer.alloc(full.length)],
        ['not JSON', () => Buffer.from('<html>502 Bad Gateway</html>')],
        ['JSON, but no map', () => Buffer.from('null')],
        ['a map without its parts', () => Buffer.from('{"channel":"production","rev":7}')],
        ['another map', (full) => Buffer.from(String(full).replace('"production"', '"preview"'))],
      ])(
        'a map is rebuilt from the history when its copy is %s, and the damaged content is kept',
        async (_, damage) => {
          const damaged = damage(copy);
          await blobs.put(copyKey, damaged);
          expect(await live()).toBe(versions[2]);
          expect(await blobs.get(copyKey)).toEqual(copy);
          expect(lines).toEqual([expect.stringMatching(/^maps\/production\.json .* rebuilt from revision 3/)]);
          const [aside] = await blobs.list('maps/production/damaged/');
          expect(await blobs.get(`maps/production/damaged/${aside}`)).toEqual(damaged);
          expect(await live()).toBe(versions[2]);
          expect(lines).toHaveLength(1);
        },
      );

      it.each<[string, () => Promise<void>]>([
        ['is missing', () => blobs.remove(copyKey)],
        ['is revision 1', () => blobs.put(copyKey, whole.get(revisionKey(1)) as Buffer)],
      ])('a map is rebuilt from the history when it %s', async (fault, harm) => {
        await harm();
        expect(await live()).toBe(versions[2]);
        expect(await blobs.get(copyKey)).toEqual(copy);
        expect(lines).toEqual([expect.stringContaining(`${fault}: rebuilt from revision 3 of the history`)]);
      });

      it('a map whose newest revision cannot be read becomes the previous revision under a new number', async () => {
        await cutRevision(3);
        const cut = await blobs.get(revisionKey(3));
        await blobs.remove(copyKey);
        const map = await store.readMap();
        expect([map.rev, liveVersion(map, 'catalog')]).toEqual([4, versions[1]]);
        expect(map.changed).toMatchObject({ by: 'repair', action: 'restore', from: '3', to: '2' });
        expect(lines).toContainEqual(expect.stringMatching(/history\/3\.json .* revision 4 is revision 2 again/));
        expect(await blobs.get(revisionKey(3))).toEqual(cut);
        await promote(store, { ...by, name: 'catalog', version: versions[2] });
        expect((await history(store)).map(({ rev }) => rev)).toEqual([5, 4, 2, 1]);
      });

      it('the newest revision is repaired from the copy', async () => {
        await cutRevision(3);
        expect(await live()).toBe(versions[2]);
        await restore(store, { ...by, rev: 3 });
        expect(await blobs.get(revisionKey(3))).toEqual(whole.get(revisionKey(3)));
      });

      it('a restore of an unreadable revision is refused and changes nothing', async () => {
        await cutRevision(1);
        await expect(restore(store, { ...by, rev: 1 })).rejects.toThrow(/no revision 1 that can be read/);
        expect((await history(store)).map(({ rev }) => rev)).toEqual([3, 2]);
        expect(await blobs.get(copyKey)).toEqual(copy);
      });

      it('a map without any readable revision is refused and left unchanged', async () => {
        for (const rev of [1, 2, 3]) await cutRevision(rev);
        const cut = copy.subarray(0, 100);
        await blobs.put(copyKey, cut);
        await expect(store.readMap()).rejects.toThrow(/restore maps\/ from a backup/);
        for (const rev of [1, 2, 3]) await blobs.remove(revisionKey(rev));
        await expect(store.readMap()).rejects.toThrow(/has no history; restore maps\/ from a backup/);
        expect(await blobs.get(copyKey)).toEqual(cut);
      });

      it('a damaged map is repaired once although many processes read it at the same time', async () => {
        await cutRevision(3);
        await blobs.put(copyKey, copy.subarray(0, 100));
        const stores = Array.from({ length: 8 }, () => createStore(blobs, (line) => lines.push(line)));
        const maps = await Promise.all(stores.map((one) => one.readMap()));
        for (const map of maps) expect(map).toEqual(maps[0]);
        expect((await history(store)).map(({ rev }) => rev)).toEqual([4, 2, 1]);
        expect(JSON.parse(String(await blobs.get(copyKey)))).toEqual(maps[0]);
      });

      it('a damaged map is repaired while another process changes it, and the change is live', async () => {
        await blobs.put(copyKey, copy.subarray(0, 100));
        const stores = Array.from({ length: 4 }, () => createStore(blobs, (line) => lines.push(line)));
        const [change] = await Promise.all([
          rollback(store, { ...by, name: 'catalog' }),
          ...stores.map((one) => one.readMap()),
        ]);
        expect(await store.readMap()).toEqual(change.map);
        expect(JSON.parse(String(await blobs.get(copyKey)))).toEqual(change.map);
      });

      it('a reader without write permission gets the map and reports the failed repair once', async () => {
        await blobs.put(copyKey, copy.subarray(0, 100));
        const refuse = () => Promise.reject(new Error('read only'));
        const reader = createStore({ ...blobs, put: refuse, putNew: refuse }, (line) => lines.push(line));
        for (let read = 0; read < 3; read += 1)
          expect(liveVersion(await reader.readMap(), 'catalog')).toBe(versions[2]);
        expect(lines).toEqual([expect.stringContaining('could not be repaired: read only')]);
      });
    });

    it('only the checks of sizes and of a browser can be skipped, and only with a reason', async () => {
      const version = await publishSample(store);
      const skipping = (skip: string[], why?: string) => promote(store, { ...by, name: 'catalog', version, skip, why });
      await expect(skipping(['size'])).rejects.toThrow(/--why/);
      await expect(skipping(['files'], 'x')).rejects.toThrow(/cannot be skipped/);
      await skipping(['size'], 'pictures move out next week');
      expect((await history(store))[0]?.why).toBe('pictures move out next week (skipped: size)');
    });

    const unversioned = (more: Partial<Parameters<typeof promote>[1]> = {}) =>
      promote(store, { ...by, name: 'catalog', ...more });

    it('promote without a version runs the gate on the release that was published last', async () => {
      await publishSample(store);
      const { map } = await unversioned();
      const good = await publishSample(store, { text: 'two', gated: false });
      await unversioned({ dryRun: true });
      expect(await store.readVerdict('catalog', good)).toBeNull();
      expect(await unversioned()).toMatchObject({ version: good, outcome: 'promoted' });
      expect(await store.readVerdict('catalog', good)).toMatchObject({
        passed: true,
        gate: GATE_VERSION,
        at: expect.stringMatching(/^20.*Z$/),
        by: 'ann',
        checks: expect.arrayContaining([expect.objectContaining({ check: 'files', outcome: 'passed' })]),
      });
      expect(await unversioned()).toMatchObject({ version: good, outcome: 'already live' });
      const bad = await publishSample(store, { contract: 2 });
      await expect(unversioned()).rejects.toThrow(GateError);
      expect(await store.readVerdict('catalog', bad)).toMatchObject({ passed: false });
      expect((await store.readMap()).rev).toBe(map.rev + 1);
    });

    const takeBack = () => rollback(store, { by: 'bob', name: 'catalog', why: 'errors' });

    it.each<[string, number | undefined, (rev: number) => Promise<unknown>]>([
      ['a rollback', undefined, takeBack],
      ['a rollback of a canary', 10, takeBack],
      ['a rollback of the whole map', undefined, (rev) => restore(store, { by: 'bob', rev, why: 'errors' })],
    ])('promote without a version does not bring back a release that %s removed', async (_, traffic, undo) => {
      await publishSample(store);
      const { map } = await unversioned();
      const two = await publishSample(store, { text: 'two' });
      await unversioned({ traffic });
      await undo(map.rev);
      const refused = () => expect(unversioned()).rejects.toThrow(/was rolled back .*promote catalog@/);
      await refused();
      for (const name of ['orders', 'content']) await publishLive(store, { name });
      await refused();
      expect(await unversioned({ version: two })).toMatchObject({ outcome: 'promoted' });
      expect(await unversioned()).toMatchObject({ version: two, outcome: 'already live' });
    });

    it('promote ends a canary of its own role, and says so, and one of another role only with `replace`', async () => {
      const squad = { by: 'catalog CI', role: 'squad', name: 'catalog' };
      await publishLive(store);
      const canary = await publishSample(store, { text: 'two' });
      await promote(store, { ...squad, canary: [20, 50] });
      const three = await publishSample(store, { text: 'three' });
      const releases = [{ name: 'catalog', version: three }];
      for (const attempt of [
        () => promote(store, { ...by, name: 'catalog' }),
        () => promoteTogether(store, { ...by, releases }),
      ])
        await expect(attempt()).rejects.toThrow(`catalog@${canary} has 20 % of the visitors`);
      await advanceCanary(store, { by: 'watcher', name: 'catalog', version: canary, traffic: 20 });
      const { map } = await promote(store, { ...squad, canary: [5] });
      expect(map.changed.why).toBe(`5 % of the visitors: (ends the canary ${canary})`);
      const { outcome } = await promote(store, { ...by, name: 'catalog', replace: true });
      expect(outcome).toBe('promoted');
    });

    it('promote reports a release as live if another server made the same promote at the same time', async () => {
      const one = await publishSample(store, { text: 'one' });
      const two = await publishSample(store, { text: 'two' });
      const behind = (other: () => Promise<unknown>) => ({
        check: 'slow',
        run: async () => {
          await other();
          return [];
        },
      });
      const promoteOf = (version: string, traffic?: number) => ({ ...by, name: 'catalog', version, traffic });
      const race = (wanted: object, first: object) =>
        promote(store, {
          ...promoteOf(two),
          ...wanted,
          steps: [behind(() => promote(store, { ...promoteOf(two), ...first }))],
        });
      await promote(store, promoteOf(one));
      await expect(race({ traffic: 30 }, { traffic: 10 })).rejects.toThrow(ConflictError);
      expect(await race({ traffic: 20 }, { traffic: 20 })).toMatchObject({ outcome: 'canary', map: { rev: 3 } });
      expect(await race({}, {})).toMatchObject({ outcome: 'already live', map: { rev: 4 } });
    });

    it('the first release of a name gets a share within the limit of its squad, until it is raised or abandoned', async () => {
      const version = await publishSample(store, { name: 'gifts' });
      const gifts = { ...by, name: 'gifts', version };
      await expect(promote(store, { ...gifts, maxTraffic: 25 })).rejects.toThrow(/at most 25 %/);
      await expect(promote(store, { ...gifts, traffic: 50, maxTraffic: 25 })).rejects.toThrow(/at most 25 %/);
      expect(await promote(store, { ...gifts, traffic: 10, maxTraffic: 25 })).toMatchObject({ outcome: 'canary' });
      expect(await rollback(store, { ...by, name: 'gifts' })).toMatchObject({ outcome: 'abandoned', to: null });
      expect(await rollback(store, { ...by, name: 'gifts' })).toMatchObject({ outcome: 'already', from: version });
      await expect(rollback(store, { ...by, name: 'gifts', to: version })).rejects.toThrow(/no release of gifts/);
      await promote(store, { ...gifts, canary: [10, 50] });
      for (const [traffic, next] of [
        [10, 50],
        [50, 100],
      ] as const)
        expect(await advanceCanary(store, { ...gifts, traffic })).toMatchObject({ traffic: next });
      expect(liveVersion(await store.readMap(), 'gifts')).toBe(version);
    });

    const go = (name: string, more: Sample = {}) => publishLive(store, { name, ...more });

    /** Publishes a shell and two remotes with a new major of a singleton, and promotes those before. */
    async function newMajor() {
      const samples = (react: string): Sample[] => [
        { name: 'shell', provides: { react } },
        ...['catalog', 'orders'].map((name) => ({ name, needs: { react: `^${react}` } })),
      ];
      for (const one of samples('19.3.0')) await publishLive(store, one);
      const releases: Array<{ name: string; version: string }> = [];
      for (const one of samples('20.0.0'))
        releases.push({ name: one.name ?? '', version: await publishSample(store, one) });
      return { before: await store.readMap(), releases };
    }

    it('releases that pass the gate only together are promoted and rolled back in one revision', async () => {
      const { before, releases } = await newMajor();
      await expect(promote(store, { ...by, name: 'shell' })).rejects.toThrow(GateError);
      await expect(promoteTogether(store, { ...by, releases: releases.slice(0, 2) })).rejects.toThrow(/orders@/);
      const { map } = await promoteTogether(store, { ...by, releases });
      expect(map.rev).toBe(before.rev + 1);
      for (const { name, version } of releases) expect(liveVersion(map, name)).toBe(version);
      const { map: back } = await restore(store, { ...by, rev: before.rev });
      expect(back.microFrontends).toEqual(before.microFrontends);
    });

    it('a rollback to a release that the live shell cannot run is refused with the reason, unless `anyway` is set', async () => {
      const { before, releases } = await newMajor();
      const { map } = await promoteTogether(store, { ...by, releases });
      const refused = rollback(store, { ...by, name: 'catalog' });
      await expect(refused).rejects.toThrow(/react \^19\.3\.0 is needed, 20\.0\.0 is offered.*--anyway/);
      await expect(rollback(store, { ...by, name: 'shell' })).rejects.toThrow(GateError);
      expect(await store.readMap()).toEqual(map);
      await rollback(store, { ...by, name: 'catalog', anyway: true });
      expect(await live()).toBe(liveVersion(before, 'catalog'));
    });

    it('a restore of a map with pages that the server answers now is refused, unless `anyway` is set', async () => {
      const old = await go('orders', { text: 'one' });
      const moved = { path: '/bought', page: './main', module: './src/main.tsx', title: { 'zh-CN': '', en: '' } };
      await go('orders', { routes: [moved] });
      const server = { routes: ['/orders'], calls: [] };
      await expect(restore(store, { ...by, rev: 1, server })).rejects.toThrow(/claimed by the server/);
      expect((await store.readMap()).rev).toBe(2);
      await restore(store, { ...by, rev: 1, anyway: true, server });
      expect(await live('orders')).toBe(old);
    });

    it('a rollback is not stopped by a check that the live release fails as well', async () => {
      const old = await go('orders', { text: 'one' });
      await go('orders', { text: 'two' });
      const server = { routes: ['/orders'], calls: [] };
      const back = await rollback(store, { ...by, name: 'orders', server });
      expect(back).toMatchObject({ to: old, outcome: 'rolled back' });
    });

    it.each<[string, string, RegExp | null]>([
      ['source map', 'home.dd.js.map', null],
      ['picture', 'assets/cover.svg', null],
      ['script', 'home.dd.js', /home\.dd\.js has another hash/],
      ['style', 'home.dd.css', /home\.dd\.css has another hash/],
    ])('a rollback is not stopped by a damaged %s', async (_, file, warning) => {
      const old = await go('catalog', { more: { 'home.dd.js.map': '{}' } });
      await go('catalog', { text: 'two' });
      await store.blobs.put(`r/catalog/${old}/${file}`, Buffer.from('damaged'));
      const { outcome, warnings } = await rollback(store, { ...by, name: 'catalog' });
      expect([outcome, await live()]).toEqual(['rolled back', old]);
      expect(warnings).toEqual(warning ? [expect.stringMatching(warning)] : []);
    });

    it('a rollback is not stopped by a damaged manifest of another release', async () => {
      const other = await go('orders');
      const old = await go('catalog', { text: 'one' });
      await go('catalog', { text: 'two' });
      await store.blobs.put(`r/orders/${other}/release.json`, Buffer.from('{'));
      const { warnings } = await rollback(store, { ...by, name: 'catalog' });
      expect([await live(), warnings]).toEqual([old, [expect.stringMatching(/was not checked against the rest/)]]);
    });

    it('a repeated rollback changes nothing, and goes further back only with `from`', async () => {
      const [one, two, three] = [
        await go('catalog', { text: '1' }),
        await go('catalog', { text: '2' }),
        await go('catalog'),
      ];
      for (const outcome of ['rolled back', 'already'])
        expect(await rollback(store, { ...by, name: 'catalog' })).toMatchObject({ outcome, from: three, to: two });
      expect(await rollback(store, { ...by, name: 'catalog', from: three })).toMatchObject({ outcome: 'already' });
      expect(await rollback(store, { ...by, name: 'catalog', to: two })).toMatchObject({ outcome: 'already' });
      expect((await store.readMap()).rev).toBe(4);
      await rollback(store, { ...by, name: 'catalog', from: two });
      expect(await live()).toBe(one);
      await expect(rollback(store, { ...by, name: 'catalog', from: one })).rejects.toThrow(/--to/);
      await expect(rollback(store, { ...by, name: 'catalog', from: three })).rejects.toThrow(ConflictError);
      await promote(store, { ...by, name: 'catalog', version: three });
      expect(await rollback(store, { ...by, name: 'catalog' })).toMatchObject({ outcome: 'rolled back', to: one });
    });

    it('a repeated restore changes nothing', async () => {
      await go('catalog', { text: '1' });
      await go('catalog', { text: '2' });
      for (let time = 0; time < 2; time += 1) expect((await restore(store, { ...by, rev: 1 })).map.rev).toBe(3);
    });

    it('prune keeps a release that a concurrent rollback has made live', async () => {
      const old = await publishSample(store, { text: '1' });
      for (const text of ['2', '3']) await publishSample(store, { text });
      await promote(store, { ...by, name: 'catalog' });
      // The first list of publications comes after the maps were read once.
      const publications = jest.spyOn(store, 'publications').mockImplementationOnce(async (name) => {
        const found = await createStore(store.blobs).publications(name);
        await promote(createStore(store.blobs), { ...by, name, version: old });
        return found;
      });
      const { removed } = await prune(store, { keep: 1, days: 0 });
      publications.mockRestore();
      expect(removed).not.toContain(`catalog@${old}`);
      expect((await verify(store)).ok).toBe(true);
    });

    it('prune removes unneeded releases and keeps those that a map or an open tab may need', async () => {
      const versions: string[] = [];
      for (const text of ['1', '2', '3', '4', '5', '6', '7', '8']) {
        versions.push(await publishSample(store, { text }));
        await promote(store, {
          ...by,
          name: 'catalog',
          at: new Date(Date.UTC(2026, 1, versions.length)).toISOString(),
        });
      }
      const now = Date.UTC(2026, 1, 9);
      expect((await prune(store, { keep: 1, days: 7, now })).removed).toEqual([]);
      const { removed } = await prune(store, { keep: 1, days: 2, now });
      expect(removed).toContain(`catalog@${versions[0]}`);
      expect(removed).not.toContain(`catalog@${versions[6]}`);
      expect((await verify(store)).ok).toBe(true);
      expect(await store.readManifest('catalog', versions[0] ?? '')).toBeNull();
      expect(await store.readVerdict('catalog', versions[0] ?? '')).toBeNull();
    });

    it('a publish of the same content without a token keeps the job that the forge attested', async () => {
      const build = await readBuild(await writeBuild(sample()));
      const { name, version } = build.manifest;
      const provenance = { repository: 'acme/catalog', commit: 'c'.repeat(40) };
      await publishBuild(store, build, { by: 'acme/catalog@main', provenance });
      await publishBuild(store, build, { by: 'npm start' });
      expect(await store.publication(name, version)).toMatchObject({ by: 'npm start', provenance });
      await promote(store, { ...by, name, version });
      expect((await status(store)).releases).toMatchObject([{ version, commit: provenance.commit }]);
    });

    it('status reports the live releases with date and author, and published releases that are not live', async () => {
      const version = await publishSample(store);
      await promote(store, { ...by, name: 'catalog', at: '2026-03-01T00:00:00.000Z' });
      const waiting = await publishSample(store, { text: 'two' });
      expect((await status(store)).releases).toEqual([
        {
          name: 'catalog',
          version,
          since: '2026-03-01T00:00:00.000Z',
          by: 'ann',
          commit: null,
          previous: null,
          target: null,
          canary: null,
          frozen: [],
          waiting,
        },
      ]);
    });
  });
}
