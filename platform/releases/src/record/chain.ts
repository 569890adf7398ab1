/** The record of a channel: each revision of its map carries the hash of the one before, and a server's signature. */
import { createHash, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { ReleaseMap } from '../contract';
import { keyIdOf, privateKeyOf } from '../ed25519';
import { isSignedBy, type Signature, sealEnvelope } from '../envelope';

const PAYLOAD_TYPE = 'application/vnd.release-map+json';

/** The stored bytes of a revision; null when there is none. */
type ReadRevision = (rev: number) => Promise<Buffer | null>;

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

/** The private key of all servers that share `secret` (APP_SECRET), so that whoever can only write to the store cannot make up an entry of theirs. */
export const recordKey = (secret: string): KeyObject =>
  privateKeyOf(Buffer.from(hkdfSync('sha256', secret, '', 'record of releases', 32)));

/** What is signed: everything but the signature itself. */
function contentOf(map: ReleaseMap): string {
  const { signature: _, ...record } = map.ops.record ?? {};
  return JSON.stringify({ ...map, ops: { ...map.ops, record } });
}

/** Adds its record to a revision that is about to be written. Changes `map` in place. */
export async function seal(map: ReleaseMap, read: ReadRevision, key: KeyObject | undefined): Promise<void> {
  map.ops.record = { before: hashOfRevision(await read(map.rev - 1)) };
  const [signature] = sealEnvelope(PAYLOAD_TYPE, contentOf(map), key).signatures;
  if (signature) map.ops.record.signature = signature;
}

/** What is wrong with the signature of a revision. */
export function signatureFault(map: ReleaseMap, signature: Signature, key: KeyObject): string | null {
  const known = createPublicKey(key);
  if (signature.keyid !== keyIdOf(known))
    return `is signed by the key ${signature.keyid}, the servers have ${keyIdOf(known)}`;
  const good = isSignedBy(sealEnvelope(PAYLOAD_TYPE, contentOf(map)), signature, known);
  return good ? null : 'has a signature that is not of what it says';
}
