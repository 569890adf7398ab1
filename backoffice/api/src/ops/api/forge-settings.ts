import { checkGrant, type Grant } from '@platform/releases';
import type { Settings } from '@shop/server/platform/settings/settings';
import { isSafeAddress } from '@shop/server/platform/settings/variables';

export interface ForgeRule extends Grant {
  repository: string;
  ref: string;
  /** Further claims that the token must have, such as an environment or the repository's number. */
  claims: Record<string, string>;
}

export interface Forge {
  issuer: string;
  audience: string;
  rules: ForgeRule[];
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

function toGrant({ role, remotes = [], channels = [], maxTraffic }: Record<string, unknown>): Grant {
  if (!isTexts(remotes)) throw new Error('remotes is a list of names');
  if (!isTexts(channels)) throw new Error('channels is a list of names');
  if (maxTraffic !== undefined && typeof maxTraffic !== 'number') throw new Error('maxTraffic is a number');
  const grant = { role: role as Grant['role'], remotes, channels, maxTraffic };
  checkGrant(grant);
  return grant;
}

function toRule(value: Record<string, unknown>): ForgeRule {
  const { repository, ref, claims = {} } = value;
  if (!isText(repository) || !isText(ref) || !/^refs\/(heads|tags)\/\S+$/.test(ref))
    throw new Error('each rule needs a repository and a ref such as refs/heads/main');
  if (typeof claims !== 'object' || claims === null || !Object.values(claims).every(isText))
    throw new Error('claims are names with texts');
  return { ...toGrant(value), repository, ref, claims: claims as Record<string, string> };
}

/** Parses RELEASE_OIDC, a JSON list of forges. */
export function parseForges(settings: Settings): Forge[] {
  const text = settings.get('RELEASE_OIDC');
  if (!text) return [];
  try {
    const forges = JSON.parse(text) as Array<Record<string, unknown>>;
    if (!Array.isArray(forges)) throw new Error('it is a list');
    return forges.map(({ issuer, audience, rules }) => {
      if (!isText(issuer) || !isSafeAddress(issuer)) throw new Error('each issuer is an https address');
      if (!isText(audience)) throw new Error('each issuer needs an audience');
      if (!Array.isArray(rules) || rules.length === 0) throw new Error('each issuer needs rules');
      return { issuer, audience, rules: rules.map(toRule) };
    });
  } catch (error) {
    settings.problem(`RELEASE_OIDC cannot be used: ${error instanceof Error ? error.message : error}.`);
    return [];
  }
}
