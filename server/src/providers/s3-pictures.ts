import { lazy } from './lazy';
import type { PictureStore } from './providers';
import type { S3Settings } from './settings';

/** Stores images in a bucket, which only the shop reads and writes. */
export class S3Pictures implements PictureStore {
  private readonly sdk = lazy(() => {
    const s3 = require('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');
    const { accessKeyId, secretAccessKey, region, endpoint, pathStyle } = this.settings;
    const client = new s3.S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: pathStyle,
      // S3-compatible services do not support these checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint ? { endpoint } : {}),
    });
    return { s3, client };
  });

  constructor(private readonly settings: S3Settings) {}

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
    const { s3, client } = this.sdk();
    try {
      const { Body } = await client.send(
        new s3.GetObjectCommand({ Bucket: this.settings.bucket, Key: this.keyOf(name) }),
      );
      return Body ? Buffer.from(await Body.transformToByteArray()) : undefined;
    } catch (error) {
      const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
      if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const { s3, client } = this.sdk();
    await client.send(new s3.DeleteObjectCommand({ Bucket: this.settings.bucket, Key: this.keyOf(name) }));
  }
}
