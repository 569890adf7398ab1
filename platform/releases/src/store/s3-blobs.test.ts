/**
 * The store's suite on a bucket. `scripts/setup/radosgw.sh npm run test:full` starts a real one and names it by S3_TEST=s3://bucket/prefix
 * and the SDK's variables; without that, a small stand-in answers that knows the few calls the back end makes. The stand-in also
 * plays what a real one does only now and then.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { serviceSuite } from '../testing/service-suite';
import { storeSuite } from '../testing/store-suite';
import { s3Blobs } from './s3-blobs';

const real = process.env.S3_TEST;
const objects = new Map<string, Buffer>();
let refusals = 0;

const standIn = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://bucket');
  const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = (status: number, body: string | Buffer = '', headers = {}) =>
      response.writeHead(status, headers).end(body);
    const found = objects.get(key);
    const error = (status: number, code: string) =>
      answer(status, request.method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, {
        'content-type': 'application/xml',
      });
    if (url.searchParams.has('list-type')) {
      const prefix = url.searchParams.get('prefix') ?? '';
      const delimiter = url.searchParams.get('delimiter');
      const rest = [...objects.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length));
      const folders = delimiter
        ? new Set(rest.filter((name) => name.includes('/')).map((name) => name.split('/')[0]))
        : new Set<string>();
      const files = delimiter ? rest.filter((name) => !name.includes('/')) : rest;
      return answer(
        200,
        `<?xml version="1.0"?><ListBucketResult>${files.map((name) => `<Contents><Key>${prefix}${name}</Key></Contents>`).join('')}${[...folders].map((name) => `<CommonPrefixes><Prefix>${prefix}${name}/</Prefix></CommonPrefixes>`).join('')}<IsTruncated>false</IsTruncated></ListBucketResult>`,
        { 'content-type': 'application/xml' },
      );
    }
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*') {
        // Amazon answers 409 while another conditional write is in flight; the store must retry.
        if (refusals > 0) {
          refusals -= 1;
          return error(409, 'ConditionalRequestConflict');
        }
        if (found) return error(412, 'PreconditionFailed');
      }
      objects.set(key, Buffer.concat(chunks));
      return answer(200, '', { etag: `"${randomBytes(8).toString('hex')}"` });
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    if (!found) return error(404, 'NoSuchKey');
    // An entity tag of the content, so that a stamp changes with it.
    const etag = `"${found.toString('hex').slice(0, 32)}-${found.length}"`;
    return request.method === 'HEAD'
      ? answer(200, '', { etag, 'content-length': String(found.length) })
      : answer(200, found, { etag });
  });
});

let client: S3Client;
beforeAll(async () => {
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
  client = new S3Client({
    endpoint: `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
});
afterAll(() => {
  client.destroy();
  standIn.close();
  standIn.closeAllConnections();
});

const prefix = () => randomBytes(6).toString('hex');
for (const suite of [storeSuite, serviceSuite])
  suite(real ? 'real bucket' : 'bucket that is a stand-in', async () =>
    real ? s3Blobs(`${real}/${prefix()}`) : s3Blobs(`s3://bucket/${prefix()}`, client),
  );

it('retries while another conditional write is in flight', async () => {
  refusals = 3;
  expect(await s3Blobs('s3://bucket/again', client).putNew('a', Buffer.from('1'))).toBe(true);
  expect(await s3Blobs('s3://bucket/again', client).putNew('a', Buffer.from('2'))).toBe(false);
});

it('refuses keys that lead out of its prefix', async () => {
  await expect(s3Blobs('s3://bucket/shop', client).get('../other/x')).rejects.toThrow(/outside the store/);
});

it('names the settings to check when the endpoint does not answer', async () => {
  const nobody = new S3Client({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  await expect(s3Blobs('s3://bucket/shop', nobody).get('a')).rejects.toThrow(
    /^s3:\/\/bucket\/shop: .*check AWS_ENDPOINT_URL/,
  );
  nobody.destroy();
});

if (real) {
  it('refuses a wrong key', async () => {
    const credentials = { accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: 'guessed' };
    const stranger = new S3Client({ region: 'us-east-1', credentials, forcePathStyle: true });
    const place = `${real}/${prefix()}`;
    await expect(s3Blobs(place, stranger).putNew('a', Buffer.from('1'))).rejects.toThrow(/check AWS_ACCESS_KEY_ID/);
    expect(await s3Blobs(place).get('a')).toBeNull();
    stranger.destroy();
  });

  it('says what to do when the bucket does not exist', async () => {
    await expect(s3Blobs('s3://no-such-bucket/shop').putNew('a', Buffer.from('1'))).rejects.toThrow(
      /s3:\/\/no-such-bucket.*make the bucket first/,
    );
  });
}
