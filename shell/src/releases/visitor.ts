/**
 * A stable random number in [0, 100) by which a canary's share is split. A cookie, because the server composes the page
 * for the same release that the shell will choose. It names nobody: it has ten thousand
 * values, which all visitors share.
 */
const cookieName = 'visitor';
const yearSeconds = 365 * 24 * 60 * 60;

export function visitorNumber(): number {
  const kept = Number(new RegExp(`(?:^|;\\s*)${cookieName}=([0-9.]+)`).exec(document.cookie)?.[1] ?? Number.NaN);
  if (kept >= 0 && kept < 100) return kept;
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const fresh = Math.floor((random / 2 ** 32) * 10_000) / 100;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
  document.cookie = `${cookieName}=${fresh}; path=/; max-age=${yearSeconds}; samesite=lax`;
  return fresh;
}
