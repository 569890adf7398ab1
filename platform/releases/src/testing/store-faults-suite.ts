import { liveVersion } from '../map';
import { promote } from '../operations/promote';
import { rollback } from '../operations/rollback';
import type { Blobs } from '../store/blobs';
import { folderBlobs } from '../store/folder-blobs';
import { s3Blobs } from '../store/s3-blobs';
import { ConflictError, createStore, type Store } from '../store/store';
import { publishSample, scratch } from './fixture';
import { type S3StandIn, type StoreFault, s3StandIn } from './s3-stand-in';

let standIn: S3StandIn;
let stores = 0;

type FaultOf = (key: string) => StoreFault | undefined;

function failingFolder(blobs: Blobs, faultOf: () => FaultOf): Blobs {
  const write = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const fault = faultOf()(key);
    if (fault === 'silent') await new Promise((resolve) => setImmediate(resolve));
    if (fault === 'full') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    if (fault === 'unavailable') throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    const result = await work();
    if (fault === 'lost') throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    return result;
  };
  return {
    ...blobs,
    put: (key, content) => write(key, () => blobs.put(key, content)),
    putNew: (key, content) => write(key, () => blobs.putNew(key, content)),
  };
}

const open: Record<'folder' | 'bucket', () => Promise<Store>> = {
  async folder() {
    const blobs = failingFolder(folderBlobs(await scratch()), () => standIn.faultOf);
    return createStore(blobs, () => {});
  },
  async bucket() {
    stores += 1;
    const requestHandler = { requestTimeout: 1_000, throwOnRequestTimeout: true };
    return createStore(s3Blobs(`s3://bucket/${stores}`, standIn.connect({ requestHandler })), () => {});
  },
};

const REVISION = /maps\/production\/history\/4\.json$/;
const COPY = /maps\/production\.json$/;
type Rule = [key: RegExp, fault: StoreFault, times: number];

function failWrites(rules: readonly Rule[]): void {
  const left = rules.map(([key, fault, times]) => ({ key, fault, times }));
  standIn.faultOf = (key) => {
    const rule = left.find((one) => one.times > 0 && one.key.test(key));
    if (rule) rule.times -= 1;
    return rule?.fault;
  };
}

const EXIT_CODE = (error: unknown) => (error instanceof ConflictError ? 4 : 1);
const ALWAYS = 1_000;
const ONCE = 1;

/** Outcome and exit code of the command, the live revision after it, and the number of printed warnings. */
type Row = [outcome: string, exit: number, rev: number, warnings: number];
const done: Row = ['done', 0, 4, 0];
const warned: Row = ['done', 0, 4, 1];
const failed: Row = ['failed', 1, 3, 0];

const CASES: Array<[name: string, rules: Rule[], folder: Row, bucket: Row]> = [
  ['answers slowly', [[REVISION, 'silent', ONCE]], done, done],
  ['answers slowly for the copy', [[COPY, 'silent', ONCE]], done, done],
  ['answers 503 once', [[REVISION, 'unavailable', ONCE]], failed, done],
  ['answers 503 for the revision', [[REVISION, 'unavailable', ALWAYS]], failed, failed],
  ['answers 503 for the copy', [[COPY, 'unavailable', ALWAYS]], warned, warned],
  ['loses the answer of the revision', [[REVISION, 'lost', ONCE]], done, done],
  ['loses each answer of the revision', [[REVISION, 'lost', ALWAYS]], done, done],
  ['loses the answer of the copy', [[COPY, 'lost', ALWAYS]], warned, warned],
  [
    'loses the answer, then fails the copy',
    [
      [REVISION, 'lost', ONCE],
      [COPY, 'full', ALWAYS],
    ],
    warned,
    warned,
  ],
  ['is full for the revision', [[REVISION, 'full', ALWAYS]], failed, failed],
  ['is full for the copy', [[COPY, 'full', ALWAYS]], warned, warned],
];

export function storeFaultsSuite(kind: 'folder' | 'bucket'): void {
  beforeAll(async () => {
    standIn = await s3StandIn();
  });
  afterAll(() => standIn.close());

  let store: Store;
  let versions: string[];
  const live = async () => liveVersion(await store.readMap(), 'catalog');

  beforeEach(async () => {
    standIn.faultOf = () => undefined;
    store = await open[kind]();
    versions = [];
    for (const text of ['zero', 'one', 'two', 'three']) versions.push(await publishSample(store, { text }));
    for (const version of versions.slice(0, 3)) await promote(store, { by: 'ann', name: 'catalog', version });
  });

  const commands = {
    rollback: () => rollback(store, { by: 'ann', name: 'catalog' }),
    promote: () => promote(store, { by: 'ann', name: 'catalog', version: versions[3] }),
  };

  async function run(command: keyof typeof commands): Promise<Row> {
    try {
      const { map, warnings } = await commands[command]();
      return ['done', 0, map.rev, warnings.length];
    } catch (error) {
      return ['failed', EXIT_CODE(error), (await store.readMap()).rev, 0];
    }
  }

  const rows = CASES.flatMap(([name, rules, folder, bucket]) =>
    (['rollback', 'promote'] as const).map((command) => ({ name, rules, command, row: { folder, bucket }[kind] })),
  );
  it.each(rows)(
    `when the ${kind} $name, $command reports its outcome and can be repeated safely`,
    async ({ rules, command, row }) => {
      const [target, before] = command === 'rollback' ? [versions[1], versions[2]] : [versions[3], versions[2]];
      failWrites(rules);
      expect(await run(command)).toEqual(row);
      failWrites([]);
      expect(await live()).toBe(row[0] === 'done' ? target : before);
      await expect(commands[command]()).resolves.toMatchObject({ warnings: [] });
      const map = await store.readMap();
      expect([liveVersion(map, 'catalog'), map.rev]).toEqual([target, 4]);
      expect(JSON.parse(String(await store.blobs.get('maps/production.json')))).toEqual(map);
    },
  );

  it.each(['rollback', 'promote'] as const)(
    'two servers that make the same change at once make it once: %s',
    async (command) => {
      const outcomes = await Promise.all([run(command), run(command)]);
      expect(outcomes.filter(([, exit, rev]) => exit === 0 && rev === 4).length).toBeGreaterThan(0);
      const map = await store.readMap();
      expect([liveVersion(map, 'catalog'), map.rev]).toEqual([command === 'rollback' ? versions[1] : versions[3], 4]);
      if (command === 'rollback') expect(outcomes.map(([, exit]) => exit)).toEqual([0, 0]);
    },
  );
}
