import { randomUUID } from 'node:crypto';
import { type Blobs, StoreError } from './blobs';

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
export async function probeBucket(bucket: ProbedBucket): Promise<void> {
  const key = `probe/${randomUUID()}`;
  const fail = (what: string): never => {
    throw new StoreError(
      `${bucket.place}: the bucket ${what}. The store needs "If-None-Match: *" of PutObject, which creates a key only if it is free; see docs/operations/deploy.md for providers that have it`,
    );
  };
  const create = (content: Buffer) =>
    bucket.create(key, content).catch(async (error: unknown) => {
      const { name, status } = answerOf(error);
      if (!REFUSALS.includes(status)) throw error;
      // If the same write succeeds without the header, the header is the cause.
      await bucket.put(key, content).catch(() => {
        throw error;
      });
      return fail(`answers "If-None-Match: *" with ${status} ${name}`);
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

function answerOf(error: unknown): { name: string; status: number } {
  const { cause = error } = error as { cause?: unknown };
  const { name = '', $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  return { name, status: $metadata?.httpStatusCode ?? 0 };
}
