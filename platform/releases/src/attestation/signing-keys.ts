/**
 * Keys by which publishers sign what they publish. The private one is in the publisher's CI only; the public ones are in the
 * store beside the keys of the release API, `ops/signing-keys/<id>.json`.
 */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { isReleaseName } from '../contract';
import { keyIdOf, privateKeyOf, publicKeyOf } from '../ed25519';
import { isKeyName } from '../key-name';
import type { Blobs } from '../store/blobs';
import { StoreError } from '../store/store-error';

const KEYS = 'ops/signing-keys/';
const PRIVATE = /^releasesign_([\w-]{43})$/;
const PUBLIC = /^ed25519:([\w-]{43})$/;
const ID = /^[0-9a-f]{16}$/;

export interface SigningKey {
  /** The `keyid` of its signatures. */
  id: string;
  name: string;
  /** The releases whose publishers have it. */
  remotes: readonly string[];
  /** `ed25519:…` */
  publicKey: string;
  at: string;
  by: string;
  revoked?: { at: string; by: string };
}

const publicLine = (key: KeyObject) => `ed25519:${(key.export({ format: 'jwk' }) as { x: string }).x}`;

/** A new pair. The private key is nowhere else. */
export function makeSigningKey(): { privateKey: string; publicKey: string } {
  const seed = randomBytes(32);
  return {
    privateKey: `releasesign_${seed.toString('base64url')}`,
    publicKey: publicLine(createPublicKey(privateKeyOf(seed))),
  };
}

/** Throws StoreError, without what was given. */
export function readPrivateKey(text: string): KeyObject {
  const [, seed] = PRIVATE.exec(text.trim()) ?? [];
  if (seed) return privateKeyOf(Buffer.from(seed, 'base64url'));
  throw new StoreError('RELEASE_SIGNING_KEY is not a private key that "npm run release -- signing-key" has printed');
}

/** Throws StoreError. */
export function readPublicKey(text: string): KeyObject {
  const [, bytes] = PUBLIC.exec(text) ?? [];
  if (bytes) return publicKeyOf(Buffer.from(bytes, 'base64url'));
  throw new StoreError('a public key looks like ed25519:…, as "npm run release -- signing-key" has printed it');
}

export class SigningKeys {
  constructor(
    private readonly blobs: Blobs,
    private readonly now: () => number = Date.now,
  ) {}

  /** Again with other remotes, it is for these. Throws StoreError, also for a key that was revoked. */
  async add({ publicKey, name, remotes, by }: Pick<SigningKey, 'publicKey' | 'name' | 'remotes' | 'by'>) {
    const id = keyIdOf(readPublicKey(publicKey));
    if (!isKeyName(name)) throw new StoreError(`"${name}" is not a name: letters, digits, spaces and . _ / @ : # -`);
    if (remotes.length === 0) throw new StoreError('a signing key needs the names of its remotes');
    const wrong = remotes.find((one) => !isReleaseName(one));
    if (wrong !== undefined) throw new StoreError(`"${wrong}" is not a name such as catalog`);
    if ((await this.read(id))?.revoked)
      throw new StoreError(`the key ${id} was revoked; make another: npm run release -- signing-key`);
    return this.write({ id, name, remotes, publicKey, at: new Date(this.now()).toISOString(), by });
  }

  /** Newest first, with those that were revoked. */
  async list(): Promise<SigningKey[]> {
    const found = await Promise.all(
      (await this.blobs.list(KEYS)).map((file) => this.read(file.replace(/\.json$/, ''))),
    );
    return found.filter((one) => one !== null).sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  /** No gate takes its signatures any more, also those of before. Throws StoreError for an unknown key. */
  async revoke(id: string, by: string): Promise<SigningKey> {
    const key = ID.test(id) ? await this.read(id) : null;
    if (!key) throw new StoreError(`there is no signing key ${id}; see: npm run release -- signing-key list`);
    return this.write({ ...key, revoked: key.revoked ?? { at: new Date(this.now()).toISOString(), by } });
  }

  private async read(id: string): Promise<SigningKey | null> {
    const content = await this.blobs.get(`${KEYS}${id}.json`);
    try {
      const key = content && (JSON.parse(content.toString('utf8')) as SigningKey);
      return key && keyIdOf(readPublicKey(key.publicKey)) === id && Array.isArray(key.remotes) ? key : null;
    } catch {
      // A damaged one is as good as none, and must not hide what is live.
      return null;
    }
  }

  private async write(key: SigningKey): Promise<SigningKey> {
    await this.blobs.put(`${KEYS}${key.id}.json`, Buffer.from(`${JSON.stringify(key)}\n`));
    return key;
  }
}
