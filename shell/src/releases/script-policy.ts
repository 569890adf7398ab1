/**
 * The one Trusted Types policy by which remote entries become script addresses. It admits the addresses of releases on
 * this origin's store only; anything else throws, even if a map were to say otherwise.
 */
interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

const releaseAddress = /^\/r\/[a-z][a-z0-9-]*\/[\w.-]+\/[\w./~-]+\.js(\?retry=\d+)?$/;

export function assertReleaseAddress(url: string): string {
  const { origin, pathname, search } = new URL(url, window.location.href);
  if (origin !== window.location.origin || !releaseAddress.test(pathname + search) || pathname.includes('..')) {
    throw new TypeError(`not the address of a release: ${url}`);
  }
  return url;
}

let policy: ScriptPolicy | null = null;

export function trustedScriptUrl(url: string): string {
  const trustedTypes = (window as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } })
    .trustedTypes;
  if (!trustedTypes) return assertReleaseAddress(url);
  policy ??= trustedTypes.createPolicy('shop-loader', { createScriptURL: assertReleaseAddress });
  return policy.createScriptURL(url) as string;
}
