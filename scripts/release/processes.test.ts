import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { checkFiles, history, liveVersion, openStore, promote, publish, verify } from '@platform/releases';
import { publishLive, sample, scratch, writeBuild } from '@platform/releases/testing';
import { compileProgram } from '../jest/compiled-program';
import { repetitions } from '../jest/test-scale';

jest.setTimeout(600_000);
let program: string;
beforeAll(async () => {
  program = join(await scratch(), 'promote-process.js');
  await compileProgram(join(__dirname, 'testing/promote-process.ts'), program);
});

const full = Boolean(process.env.TEST_FULL);
/** Kinds of an empty place, with the least number of rounds and the distance between the steps at which a process is killed. */
const plans: Array<[string, () => Promise<string>, { rounds: number; stride: number }]> = [
  ['a folder', scratch, { rounds: repetitions(200), stride: full ? 1 : 10 }],
];
const bucket = process.env.S3_TEST;
// A round takes longer on a real bucket (scripts/setup/radosgw.sh).
if (bucket) {
  const open = async () => `${bucket}/processes-${randomBytes(6).toString('hex')}`;
  plans.push(['a bucket', open, { rounds: 1, stride: full ? 3 : 10 }]);
}

it.each(plans)(
  'publish and promote on %s survive kill -9 at any step: the map is the old or the new one, and the next command works',
  async (kind, open, { rounds: least, stride }) => {
    const place = await open();
    const store = openStore({ place });
    await publishLive(store, { name: 'shell' });
    let before = await publishLive(store, { text: 'first' });

    let rounds = 0;
    let kills = 0;
    let sweeps = 0;
    for (let at = 1; sweeps === 0 || rounds < least; at += stride) {
      const build = sample({ text: `round ${rounds}` });
      const { version } = build.manifest;
      const dist = await writeBuild(build);
      const { signal, status, stderr } = spawnSync(process.execPath, [program, place, 'catalog', version, dist], {
        env: { ...process.env, DIE_AT: String(at) },
        encoding: 'utf8',
      });
      if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr);
      expect([before, version]).toContain(liveVersion(await store.readMap(), 'catalog'));
      expect((await verify(store)).ok).toBe(true);
      // A release with a manifest is whole, even if it is not live yet.
      const manifest = await store.readManifest('catalog', version);
      if (manifest)
        expect(await checkFiles(store, manifest)).not.toContainEqual(expect.objectContaining({ outcome: 'failed' }));

      await publish(store, { dist, by: 'test' });
      await promote(store, { name: 'catalog', version, by: 'test' });
      expect(liveVersion(await store.readMap(), 'catalog')).toBe(version);
      before = version;
      rounds += 1;
      if (signal === 'SIGKILL') kills += 1;
      else {
        // The process was not killed: every step has had its kill.
        sweeps += 1;
        at = 1 - stride;
      }
    }
    expect((await verify(store, { all: true })).ok).toBe(true);
    expect((await history(store, { limit: 10_000 })).map(({ rev }) => rev)).toEqual(
      Array.from({ length: rounds + 2 }, (_, index) => rounds + 2 - index),
    );
    console.log(`${kills} processes killed in ${rounds} rounds on ${kind}`);
    expect(kills).toBe(rounds - sweeps);
    expect(kills).toBeGreaterThanOrEqual(repetitions(30));
  },
);
