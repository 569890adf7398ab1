import { createHash, randomUUID } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { contentTypeOf } from '../content-type';
import { inParallel } from '../in-parallel';
import { type Blobs, StoreError } from './blobs';

const TRIES = 6;
/** A key beside a release's files with the version's content hash, written before any file. */
const CLAIM = '.claim';
const COMPRESSED = /\.(br|gz)$/;

const metadataOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number; attempts?: number } } | null)?.$metadata;
const statusOf = (error: unknown): number => metadataOf(error)?.httpStatusCode ?? 0;
/** The SDK itself repeats requests. */
const attemptsOf = (error: unknown): number => metadataOf(error)?.attempts ?? 1;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Leaves errors unchanged that callers distinguish: a missing key, a failed condition, an undecided race. */
function explained(error: unknown, place: string): unknown {
  const { name = 'Error', message = '' } = (error ?? {}) as Error;
  if ([409, 412].includes(statusOf(error)) || (statusOf(error) === 404 && name !== 'NoSuchBucket')) return error;
  const advice =
    name === 'NoSuchBucket'
      ? 'make the bucket first, or correct RELEASE_STORE'
      : [401, 403].includes(statusOf(error)) || name === 'CredentialsProviderError'
        ? 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what this key may do'
        : 'check AWS_ENDPOINT_URL, AWS_REGION and the connection';
  return new StoreError(`${place}: ${[name, message].filter(Boolean).join(': ')}; ${advice}`, { cause: error });
}

/** Releases never change and maps may change at any time. A CDN in front of the bucket obeys these headers. */
function headersFor(key: string) {
  const bare = key.replace(COMPRESSED, '');
  return {
    ContentType: contentTypeOf(bare),
    ContentEncoding: key.endsWith('.br') ? 'br' : key.endsWith('.gz') ? 'gzip' : undefined,
    CacheControl: key.startsWith('r/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

/**
 * A bucket that supports the S3 API with conditional writes. `place` is `s3://bucket/prefix`; keys and region come from the SDK's
 * usual environment variables, another provider's address from AWS_ENDPOINT_URL.
 */
export function s3Blobs(place: string, client = clientFromEnvironment()): Blobs {
  const { host: Bucket, pathname } = new URL(place);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const Key = (key: string) => {
    if (key.split('/').some((part) => part === '..' || part === '.')) throw new Error(`"${key}" is outside the store`);
    return prefix ? `${prefix}/${key}` : key;
  };

  const send: S3Client['send'] = async (...args: unknown[]) => {
    try {
      return await (client.send as (...all: unknown[]) => Promise<never>).apply(client, args);
    } catch (error) {
      throw explained(error, place);
    }
  };

  const get = async (key: string): Promise<Buffer | null> => {
    try {
      const { Body } = await send(new GetObjectCommand({ Bucket, Key: Key(key) }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  };
  const put = async (key: string, content: Buffer): Promise<void> => {
    await send(new PutObjectCommand({ Bucket, Key: Key(key), Body: content, ...headersFor(key) }));
  };
  const create = async (key: string, content: Buffer): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(
          new PutObjectCommand({ Bucket, Key: Key(key), Body: content, IfNoneMatch: '*', ...headersFor(key) }),
        );
        return true;
      } catch (error) {
        if (statusOf(error) === 412) {
          // An earlier attempt may have been stored although its answer was lost.
          const isRetry = attempt > 1 || attemptsOf(error) > 1;
          return isRetry && ((await get(key))?.equals(content) ?? false);
        }
        // 409: another conditional write is in flight, and the winner is not decided yet.
        if (statusOf(error) !== 409 || attempt === TRIES) throw error;
        await pause(20 * attempt * (0.5 + Math.random()));
      }
    }
  };
  const remove = async (key: string): Promise<void> => {
    await send(new DeleteObjectCommand({ Bucket, Key: Key(key) }));
  };

  const listed = async (Prefix: string, Delimiter?: string) => {
    const folders: string[] = [];
    const keys: string[] = [];
    try {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter })) {
        folders.push(...(page.CommonPrefixes ?? []).flatMap((folder) => folder.Prefix ?? []));
        keys.push(...(page.Contents ?? []).flatMap((object) => object.Key ?? []));
      }
    } catch (error) {
      throw explained(error, place);
    }
    return { folders, keys };
  };

  let probe: Promise<void> | undefined;
  /** The first write waits for it. It is repeated only after a failure. */
  const probed = (): Promise<void> => {
    probe ??= probeBucket({ place, get, put, create, remove }).catch((error: unknown) => {
      probe = undefined;
      throw error;
    });
    return probe;
  };

  return {
    place,
    readAgainMs: 1000,
    get,
    async put(key, content) {
      await probed();
      await put(key, content);
    },
    async putNew(key, content) {
      await probed();
      return create(key, content);
    },
    async putAll(folder, files, marker) {
      const last = files.get(marker);
      if (last === undefined) throw new Error(`${folder} has no ${marker}`);
      if ((await this.stamp(`${folder}/${marker}`)) !== null) return false;
      // One key decides between writers of different contents. Decided file by file, each writer could win some files, and none the folder.
      const claim = `${folder}/${CLAIM}`;
      const contents = Buffer.from(createHash('sha256').update(last).digest('hex'));
      const isOurs = (await this.putNew(claim, contents)) || (await this.get(claim))?.equals(contents);
      if (!isOurs) {
        if ((await this.stamp(`${folder}/${marker}`)) !== null) return false;
        throw new StoreError(
          `${folder} in ${place} is being published with other content; if that process has died, remove ${folder}/ and publish again`,
        );
      }
      const others = await inParallel([...files], async ([file, content]) => {
        if (file === marker || (await this.putNew(`${folder}/${file}`, content))) return null;
        // The other writer died, or runs now. Compressed siblings may differ between versions of zlib, and both are right.
        return COMPRESSED.test(file) || (await this.get(`${folder}/${file}`))?.equals(content) ? null : file;
      });
      const other = others.find((file) => file !== null);
      if (other) {
        if ((await this.stamp(`${folder}/${marker}`)) !== null) return false;
        throw new StoreError(
          `${folder}/${other} in ${place} has other content; if no process is publishing this version, remove ${folder}/ and publish again`,
        );
      }
      return this.putNew(`${folder}/${marker}`, last);
    },
    async list(folder) {
      const start = Key(folder);
      const { folders, keys } = await listed(start, '/');
      const names = [
        ...folders.map((name) => name.slice(start.length, -1)),
        ...keys.map((key) => key.slice(start.length)),
      ];
      return names.filter(Boolean);
    },
    async removeAll(folder) {
      const { keys } = await listed(`${Key(folder)}/`);
      // The marker first: a release that is being removed must not look whole.
      keys.sort((left, right) => Number(right.endsWith('/release.json')) - Number(left.endsWith('/release.json')));
      for (const objectKey of keys) await send(new DeleteObjectCommand({ Bucket, Key: objectKey }));
    },
    remove,
    async sweep() {},
    async stamp(key) {
      try {
        const { ETag } = await send(new HeadObjectCommand({ Bucket, Key: Key(key) }));
        return ETag ?? '';
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
  };
}

/** `create` writes with `If-None-Match: *`. */
type ProbedBucket = Pick<Blobs, 'place' | 'get' | 'put' | 'remove'> & { create: Blobs['putNew'] };

/** Statuses with which providers answer a header that they do not know, or answer wrongly. */
const REFUSALS = [400, 405, 409, 412, 501];

/** Some servers check the condition before they write, so that all writers at the same moment win. */
const RACERS = ['1', '2', '3', '4'].map((text) => Buffer.from(text));
const LATER = Buffer.from('5');

/**
 * Throws a StoreError for a bucket without conditional writes, in which two writers of one revision could both win. Creates a key
 * below `probe/` and removes it.
 */
async function probeBucket(bucket: ProbedBucket): Promise<void> {
  const key = `probe/${randomUUID()}`;
  const fail = (what: string): never => {
    throw new StoreError(
      `${bucket.place}: the bucket ${what}. The store needs "If-None-Match: *" of PutObject, which creates a key only if it is free; see docs/operations/deploy.md for providers that have it`,
    );
  };
  const create = (content: Buffer) =>
    bucket.create(key, content).catch(async (error: unknown) => {
      const { cause = error } = error as { cause?: unknown };
      const status = statusOf(cause);
      if (!REFUSALS.includes(status)) throw error;
      // If the same write succeeds without the header, the header is the cause.
      await bucket.put(key, content).catch(() => {
        throw error;
      });
      return fail(`answers "If-None-Match: *" with ${status} ${(cause as Error).name}`);
    });
  try {
    // A write that is still in flight would leave the key behind.
    const results = await Promise.allSettled(RACERS.map(create));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const [winner, ...others] = RACERS.filter((_, index) => (results[index] as { value?: boolean }).value);
    if (!winner) return fail('refuses to create a free key');
    if (others.length > 0) fail('lets several writers create one key at the same time');
    if (await create(LATER)) fail('accepts a second write of a key that must be created once');
    if (!(await bucket.get(key))?.equals(winner)) fail('refuses a second write of a key, but stores it');
    const isRemoved = await bucket.remove(key).then(
      () => true,
      () => false,
    );
    if (isRemoved && !(await create(LATER))) fail('refuses to create a key again that was removed');
  } finally {
    // A key of a squad may lack the permission to remove.
    await bucket.remove(key).catch(() => {});
  }
}

function clientFromEnvironment(): S3Client {
  return new S3Client({
    region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
    // Providers other than Amazon support neither the bucket in the host name nor checksum trailers.
    forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL ?? process.env.AWS_ENDPOINT_URL_S3),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // By default the SDK waits without a limit, and a rollback would wait with it.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
}
