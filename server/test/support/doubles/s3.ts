import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse } from './double';

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
/** Encodes by RFC 3986, as signatures require. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** A bucket that verifies Signature Version 4. */
export class S3Double extends Double {
  readonly bucket = 'shop-pictures';
  readonly region = 'eu-test-1';
  readonly accessKeyId = 'AKIASHOPSERVER';
  readonly secretAccessKey = randomBytes(20).toString('hex');
  readonly objects = new Map<string, { bytes: Buffer; type: string }>();

  env(): NodeJS.ProcessEnv {
    return {
      STORAGE: 's3',
      UPLOADS_S3_BUCKET: this.bucket,
      UPLOADS_S3_REGION: this.region,
      UPLOADS_S3_PREFIX: '/pictures/',
      UPLOADS_S3_ACCESS_KEY_ID: this.accessKeyId,
      UPLOADS_S3_SECRET_ACCESS_KEY: this.secretAccessKey,
      UPLOADS_S3_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const url = new URL(request.url, 'http://bucket');
    const refusal = this.refusalOf(request, url);
    if (refusal) {
      this.refusals.push(refusal);
      return error(403, refusal);
    }
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    if (bucket !== this.bucket) return error(404, 'NoSuchBucket');
    const object = this.objects.get(key);
    switch (request.method) {
      case 'PUT':
        this.objects.set(key, { bytes: request.bytes, type: String(request.headers['content-type'] ?? '') });
        return { status: 200, headers: { etag: '"1"' } };
      case 'DELETE':
        this.objects.delete(key);
        return { status: 204 };
      case 'GET':
        if (!object) return error(404, 'NoSuchKey');
        return { status: 200, headers: { 'content-type': object.type }, body: object.bytes };
      default:
        return error(405, 'MethodNotAllowed');
    }
  }

  private refusalOf({ method, headers, bytes }: DoubleRequest, url: URL): string | undefined {
    const part: Record<string, string | undefined> = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)=([^,\s]+)/g)].map(([, name, value]) => [name, value]),
    );
    const { Credential: scope = '', SignedHeaders: names = '', Signature: signature } = part;
    const at = String(headers['x-amz-date'] ?? '');
    const [id = '', day = '', region = '', service = '', end = ''] = scope.split('/');
    if (id !== this.accessKeyId) return 'InvalidAccessKeyId';
    const sentAt = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (Number.isNaN(sentAt) || !at.startsWith(day) || region !== this.region || end !== 'aws4_request')
      return 'SignatureDoesNotMatch';
    const age = (Date.now() - sentAt) / 1000;
    if (Math.abs(age) > 900) return 'RequestTimeTooSkewed';
    if (!names.split(';').includes('host')) return 'SignatureDoesNotMatch';
    const contentHash = String(headers['x-amz-content-sha256'] ?? sha(bytes));
    if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha(bytes)) return 'XAmzContentSHA256Mismatch';
    const canonical = [
      method,
      url.pathname
        .split('/')
        .map((segment) => encode(decodeURIComponent(segment)))
        .join('/'),
      [...url.searchParams]
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .sort()
        .join('&'),
      ...names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
      '',
      names,
      contentHash,
    ].join('\n');
    const text = ['AWS4-HMAC-SHA256', at, `${day}/${region}/${service}/${end}`, sha(canonical)].join('\n');
    const key = [region, service, end].reduce<Buffer>(
      (signingKey, name) => hmac(signingKey, name),
      hmac(`AWS4${this.secretAccessKey}`, day),
    );
    return createHmac('sha256', key).update(text).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch';
  }
}

const error = (status: number, code: string): DoubleResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
