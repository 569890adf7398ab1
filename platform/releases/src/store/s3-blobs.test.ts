import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { conditionalWrites, type S3StandIn, s3StandIn } from '../testing/s3-stand-in';
import { s3Blobs } from './s3-blobs';

type Conditional = S3StandIn['conditional'];

let standIn: S3StandIn;
let client: S3Client;
beforeAll(async () => {
  standIn = await s3StandIn();
  client = standIn.connect();
});
afterEach(() => {
  standIn.conditional = conditionalWrites;
});
afterAll(() => standIn.close());

const prefix = () => randomBytes(6).toString('hex');

it.each(['conflict', 'unavailable', 'lost'] as const)(
  'putNew creates a key once when the first answer is %s',
  async (fault) => {
    const faults = [fault];
    standIn.faultOf = (key) => (key.endsWith('/a') ? faults.shift() : undefined);
    const blobs = s3Blobs(`s3://bucket/${prefix()}`, client);
    expect(await blobs.putNew('a', Buffer.from('1'))).toBe(true);
    expect(await blobs.putNew('a', Buffer.from('1'))).toBe(false);
    expect(await blobs.putNew('a', Buffer.from('2'))).toBe(false);
  },
);

it('putNew does not take another writer’s key for its own after a lost answer', async () => {
  const blobs = s3Blobs(`s3://bucket/${prefix()}`, client);
  await blobs.putNew('a', Buffer.from('1'));
  const faults = ['unavailable' as const];
  standIn.faultOf = (key) => (key.endsWith('/a') ? faults.shift() : undefined);
  expect(await blobs.putNew('a', Buffer.from('2'))).toBe(false);
});

describe('the first write to a bucket', () => {
  const used =
    (status: number, isStored: boolean): Conditional =>
    (key) =>
      key === 'used' ? { status, isStored } : { status: 200, isStored: true };
  /** The first calls of each probe are answered by `before`, which lets every writer win by default. */
  const afterwards = (calls: number, then: Conditional, before = used(200, true)): Conditional => {
    let count = 0;
    return (key) => {
      if (key !== 'used') count = 0;
      count += 1;
      return (count > calls ? then : before)(key);
    };
  };
  const always = (status: number) => () => ({ status, isStored: false });

  it.each<[what: string, conditional: Conditional, message: string]>([
    ['overwrites an existing key', used(200, true), 'lets several writers create'],
    ['answers 200 and stores nothing', used(200, false), 'lets several writers create'],
    ['lets three writers win at the same moment', afterwards(3, used(412, false)), 'lets several writers create'],
    ['overwrites a key later', afterwards(4, used(200, true), used(412, false)), 'accepts a second write'],
    ['answers 412 and overwrites', used(412, true), 'but stores it'],
    ['answers 409 for good', used(409, false), 'with 409 Status409'],
    ['does not implement the header', always(501), 'with 501 Status501'],
    ['takes the header for a mistake', always(400), 'with 400 Status400'],
    ['allows no such method', always(405), 'with 405 Status405'],
    ['refuses a free key', always(412), 'refuses to create a free key'],
    [
      'remembers removed keys',
      (key) => ({ status: key === 'free' ? 200 : 412, isStored: key === 'free' }),
      'that was removed',
    ],
  ])('fails with the missing feature and leaves nothing in a bucket that %s', async (_what, conditional, message) => {
    const before = standIn.keys();
    standIn.conditional = conditional;
    const place = `s3://bucket/${prefix()}`;
    const blobs = s3Blobs(place, client);
    for (const write of [
      () => blobs.put('maps/a.json', Buffer.from('1')),
      () => blobs.putNew('maps/b.json', Buffer.from('1')),
      () => blobs.putAll('r/a/1', new Map([['release.json', Buffer.from('1')]]), 'release.json'),
    ]) {
      const error = await write().catch((fault: Error) => fault);
      expect(error).toMatchObject({ name: 'StoreError', message: expect.stringContaining(message) });
      expect((error as Error).message).toMatch(
        new RegExp(`^${place}: the bucket [^\\n]*"If-None-Match: \\*" of PutObject`),
      );
    }
    expect(standIn.keys()).toEqual(before);
  });

  it('probes once, also for writes at the same time, and leaves nothing', async () => {
    const probes: string[] = [];
    standIn.faultOf = (key) => {
      if (key.includes('/probe/')) probes.push(key);
      return undefined;
    };
    const before = standIn.keys();
    const home = prefix();
    const blobs = s3Blobs(`s3://bucket/${home}`, client);
    await Promise.all(['a', 'b', 'c'].map((key) => blobs.putNew(key, Buffer.from('1'))));
    await blobs.put('d', Buffer.from('1'));
    expect(new Set(probes).size).toBe(1);
    expect(standIn.keys().slice(before.length).sort()).toEqual(['a', 'b', 'c', 'd'].map((key) => `${home}/${key}`));
  });

  it('probes again after a fault of the connection', async () => {
    const faults = Array.from({ length: 20 }, () => 'unavailable' as const);
    standIn.faultOf = () => faults.shift();
    const blobs = s3Blobs(`s3://bucket/${prefix()}`, standIn.connect({ maxAttempts: 1 }));
    await expect(blobs.putNew('a', Buffer.from('1'))).rejects.toThrow(/check AWS_ENDPOINT_URL/);
    faults.length = 0;
    expect(await blobs.putNew('a', Buffer.from('1'))).toBe(true);
  });
});

it('a bucket refuses keys that lead out of its prefix', async () => {
  await expect(s3Blobs('s3://bucket/shop', client).get('../other/x')).rejects.toThrow(/outside the store/);
});

it('a bucket that does not answer is reported with the settings to check', async () => {
  const unreachable = new S3Client({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  await expect(s3Blobs('s3://bucket/shop', unreachable).get('a')).rejects.toThrow(
    /^s3:\/\/bucket\/shop: .*check AWS_ENDPOINT_URL/,
  );
  unreachable.destroy();
});
