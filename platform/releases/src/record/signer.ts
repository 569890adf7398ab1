import { createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import { keyIdOf, privateKeyOf } from '../ed25519';

/** Signs entries of the record, so that whoever can only write to the store cannot make up one of a server. */
export interface RecordSigner {
  /** Names the key. */
  readonly key: string;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The key of all servers that share `secret` (APP_SECRET). */
export function recordSigner(secret: string): RecordSigner {
  const own = privateKeyOf(Buffer.from(hkdfSync('sha256', secret, '', 'record of releases', 32)));
  const known = createPublicKey(own);
  return {
    key: keyIdOf(known),
    sign: (text) => sign(null, Buffer.from(text), own).toString('base64url'),
    verify: (text, signature) => verify(null, Buffer.from(text), known, Buffer.from(signature, 'base64url')),
  };
}
