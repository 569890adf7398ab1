import { randomBytes } from 'node:crypto';
import type { Settings } from '@shop/server/platform/settings/settings';
import { parseSecondPerson, type SecondPersonRule } from '../staff/second-person';
import { type Forge, parseForges } from './api/forge-settings';
import { type OpenIdSettings, readOpenId } from './sign-in/openid-settings';

/** Who may sign in and release without a password, and what needs two people. */
export interface ReleaseSettings {
  /** The break-glass token; empty where nobody signs in with one. */
  opsToken: string;
  /** Made up at this start, so that it must be told. */
  opsTokenIsRandom: boolean;
  /** The provider by which people sign in. */
  openId: OpenIdSettings | null;
  /** Acts that need two people. */
  secondPerson: SecondPersonRule[];
  /** Whose tokens the release API takes. */
  forges: Forge[];
  /** Refuses to start without what visitors run. */
  mustFit: boolean;
}

/** Outside production a token is made up where nobody could sign in otherwise. */
export function readReleaseSettings(settings: Settings): ReleaseSettings {
  const given = settings.get('OPS_TOKEN');
  const openId = readOpenId(settings);
  const opsTokenIsRandom = !given && !openId && !settings.production;
  return {
    opsToken: opsTokenIsRandom ? randomBytes(12).toString('base64url') : given,
    opsTokenIsRandom,
    openId,
    secondPerson: parseSecondPerson(settings),
    forges: parseForges(settings),
    // Elsewhere server and pages change together, with the checkout.
    mustFit: settings.production && settings.get('BREAKING_START') !== 'on',
  };
}
