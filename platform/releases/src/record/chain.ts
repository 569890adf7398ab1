/**
 * The record of a channel: each revision of its map carries the hash of the one before, and a server's signature. Revisions of
 * builds without it are taken on as they are: the first one with it carries a hash of them all.
 */
import { createHash } from 'node:crypto';
import type { MapRecord, ReleaseMap } from '../contract';
import { AT_ONCE, inParallel } from '../in-parallel';
import type { RecordSigner } from './signer';

/** The stored bytes of a revision; null when there is none. */
export type ReadRevision = (rev: number) => Promise<Buffer | null>;

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

export function parseRevision(content: Buffer | null): ReleaseMap | null {
  try {
    const map = content && (JSON.parse(content.toString('utf8')) as ReleaseMap | null);
    return map && typeof map === 'object' && Number.isInteger(map.rev) ? map : null;
  } catch {
    return null;
  }
}

/** Of what it says; of its bytes when it cannot be read. */
export function hashOfRevision(content: Buffer | null): string {
  if (!content) return 'none';
  const map = parseRevision(content);
  return sha256(map ? JSON.stringify(map) : content);
}

/** Of the revisions 1 to `last`. */
export async function hashOfAll(read: ReadRevision, last: number): Promise<string> {
  const revisions = Array.from({ length: last }, (_, index) => index + 1);
  return sha256((await inParallel(revisions, AT_ONCE, async (rev) => hashOfRevision(await read(rev)))).join('\n'));
}

/** What a signature is of: everything but itself. */
export function signedText(map: ReleaseMap): string {
  const { signature: _, ...record } = map.ops.record ?? {};
  return JSON.stringify({ ...map, ops: { ...map.ops, record } });
}

/** The record of the last readable revision before `rev`; undefined when that has none, or there is none. */
async function recordBefore(read: ReadRevision, rev: number): Promise<MapRecord | undefined> {
  for (let earlier = rev - 1; earlier > 0; earlier -= 1) {
    const map = parseRevision(await read(earlier));
    if (map) return map.ops.record;
  }
  return undefined;
}

/** Adds its record to a revision that is about to be written. Changes `map` in place. */
export async function seal(map: ReleaseMap, read: ReadRevision, signer: RecordSigner | undefined): Promise<void> {
  const known = await recordBefore(read, map.rev);
  map.ops.record = known
    ? { since: known.since, before: hashOfRevision(await read(map.rev - 1)) }
    : { since: map.rev, before: await hashOfAll(read, map.rev - 1) };
  if (signer) map.ops.record.signature = { key: signer.key, value: signer.sign(signedText(map)) };
}
