import { createHmac, randomBytes } from 'node:crypto';

/** RFC 6238 as every authenticator app implements it: SHA-1, six digits, time steps of 30 s. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 recommends 160 bits with SHA-1. */
const SECRET_BYTES = 20;

/** Secrets are base64, as they are stored encrypted. */
export const newTotpSecret = () => randomBytes(SECRET_BYTES).toString('base64');
export const totpStep = (milliseconds: number) => Math.floor(milliseconds / 1000 / STEP_SECONDS);

export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', Buffer.from(secret, 'base64')).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step of a valid code; one step before and after now also counts, for clocks that differ. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | undefined {
  const current = totpStep(now);
  return [current, current - 1, current + 1].find((step) => totpCode(secret, step) === code);
}

/** RFC 4648, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export const totpAddress = (secret: string, name: string) =>
  `otpauth://totp/${encodeURIComponent(`Stardot staff:${name}`)}?secret=${base32(Buffer.from(secret, 'base64'))}&issuer=${encodeURIComponent('Stardot staff')}`;
