/** Sign-in of people at a provider: OpenID Connect, authorization code with PKCE. */
import { importPKCS8 } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  PrivateKeyJwt,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { OpenIdSettings } from './openid-settings';

const TIMEOUT_SECONDS = 5;

/** What the browser keeps while somebody is at the provider. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export interface SignedIn {
  /** Issuer and subject: the same person has the same one, whatever the name. */
  subject: string;
  name: string;
  /** Claims that rules ask for, with those of their values that a rule names. */
  matched: Array<[claim: string, value: string]>;
  idToken: string;
}

/** The message says why, for whoever wants to sign in. */
export class SignInError extends Error {
  constructor(
    readonly kind: 'refused' | 'unavailable',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export class OpenIdSignIn {
  private found: Promise<Configuration> | undefined;

  constructor(private readonly settings: OpenIdSettings) {}

  /** Where the browser goes. Throws SignInError. */
  async begin({ again = false } = {}): Promise<{ address: string; pending: PendingSignIn }> {
    const pending = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const address = buildAuthorizationUrl(await this.provider(), {
      redirect_uri: this.callback,
      scope: this.settings.scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(again && { prompt: 'login' }),
    });
    return { address: address.href, pending };
  }

  /** `query`: of the call by which the provider sends the browser back. Throws SignInError. */
  async finish(query: string, { state, nonce, verifier }: PendingSignIn): Promise<SignedIn> {
    const provider = await this.provider();
    try {
      const tokens = await authorizationCodeGrant(provider, new URL(`${this.callback}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = await this.allClaims(provider, tokens.claims() as IDToken, tokens.access_token);
      return {
        subject: `${claims.iss} ${claims.sub}`,
        name: String(claims[this.settings.nameClaim] ?? claims.preferred_username ?? claims.email ?? claims.sub),
        matched: this.matchedOf(claims),
        idToken: tokens.id_token ?? '',
      };
    } catch (error) {
      throw explained(error);
    }
  }

  /** Where the session at the provider ends; null when it has no such address, or is away. */
  async signOutAddress(idToken: string): Promise<string | null> {
    const provider = await this.provider().catch(() => null);
    if (!provider?.serverMetadata().end_session_endpoint) return null;
    const back = `${this.settings.publicUrl}/staff`;
    const hint = idToken && { id_token_hint: idToken };
    return buildEndSessionUrl(provider, { post_logout_redirect_uri: back, ...hint }).href;
  }

  private get callback(): string {
    return `${this.settings.publicUrl}/staff/login/callback`;
  }

  /** Some providers tell groups in the ID token, others when asked. */
  private async allClaims(provider: Configuration, token: IDToken, accessToken: string): Promise<IDToken> {
    const wanted = [this.settings.nameClaim, ...this.settings.rules.map(({ claim }) => claim)];
    const isWhole = wanted.every((claim) => token[claim] !== undefined);
    if (isWhole || !provider.serverMetadata().userinfo_endpoint) return token;
    return { ...(await fetchUserInfo(provider, accessToken, token.sub)), ...token };
  }

  private matchedOf(claims: IDToken): SignedIn['matched'] {
    return this.settings.rules
      .filter(({ claim, value }) => [claims[claim]].flat().some((one) => String(one ?? '') === value))
      .map(({ claim, value }) => [claim, value]);
  }

  /** Read once; again after a failure. */
  private provider(): Promise<Configuration> {
    this.found ??= this.discover().catch((error) => {
      this.found = undefined;
      throw new SignInError('unavailable', `${this.settings.label} does not answer now`, error);
    });
    return this.found;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, clientAuth, privateKey } = this.settings;
    const bySecret = clientAuth === 'post' ? ClientSecretPost : ClientSecretBasic;
    const authenticate = privateKey ? PrivateKeyJwt(await importPKCS8(privateKey, 'RS256')) : bySecret(clientSecret);
    const url = new URL(issuer);
    return discovery(url, clientId, undefined, authenticate, {
      timeout: TIMEOUT_SECONDS,
      // Only an issuer on this machine may be without TLS: see readOpenId.
      execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
    });
  }
}

function explained(error: unknown): SignInError {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return new SignInError('refused', 'the provider says that access was denied', error);
  const isOfShop =
    error instanceof WWWAuthenticateChallengeError ||
    (error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error));
  if (isOfShop)
    return new SignInError(
      'unavailable',
      'the provider refuses this shop: check OPS_OIDC_CLIENT_ID and what goes with it',
      error,
    );
  const isRefusal =
    error instanceof AuthorizationResponseError ||
    error instanceof ResponseBodyError ||
    (error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT');
  if (isRefusal) return new SignInError('refused', 'what the provider sent back is not good here', error);
  return new SignInError('unavailable', 'the provider does not answer now', error);
}
