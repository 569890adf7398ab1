import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse } from './double';

interface Credential {
  secret: string;
  token?: string;
  expires?: number;
  puts?: string[];
}
const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
/** Encodes by RFC 3986, as signatures require. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** A bucket and its STS: Signature Version 4 in headers and URLs, temporary credentials bound to a session policy. */
export class S3Double extends Double {
  readonly bucket = 'shop-pictures';
  readonly region = 'eu-test-1';
  readonly roleArn = 'arn:aws:iam::123456789012:role/uploader';
  readonly accessKeyId = 'AKIASHOPSERVER';
  readonly secretAccessKey = randomBytes(20).toString('hex');
  readonly objects = new Map<string, { bytes: Buffer; type: string }>();
  private readonly credentials = new Map<string, Credential>([[this.accessKeyId, { secret: this.secretAccessKey }]]);

  env(): NodeJS.ProcessEnv {
    return {
      STORAGE: 's3',
      UPLOADS_S3_BUCKET: this.bucket,
      UPLOADS_S3_REGION: this.region,
      UPLOADS_S3_PREFIX: '/pictures/',
      UPLOADS_S3_ROLE_ARN: this.roleArn,
      UPLOADS_S3_ACCESS_KEY_ID: this.accessKeyId,
      UPLOADS_S3_SECRET_ACCESS_KEY: this.secretAccessKey,
      UPLOADS_S3_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const url = new URL(request.url, 'http://bucket');
    const authorized = this.authorize(request, url);
    if (typeof authorized === 'string') {
      this.refusals.push(authorized);
      return error(403, authorized);
    }
    if (url.pathname === '/' && request.method === 'POST') return this.assume(new URLSearchParams(request.body));
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    if (bucket !== this.bucket) return error(404, 'NoSuchBucket');
    if (authorized.puts && !(request.method === 'PUT' && authorized.puts.some((prefix) => key.startsWith(prefix)))) {
      this.refusals.push('AccessDenied');
      return error(403, 'AccessDenied');
    }
    const object = this.objects.get(key);
    switch (request.method) {
      case 'PUT':
        this.objects.set(key, { bytes: request.bytes, type: String(request.headers['content-type'] ?? '') });
        return { status: 200, headers: { etag: '"1"' } };
      case 'DELETE':
        this.objects.delete(key);
        return { status: 204 };
      case 'GET': {
        if (!object) return error(404, 'NoSuchKey');
        const range = /^bytes=0-(\d+)$/.exec(String(request.headers.range ?? ''));
        if (range && object.bytes.length === 0) return error(416, 'InvalidRange');
        const bytes = range ? object.bytes.subarray(0, Number(range[1]) + 1) : object.bytes;
        return { status: range ? 206 : 200, headers: { 'content-type': object.type }, body: bytes };
      }
      default:
        return error(405, 'MethodNotAllowed');
    }
  }

  private authorize({ method, headers, bytes }: DoubleRequest, url: URL): Credential | string {
    const query = url.searchParams;
    const inAddress = query.has('X-Amz-Signature');
    const part = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)=([^,\s]+)/g)].map(([, name, value]) => [name, value]),
    );
    const [scope, names, signature, at, token] = inAddress
      ? ['Credential', 'SignedHeaders', 'Signature', 'Date', 'Security-Token'].map(
          (name) => query.get(`X-Amz-${name}`) ?? '',
        )
      : [
          part.Credential,
          part.SignedHeaders,
          part.Signature,
          headers['x-amz-date'],
          headers['x-amz-security-token'],
        ].map((value) => String(value ?? ''));
    const [id = '', day = '', region = '', service = '', end = ''] = (scope ?? '').split('/');
    const credential = this.credentials.get(id);
    if (!credential) return 'InvalidAccessKeyId';
    if ((credential.token ?? '') !== token) return 'InvalidToken';
    if (credential.expires && credential.expires < Date.now()) return 'ExpiredToken';
    const sentAt = Date.parse((at ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (Number.isNaN(sentAt) || !at?.startsWith(day) || region !== this.region || end !== 'aws4_request')
      return 'SignatureDoesNotMatch';
    const age = (Date.now() - sentAt) / 1000;
    if (age > (inAddress ? Number(query.get('X-Amz-Expires')) : 900) || age < -900) return 'RequestTimeTooSkewed';
    if (!names?.split(';').includes('host')) return 'SignatureDoesNotMatch';
    const contentHash = inAddress ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256'] ?? sha(bytes));
    if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha(bytes)) return 'XAmzContentSHA256Mismatch';
    const canonical = [
      method,
      url.pathname
        .split('/')
        .map((segment) => encode(decodeURIComponent(segment)))
        .join('/'),
      [...query]
        .filter(([name]) => name !== 'X-Amz-Signature')
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
      hmac(`AWS4${credential.secret}`, day),
    );
    return createHmac('sha256', key).update(text).digest('hex') === signature ? credential : 'SignatureDoesNotMatch';
  }

  private assume(form: URLSearchParams): DoubleResponse {
    const seconds = Number(form.get('DurationSeconds'));
    if (form.get('Action') !== 'AssumeRole' || form.get('RoleArn') !== this.roleArn) return error(403, 'AccessDenied');
    if (!(seconds >= 900 && seconds <= 43_200)) return error(400, 'ValidationError');
    const policy = JSON.parse(form.get('Policy') ?? '{}') as {
      Statement?: Array<{ Effect: string; Action: string[]; Resource: string[] }>;
    };
    const puts = (policy.Statement ?? [])
      .filter((statement) => statement.Effect === 'Allow' && statement.Action.includes('s3:PutObject'))
      .flatMap((statement) => statement.Resource)
      .map((resource) => resource.replace(`arn:aws:s3:::${this.bucket}/`, '').replace(/\*$/, ''));
    const [id, secret, token] = [
      `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      randomBytes(20).toString('hex'),
      randomBytes(30).toString('base64'),
    ];
    const expires = Date.now() + seconds * 1000;
    this.credentials.set(id, { secret, token, expires, puts });
    return {
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>${token}</SessionToken><Expiration>${new Date(expires).toISOString()}</Expiration></Credentials></AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`,
    };
  }
}

const error = (status: number, code: string): DoubleResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
