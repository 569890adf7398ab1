import type { S3Client } from '@aws-sdk/client-s3';
import type { STSClient } from '@aws-sdk/client-sts';
import { randomNumber } from '../platform/crypto/tokens';
import { lazy } from './lazy';
import type { DirectGrant, PictureStore } from './providers';
import type { S3Settings } from './settings';

/** The shortest validity that STS grants. */
const MIN_SECONDS = 900;

interface Sdk {
  s3: typeof import('@aws-sdk/client-s3');
  sts: typeof import('@aws-sdk/client-sts');
  presigner: typeof import('@aws-sdk/s3-request-presigner');
  client: S3Client;
  tokens: STSClient;
}

/**
 * Stores images in a bucket. Users upload to `incoming/avatar/{uid}/` with temporary credentials that permit only this; the shop
 * re-encodes the image and stores only the result. Nothing under `incoming/` is served.
 */
export class S3Pictures implements PictureStore {
  private readonly sdk = lazy((): Sdk => {
    const s3 = require('@aws-sdk/client-s3') as Sdk['s3'];
    const sts = require('@aws-sdk/client-sts') as Sdk['sts'];
    const { accessKeyId, secretAccessKey, region, stsEndpoint } = this.settings;
    const credentials = { accessKeyId, secretAccessKey };
    return {
      s3,
      sts,
      presigner: require('@aws-sdk/s3-request-presigner') as Sdk['presigner'],
      client: this.clientWith(s3, credentials),
      tokens: new sts.STSClient({ region, credentials, ...(stsEndpoint ? { endpoint: stsEndpoint } : {}) }),
    };
  });

  constructor(private readonly settings: S3Settings) {}

  private clientWith(
    s3: Sdk['s3'],
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  ): S3Client {
    const { region, endpoint, pathStyle } = this.settings;
    return new s3.S3Client({
      region,
      credentials,
      forcePathStyle: pathStyle,
      // S3-compatible services do not support these checksums, and browsers do not compute them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint ? { endpoint } : {}),
    });
  }

  private keyOf(name: string): string {
    return this.settings.prefix ? `${this.settings.prefix}/${name}` : name;
  }

  async put(name: string, bytes: Buffer, type: string): Promise<void> {
    const { s3, client } = this.sdk();
    await client.send(
      new s3.PutObjectCommand({
        Bucket: this.settings.bucket,
        Key: this.keyOf(name),
        Body: bytes,
        ContentType: type,
        CacheControl: 'public, max-age=31536000, immutable',
      }),
    );
  }

  async get(name: string): Promise<Buffer | undefined> {
    return this.read(this.keyOf(name));
  }

  remove(name: string): Promise<void> {
    return this.removeKey(this.keyOf(name));
  }

  private async removeKey(key: string): Promise<void> {
    const { s3, client } = this.sdk();
    await client.send(new s3.DeleteObjectCommand({ Bucket: this.settings.bucket, Key: key }));
  }

  private async read(key: string, range?: string): Promise<Buffer | undefined> {
    const { s3, client } = this.sdk();
    try {
      const { Body } = await client.send(
        new s3.GetObjectCommand({ Bucket: this.settings.bucket, Key: key, Range: range }),
      );
      return Body ? Buffer.from(await Body.transformToByteArray()) : undefined;
    } catch (error) {
      const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
      if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404) return undefined;
      // An empty object has no first byte.
      if ($metadata?.httpStatusCode === 416) return Buffer.alloc(0);
      throw error;
    }
  }

  readonly direct: NonNullable<PictureStore['direct']> = {
    provider: 's3',
    dirOf: (user: number) => `${this.keyOf('incoming')}/avatar/${user}/`,
    grant: async (user: number, seconds: number): Promise<DirectGrant> => {
      const { s3, sts, presigner, tokens } = this.sdk();
      const { bucket, roleArn, endpoint, region, pathStyle } = this.settings;
      const dir = this.direct.dirOf(user);
      const life = Math.max(MIN_SECONDS, seconds);
      const { Credentials } = await tokens.send(
        new sts.AssumeRoleCommand({
          RoleArn: roleArn,
          RoleSessionName: `shop-user-${user}`,
          DurationSeconds: life,
          // Narrows the role: these credentials can only put objects under one folder.
          Policy: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: ['s3:PutObject'], Resource: [`arn:aws:s3:::${bucket}/${dir}*`] }],
          }),
        }),
      );
      if (!Credentials?.AccessKeyId || !Credentials.SecretAccessKey || !Credentials.SessionToken)
        throw new Error('STS answered without credentials');
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials;
      const theirs = this.clientWith(s3, {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: SessionToken,
      });
      const upload_key = `${dir}${randomNumber()}`;
      const put = new s3.PutObjectCommand({ Bucket: bucket, Key: upload_key });
      const base = endpoint || `https://s3.${region}.amazonaws.com`;
      return {
        host: pathStyle ? `${base}/${bucket}/` : base.replace('://', `://${bucket}.`).concat('/'),
        dir,
        access_key_id: AccessKeyId,
        access_key_secret: SecretAccessKey,
        security_token: SessionToken,
        expiration: Expiration ?? new Date(Date.now() + life * 1000),
        upload_url: await presigner.getSignedUrl(theirs, put, { expiresIn: seconds }),
        upload_key,
      };
    },
    take: async (key: string, most: number): Promise<Buffer | 'large' | undefined> => {
      // One byte more than allowed is enough to detect that it is too large.
      const bytes = await this.read(key, `bytes=0-${most}`);
      return bytes && bytes.length > most ? 'large' : bytes;
    },
    remove: (key: string) => this.removeKey(key),
  };
}
