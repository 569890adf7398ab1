import type { Settings } from '@shop/server/platform/settings/settings';
import { isSafeAddress } from '@shop/server/platform/settings/variables';
import type { ClaimRule } from '../../staff/back-office-sessions';
import { isStaffRole } from '../../staff/roles';
import { isText, toGrant } from '../api/forge-settings';

/** The provider by which people sign in to the back office. */
export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  /** One of the two. */
  clientSecret: string;
  /** How the secret is sent. */
  clientAuth: 'basic' | 'post';
  /** PEM */
  privateKey: string;
  scope: string;
  /** Has the name for the history. */
  nameClaim: string;
  /** As the button names it. */
  label: string;
  /** The first one that fits counts. */
  rules: ClaimRule[];
  /** Of the shop, without a slash at the end. */
  publicUrl: string;
}

const ISSUER = 'OPS_OIDC_ISSUER';

/** OPS_OIDC_…; null where the issuer is not set. */
export function readOpenId(settings: Settings): OpenIdSettings | null {
  const issuer = settings.get(ISSUER);
  if (!issuer) return null;
  const because = `${ISSUER} is set`;
  const clientSecret = settings.get('OPS_OIDC_CLIENT_SECRET');
  const hasKey = settings.has('OPS_OIDC_PRIVATE_KEY');
  if (Boolean(clientSecret) === hasKey)
    settings.problem('Either OPS_OIDC_CLIENT_SECRET or OPS_OIDC_PRIVATE_KEY must be set.');
  const publicUrl = settings.need('PUBLIC_URL', `${because}, which sends people back there`);
  if (publicUrl && !isSafeAddress(publicUrl)) settings.problem('PUBLIC_URL must be an https address.');
  return {
    issuer,
    clientId: settings.need('OPS_OIDC_CLIENT_ID', because),
    clientSecret,
    clientAuth: settings.get('OPS_OIDC_CLIENT_AUTH'),
    privateKey: hasKey ? settings.key('OPS_OIDC_PRIVATE_KEY', 'private', because) : '',
    scope: settings.get('OPS_OIDC_SCOPE'),
    nameClaim: settings.get('OPS_OIDC_NAME_CLAIM'),
    label: settings.get('OPS_OIDC_LABEL') || (URL.canParse(issuer) ? new URL(issuer).host : issuer),
    rules: toRules(settings.need('OPS_OIDC_ROLES', because), settings),
    publicUrl: publicUrl.replace(/\/+$/, ''),
  };
}

function toRules(text: string, settings: Settings): ClaimRule[] {
  if (!text) return [];
  try {
    const given = JSON.parse(text) as Array<Record<string, unknown>>;
    if (!Array.isArray(given) || given.length === 0) throw new Error('it is a list of rules');
    return given.map((rule) => {
      const { claim, value } = rule;
      if (!isText(claim) || !isText(value)) throw new Error('each rule needs a claim and a value');
      const { role, remotes, channels, maxTraffic } = rule;
      const hasLimits = [remotes, channels, maxTraffic].some((one) => one !== undefined);
      if (isStaffRole(role) && !hasLimits) return { role, remotes: [], channels: [], claim, value };
      return { ...toGrant(rule), claim, value };
    });
  } catch (error) {
    settings.problem(`OPS_OIDC_ROLES cannot be used: ${error instanceof Error ? error.message : error}.`);
    return [];
  }
}
