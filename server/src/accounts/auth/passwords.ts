import { hash, verify } from '@node-rs/argon2';

/** Settings that OWASP recommends for argon2id. */
const settings = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const common = new Set([
  '12345678',
  '123456789',
  '1234567890',
  'password',
  'password1',
  'qwertyui',
  'qwerty123',
  '88888888',
  'abcd1234',
  'a1234567',
  '11223344',
  'iloveyou',
  '00000000',
  '11111111',
  '66666666',
  '123123123',
  'admin123',
  '87654321',
]);

const isCommon = (password: string): boolean => common.has(password.toLowerCase()) || new Set(password).size <= 2;

export function isStrong(password: string): boolean {
  const length = [...password].length;
  return length >= 8 && length <= 32 && !isCommon(password);
}

export const hashPassword = (password: string) => hash(password, settings);

let decoy: Promise<string> | undefined;
/** Takes the same time without a hash, so that the time does not reveal which accounts exist. */
export async function matchesPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no such account');
  const matches = await verify(stored ?? (await decoy), password);
  return matches && Boolean(stored);
}
