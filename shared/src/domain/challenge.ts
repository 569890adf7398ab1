/** Data of ChallengeRequired: a solution is a text whose SHA-256 after `challenge:` begins with `bits` zero bits. */
export interface Challenge {
  challenge: string;
  bits: number;
}

export function leadingZeroBits(hash: Uint8Array): number {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}
