import { randomBytes } from 'node:crypto';
import { isWeakSecret, tooEasy } from '../platform/crypto/secret-strength';
import type { Settings } from '../platform/settings/settings';
import { type Forge, parseForges } from './api/forge-settings';
import { type OpsTokens, parseOpsTokens } from './ops-tokens';
import { parseSecondPerson, type SecondPersonRule } from './second-person';
import { type OpenIdSettings, readOpenId } from './sign-in/openid-settings';

/** Who may sign in at /ops and release, and what needs two people. */
export interface ReleaseSettings {
  /** The shared token; empty where nobody signs in with one. */
  opsToken: string;
  /** Made up at this start, so that it must be told. */
  opsTokenIsRandom: boolean;
  opsTokens: OpsTokens['named'];
  /** The provider by which people sign in. */
  openId: OpenIdSettings | null;
  /** Acts that need two people. */
  secondPerson: SecondPersonRule[];
  /** Whose tokens the release API takes. */
  forges: Forge[];
}

/** Outside production a shared token is made up where nobody could sign in otherwise. */
export function readReleaseSettings(settings: Settings): ReleaseSettings {
  const given = settings.get('OPS_TOKEN');
  const opsTokens = parseOpsTokens(settings.get('OPS_TOKENS'));
  if (!opsTokens) settings.problem('OPS_TOKENS must be "name:token", separated by commas, each name once.');
  else if (settings.production && [...opsTokens.values()].some(isWeakSecret))
    settings.problem(`Each token of OPS_TOKENS ${tooEasy}.`);
  const named = opsTokens ?? new Map();
  const openId = readOpenId(settings);
  const secondPerson = parseSecondPerson(settings);
  if (secondPerson.length > 0 && !openId && named.size < 2)
    settings.problem(
      'OPS_SECOND_PERSON needs people who sign in as themselves: OPS_OIDC_ISSUER, or two in OPS_TOKENS.',
    );
  const opsTokenIsRandom = !given && named.size === 0 && !openId && !settings.production;
  return {
    opsToken: opsTokenIsRandom ? randomBytes(12).toString('base64url') : given,
    opsTokenIsRandom,
    opsTokens: named,
    openId,
    secondPerson,
    forges: parseForges(settings),
  };
}
