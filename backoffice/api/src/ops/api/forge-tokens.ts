import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Forge } from './forge-settings';

/** No symmetric algorithm and no "none": a forge's keys are public. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** A job may build before it publishes. */
const MAX_AGE = '1h';
const TIMEOUT_MS = 5_000;

/** The token is not valid here; the message gives the reason to its sender. */
export class ForgeTokenError extends Error {}

/** GitHub and Gitea write refs/heads/main; GitLab writes main, with the type in another claim. */
function refOf({ ref, ref_type: type }: JWTPayload): string {
  const text = String(ref ?? '');
  return text.startsWith('refs/') ? text : `refs/${type === 'tag' ? 'tags' : 'heads'}/${text}`;
}

const textOf = (claim: unknown): string | undefined => (claim === undefined ? undefined : String(claim).slice(0, 300));

export class ForgeTokens {
  /** The keys of an issuer are fetched once, and again when a token names a key that is not among them. */
  private readonly keySets = new LRUCache<string, ReturnType<typeof createRemoteJWKSet>>({
    max: 100,
    fetchMethod: async (issuer) => createRemoteJWKSet(await discover(issuer), { timeoutDuration: TIMEOUT_MS }),
  });

  constructor(
    private readonly forges: readonly Forge[],
    private readonly now: () => number = Date.now,
  ) {}

  async verify(token: string) {
    const forge = this.forges.find(({ issuer }) => issuer === issuerOf(token));
    if (!forge) throw new ForgeTokenError('this shop does not know the issuer of the token (RELEASE_OIDC)');
    const claims = await this.claimsOf(token, forge);
    const repository = String(claims.repository ?? claims.project_path ?? '');
    const ref = refOf(claims);
    const rule = forge.rules.find(
      (rule) =>
        rule.repository === repository &&
        rule.ref === ref &&
        Object.entries(rule.claims).every(([name, value]) => String(claims[name] ?? '') === value),
    );
    if (!rule) throw new ForgeTokenError(`this shop has no rule for ${ref} of ${repository} (RELEASE_OIDC)`);
    return {
      name: `${repository}@${ref.replace(/^refs\/(heads|tags)\//, '')}`,
      rule,
      source: {
        repository,
        ref,
        commit: textOf(claims.sha),
        builder: textOf(claims.workflow_ref ?? claims.ci_config_ref_uri),
        run: textOf(claims.run_id ?? claims.pipeline_id),
      },
      /** Unique among the tokens of all issuers. The signature cannot identify it: some kinds have several valid ones. */
      id: `${forge.issuer} ${claims.jti ?? token.slice(0, token.lastIndexOf('.'))}`,
      /** Milliseconds since 1970. */
      expires: (claims.exp ?? 0) * 1000,
    };
  }

  private async claimsOf(token: string, { issuer, audience }: Forge): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, await this.keySets.forceFetch(issuer), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: MAX_AGE,
        clockTolerance: 30,
        currentDate: new Date(this.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ForgeTokenError('the token has expired');
      if (error instanceof errors.JWTClaimValidationFailed)
        throw new ForgeTokenError(`the token is not for this shop, or not for now: ${error.message}`);
      if (error instanceof errors.JOSEError && error.code !== 'ERR_JWKS_TIMEOUT')
        throw new ForgeTokenError(`the token is not one of ${issuer}: ${error.message}`);
      throw new ForgeTokenError(`the keys of ${issuer} cannot be read now; try again`, { cause: error });
    }
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new ForgeTokenError('it is not a forge token');
  }
}

async function discover(issuer: string): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
  const { issuer: named, jwks_uri: keys } = (await response.json()) as { issuer?: string; jwks_uri?: string };
  if (named !== issuer || !keys) throw new Error(`${address} is not of ${issuer}`);
  const url = new URL(keys);
  if (url.protocol !== 'https:' && url.origin !== new URL(issuer).origin) throw new Error(`${keys} is not https`);
  return url;
}
