import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Crockford's alphabet omits characters that look alike. It has 32 characters, so the low five bits of a byte pick evenly. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A public number of an order, a payment or a recharge: 20 characters, 100 random bits. */
export function randomNumber(length = 20): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

export const randomToken = () => randomBytes(32).toString('base64url');
export const randomDigits = () => String(randomInt(0, 1_000_000)).padStart(6, '0');
export const sha256 = (text: string) => createHash('sha256').update(text).digest();

export function hmac(key: string, text: string): string {
  if (!key) throw new Error('an empty key signs nothing');
  return createHmac('sha256', key).update(text).digest('base64url');
}

export function sameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/** A signed token that is valid until it expires. `purpose` prevents the use of one kind of token as another. */
export function seal(secret: string, purpose: string, claims: object, seconds: number): string {
  const body = Buffer.from(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1000) + seconds })).toString(
    'base64url',
  );
  return `${body}.${hmac(`${secret}/${purpose}`, body)}`;
}

export function unseal<T>(secret: string, purpose: string, token: string): T | undefined {
  const [body = '', signature = ''] = token.split('.');
  if (!sameText(signature, hmac(`${secret}/${purpose}`, body))) return undefined;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as T & { exp: number };
  return claims.exp > Date.now() / 1000 ? claims : undefined;
}
