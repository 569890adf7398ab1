import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';

/** Signs entries of the record, so that whoever can only write to the store cannot make up one of a server. */
export interface RecordSigner {
  /** Names the key. */
  readonly key: string;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The fixed beginning of an Ed25519 private key in PKCS #8 (RFC 8410); its 32 bytes follow. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of all servers that share `secret` (APP_SECRET). */
export function recordSigner(secret: string): RecordSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'record of releases', 32));
  const own = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const known = createPublicKey(own);
  const key = createHash('sha256')
    .update(known.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
  return {
    key,
    sign: (text) => sign(null, Buffer.from(text), own).toString('base64url'),
    verify: (text, signature) => verify(null, Buffer.from(text), known, Buffer.from(signature, 'base64url')),
  };
}
