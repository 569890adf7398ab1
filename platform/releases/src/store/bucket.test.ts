/**
 * Runs the store's suite on a bucket. `scripts/setup/radosgw.sh npm run test:full` starts a real bucket and names it by
 * S3_TEST=s3://bucket/prefix and the SDK's variables. Without it, a stand-in answers the few calls that the back end makes.
 */
import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { type S3StandIn, s3StandIn } from '../testing/s3-stand-in';
import { storeSuite } from '../testing/store-suite';
import { s3Blobs } from './s3-blobs';

const real = process.env.S3_TEST;
let standIn: S3StandIn;
let client: S3Client;
beforeAll(async () => {
  standIn = await s3StandIn();
  client = standIn.connect();
});
afterAll(() => standIn.close());

const prefix = () => randomBytes(6).toString('hex');
storeSuite(real ? 'real bucket' : 'bucket that is a stand-in', async () =>
  real ? s3Blobs(`${real}/${prefix()}`) : s3Blobs(`s3://bucket/${prefix()}`, client),
);

if (real) {
  it('a bucket with a wrong access key is reported', async () => {
    const credentials = { accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: 'guessed' };
    const stranger = new S3Client({ region: 'us-east-1', credentials, forcePathStyle: true });
    const place = `${real}/${prefix()}`;
    await expect(s3Blobs(place, stranger).putNew('a', Buffer.from('1'))).rejects.toThrow(/check AWS_ACCESS_KEY_ID/);
    expect(await s3Blobs(place).get('a')).toBeNull();
    stranger.destroy();
  });

  it('a missing bucket is reported with what to do', async () => {
    await expect(s3Blobs('s3://no-such-bucket/shop').putNew('a', Buffer.from('1'))).rejects.toThrow(
      /s3:\/\/no-such-bucket.*make the bucket first/,
    );
  });
}
