import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The fixed beginnings of Ed25519 keys in PKCS #8 and SPKI (RFC 8410); their 32 bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

export const publicKeyOf = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });

/** Names a public key. */
export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
