import { ErrorCode } from '@shop/shared/domain';
import { type Challenge, leadingZeroBits } from '@shop/shared/domain/challenge';
import type { FastifyRequest } from 'fastify';
import { randomToken, seal, sha256, unseal } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { ShopError } from './errors';
import { networkOf } from './networks';
import { hit } from './rate-limit';

/** Leading zero bits that a solution's hash needs: 2^17 hashes on average (ADR 0014). */
const BITS = 17;
const VALID_SECONDS = 300;

interface Claims {
  network: string;
  salt: string;
}

/** ChallengeRequired with a new challenge; the shop's HTTP client solves it and repeats the call. */
export function challengeFor(secret: string, address: string): ShopError {
  const claims: Claims = { network: networkOf(address), salt: randomToken() };
  const challenge = seal(secret, 'challenge', claims, VALID_SECONDS);
  return new ShopError(ErrorCode.ChallengeRequired, { challenge, bits: BITS } satisfies Challenge);
}

/** Whether the request contains the solution of a challenge that this shop issued to its network; each counts once. */
export async function solvesChallenge(
  sql: Sql,
  secret: string,
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
): Promise<boolean> {
  const { 'x-challenge': challenge, 'x-challenge-solution': solution } = headers;
  if (typeof challenge !== 'string' || typeof solution !== 'string') return false;
  const claims = unseal<Claims>(secret, 'challenge', challenge);
  if (claims?.network !== networkOf(ip)) return false;
  if (leadingZeroBits(sha256(`${challenge}:${solution}`)) < BITS) return false;
  return (await hit(sql, `challenge:${claims.salt}`, VALID_SECONDS)) === 1;
}
