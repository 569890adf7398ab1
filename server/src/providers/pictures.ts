import fs from 'node:fs/promises';
import path from 'node:path';
import { randomNumber } from '../platform/crypto/tokens';
import { lazy } from './lazy';
import type { PictureStore } from './providers';
import type { S3Settings } from './settings';

export class LocalPictures implements PictureStore {
  private readonly root: string;
  private readonly parts: string;
  constructor(dataDir: string) {
    this.root = path.join(dataDir, 'uploads');
    this.parts = `${this.root}-part`;
  }
  async put(name: string, bytes: Buffer): Promise<void> {
    const file = path.join(this.root, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    // The file appears complete or not at all, even if two processes write the same image. It is written outside the folder,
    // because a backup reads that.
    const part = path.join(this.parts, randomNumber());
    await fs.mkdir(this.parts, { recursive: true });
    try {
      await fs.writeFile(part, bytes);
      await fs.rename(part, file);
    } catch (error) {
      // On a full disk a part of the file may exist.
      await fs.rm(part, { force: true }).catch(() => {});
      throw error;
    }
  }
  async get(name: string): Promise<Buffer | undefined> {
    return fs.readFile(path.join(this.root, name)).catch((error) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
  async remove(name: string): Promise<void> {
    await fs.rm(path.join(this.root, name), { force: true });
  }
  async removeLeftovers(before: Date): Promise<void> {
    const names = await fs.readdir(this.parts).catch(() => []);
    for (const file of names.map((name) => path.join(this.parts, name))) {
      // Another process may have completed or removed it.
      const stats = await fs.stat(file).catch(() => undefined);
      if (stats && stats.mtime < before) await fs.rm(file, { force: true });
    }
  }
}

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

  private place(name: string) {
    const { bucket: Bucket, prefix } = this.settings;
    return { Bucket, Key: prefix ? `${prefix}/${name}` : name };
  }

  async put(name: string, bytes: Buffer, type: string): Promise<void> {
    const { s3, client } = this.sdk();
    await client.send(
      new s3.PutObjectCommand({
        ...this.place(name),
        Body: bytes,
        ContentType: type,
        CacheControl: 'public, max-age=31536000, immutable',
      }),
    );
  }

  async get(name: string): Promise<Buffer | undefined> {
    const { s3, client } = this.sdk();
    try {
      const { Body } = await client.send(new s3.GetObjectCommand(this.place(name)));
      return Body ? Buffer.from(await Body.transformToByteArray()) : undefined;
    } catch (error) {
      const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
      if (name === 'NoSuchKey' || $metadata?.httpStatusCode === 404) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const { s3, client } = this.sdk();
    await client.send(new s3.DeleteObjectCommand(this.place(name)));
  }
}
