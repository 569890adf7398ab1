import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM at rest with key rotation: the first key encrypts, and every key decrypts the values that carry its id. */
export class Keyring {
  constructor(private readonly keys: Array<{ id: string; key: Buffer }>) {}

  get currentId(): string {
    const first = this.keys[0];
    if (!first) throw new Error('no key is configured');
    return first.id;
  }

  has(keyId: string): boolean {
    return this.keys.some(({ id }) => id === keyId);
  }

  encrypt(text: string, keyId = this.currentId): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(keyId), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  decrypt(keyId: string, sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(keyId), sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  }

  private keyOf(keyId: string): Buffer {
    const key = this.keys.find((key) => key.id === keyId)?.key;
    if (!key) throw new Error(`no key "${keyId}" is configured`);
    return key;
  }
}

/** A keyed hash of the last four characters of a sold code, which a buyer can read out. Undefined for shorter codes. */
export function tailMark(secret: string, cardNo: string): Buffer | undefined {
  const tail = /([0-9A-Z]{4})$/.exec(cardNo.toUpperCase().replace(/[^0-9A-Z]/g, ''))?.[1];
  return tail === undefined
    ? undefined
    : createHmac('sha256', `${secret}/card-tail`).update(tail).digest().subarray(0, 16);
}
