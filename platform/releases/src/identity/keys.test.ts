import type { Blobs } from '../store/blobs';
import { folderBlobs } from '../store/folder-blobs';
import { scratch } from '../testing/fixture';
import { ReleaseKeys } from './keys';

const DAY = 86_400_000;

let blobs: Blobs;
beforeEach(async () => {
  blobs = folderBlobs(await scratch());
});

let now = Date.parse('2026-03-01T00:00:00Z');
const grant = { role: 'squad', remotes: ['catalog'] } as const;
const squad = { ...grant, name: 'catalog CI', by: 'ann', lifetime: 30 * DAY };

it('keys are stored as hashes and valid on every server until they expire or are revoked', async () => {
  const keys = new ReleaseKeys(blobs, () => now);
  const { key, identity } = await keys.make({ ...squad, maxTraffic: 25 });
  const other = new ReleaseKeys(blobs, () => now);
  expect(await other.authenticate(key)).toEqual(identity);
  expect(identity).toMatchObject({ ...grant, name: 'catalog CI', maxTraffic: 25 });
  const stored = (await blobs.get(`ops/keys/${identity.id}.json`))?.toString() ?? '';
  const secret = key.slice(-43);
  expect(stored).toContain('catalog CI');
  expect(stored).not.toContain(secret);
  expect(JSON.stringify(await keys.list())).not.toMatch(/hash/);
  const changed = key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const text of [changed, ` ${key}`, `${key}A`, key.slice(0, -1), ''])
    expect(await other.authenticate(text)).toBeNull();
  await other.revoke(identity.id, 'ben');
  expect(await keys.authenticate(key)).toBeNull();
  expect(await keys.list()).toMatchObject([{ id: identity.id, revoked: { by: 'ben' } }]);
  const again = await keys.make(squad);
  now += 31 * DAY;
  expect(await keys.authenticate(again.key)).toBeNull();
});

it('keys are listed newest first, without those of forges, and revoked once', async () => {
  const keys = new ReleaseKeys(blobs, () => now);
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
  const list = async (prefix: string) => [...(await blobs.list(prefix)), `${'0'.repeat(16)}.json`];
  expect(await new ReleaseKeys({ ...blobs, list }, () => now).list()).toEqual(listed);
  await blobs.put(`ops/keys/${'1'.repeat(16)}.json`, Buffer.from('{"id":'));
  await blobs.put(`ops/keys/${'2'.repeat(16)}.json`, Buffer.from('{}'));
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
  const keys = new ReleaseKeys(blobs, () => now);
  const { key, identity } = await keys.make(squad);
  const file = `ops/keys/${identity.id}.json`;
  const record = JSON.parse(String(await blobs.get(file)));
  for (const [channels, isValid] of [
    [['preview'], false],
    [['preview', 'production'], true],
  ] as const) {
    await blobs.put(file, Buffer.from(JSON.stringify({ ...record, channels })));
    expect((await keys.authenticate(key)) !== null).toBe(isValid);
  }
});

it('names of keys are unique and cannot imitate a user', async () => {
  const keys = new ReleaseKeys(blobs, () => now);
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
  const keys = Array.from({ length: 6 }, () => new ReleaseKeys(blobs, () => now));
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
  expect(await blobs.list('ops/used/')).toHaveLength(1);
  const ids = kept.map(({ identity }) => `${identity.id}.json`);
  expect((await blobs.list('ops/keys/')).sort()).toEqual(ids.sort());
  const full = { ...blobs, list: () => Promise.reject(new Error('cannot be listed')) };
  expect(await new ReleaseKeys(full, () => now).takeOnce('a third', now + 1_000)).toBe(true);
});
