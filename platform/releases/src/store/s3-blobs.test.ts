import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { type S3StandIn, s3StandIn } from '../testing/s3-stand-in';
import { s3Blobs } from './s3-blobs';

let standIn: S3StandIn;
let client: S3Client;
beforeAll(async () => {
  standIn = await s3StandIn();
  client = standIn.connect();
});
afterAll(() => standIn.close());

const prefix = () => randomBytes(6).toString('hex');

it.each(['conflict', 'unavailable', 'lost'] as const)(
  'putNew creates a key once when the first answer is %s',
  async (fault) => {
    const faults = [fault];
    standIn.faultOf = () => faults.shift();
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
  standIn.faultOf = () => faults.shift();
  expect(await blobs.putNew('a', Buffer.from('2'))).toBe(false);
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
