import { sha256 } from '@noble/hashes/sha2';
import { type Challenge, leadingZeroBits } from '../domain/challenge';

/** Short chunks keep the page responsive while a phone searches. */
const CHUNK_MS = 12;

export async function solveChallenge({ challenge, bits }: Challenge): Promise<string> {
  const encoder = new TextEncoder();
  const prefix = sha256.create().update(encoder.encode(`${challenge}:`));
  for (let attempt = 0; ; ) {
    const end = performance.now() + CHUNK_MS;
    while (performance.now() < end) {
      const solution = (attempt++).toString(36);
      if (leadingZeroBits(prefix.clone().update(encoder.encode(solution)).digest()) >= bits) return solution;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
