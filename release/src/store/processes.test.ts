import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveVersion } from '../map';
import { history, promote, verify } from '../operations';
import { publish } from '../publish';
import { publishSample, sample, writeBuild } from '../testing/fixture';
import { openStore } from './open-store';

jest.setTimeout(600_000);
const script = join(__dirname, '..', 'testing', 'promote-process.ts');
const execArgv = ['--import', 'tsx'];
const folder = () => mkdtemp(join(tmpdir(), 'shop-processes-'));

/** Starts all, waits until each stands at the line, lets them go together, and gives their exit codes. */
async function race(runs: string[][]): Promise<Array<number | null>> {
  const children: ChildProcess[] = runs.map((args) =>
    fork(script, args, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  const codes = children.map((child) => new Promise<number | null>((resolve) => child.once('exit', resolve)));
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('message', resolve))));
  for (const child of children) child.send('go');
  return Promise.all(codes);
}

describe('processes that promote at once', () => {
  it('all land when each has a release of its own', async () => {
    const place = await folder();
    const store = openStore({ place });
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map((word) => `remote-${word}`);
    const versions = new Map<string, string>();
    for (const name of names) versions.set(name, await publishSample(store, { name }));

    expect(await race(names.map((name) => [place, name, versions.get(name) ?? '']))).toEqual(names.map(() => 0));

    const map = await store.readMap('production');
    expect(map.rev).toBe(8);
    for (const name of names) expect(liveVersion(map, name)).toBe(versions.get(name));
    expect((await history(store)).map(({ rev }) => rev)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('have one winner when two promote the same remote, and the other is told', async () => {
    const place = await folder();
    const store = openStore({ place });
    const one = await publishSample(store, { text: 'one' });
    const two = await publishSample(store, { text: 'two' });
    const codes = await race([
      [place, 'catalog', one],
      [place, 'catalog', two],
    ]);
    const map = await store.readMap('production');
    // They may also come one clearly after the other: then both landed, in that order.
    if (map.rev === 1) {
      expect([...codes].sort()).toEqual([0, 4]);
      expect(liveVersion(map, 'catalog')).toBe(codes[0] === 0 ? one : two);
    } else {
      expect(codes).toEqual([0, 0]);
      expect(map.rev).toBe(2);
    }
  });
});

/** CRASH_ROUNDS=200 kills at every step, again and again up to that many rounds; npm test takes a spread of the steps once. */
const wanted = Number(process.env.CRASH_ROUNDS ?? 0);
const spread = wanted > 0 ? 1 : 14;

it('survives kill -9 at its steps: the map is the old or the new one, and the next command works', async () => {
  const place = await folder();
  const store = openStore({ place });
  const first = await publishSample(store, { text: 'first' });
  await promote(store, { name: 'catalog', version: first, by: 'test' });

  let rounds = 0;
  let before = first;
  for (let at = 1; ; at += spread) {
    const build = sample({ text: `round ${rounds}` });
    const { version } = build.manifest;
    const dist = await writeBuild(build);
    const { signal, status, stderr } = spawnSync(
      process.execPath,
      [...execArgv, script, place, 'catalog', version, dist],
      {
        env: { ...process.env, DIE_AT: String(at) },
        encoding: 'utf8',
      },
    );
    if (signal !== 'SIGKILL' && status !== 0) throw new Error(stderr);
    const now = liveVersion(await store.readMap('production'), 'catalog');
    expect([before, version]).toContain(now);
    expect((await verify(store, { all: true })).ok).toBe(true);

    await publish(store, { dist, by: 'test' });
    await promote(store, { name: 'catalog', version, by: 'test' });
    expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(version);
    before = version;
    rounds += 1;
    if (signal !== 'SIGKILL') {
      if (rounds >= wanted) break;
      at = 1 - spread;
    }
  }
  if (wanted > 0) console.log(`${rounds} rounds`);
  // Every round added one revision, and none was lost or written twice.
  expect((await history(store, { limit: 10_000 })).map(({ rev }) => rev)).toEqual(
    Array.from({ length: rounds + 1 }, (_, index) => rounds + 1 - index),
  );
  expect(rounds).toBeGreaterThan(5);
});
