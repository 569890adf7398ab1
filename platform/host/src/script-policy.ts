/** The Trusted Types policy for the scripts of remotes. It admits only release URLs of this origin, even if the map names others. */
interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

const releasePath = /^\/r\/[a-z][a-z0-9-]*\/[\w.-]+\/[\w./~-]+\.js(\?retry=\d+)?$/;

function assertReleaseUrl(url: string): string {
  const { origin, pathname, search } = new URL(url, window.location.href);
  if (origin !== window.location.origin || !releasePath.test(pathname + search) || pathname.includes('..')) {
    throw new TypeError(`not the URL of a release: ${url}`);
  }
  return url;
}

let policy: ScriptPolicy | null = null;

export function trustedScriptUrl(url: string): string {
  const trustedTypes = (window as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } })
    .trustedTypes;
  if (!trustedTypes) return assertReleaseUrl(url);
  policy ??= trustedTypes.createPolicy('releases', { createScriptURL: assertReleaseUrl });
  return policy.createScriptURL(url) as string;
}
