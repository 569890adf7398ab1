/**
 * A stable random number in [0, 100) that decides the canary split. It is a cookie because server and shell must choose the same
 * release. It has ten thousand possible values, so it identifies no visitor.
 */
const cookieName = 'visitor';
const yearSeconds = 365 * 24 * 60 * 60;

export function visitorNumber(): number {
  const stored = Number(new RegExp(`(?:^|;\\s*)${cookieName}=([0-9.]+)`).exec(document.cookie)?.[1] ?? Number.NaN);
  if (stored >= 0 && stored < 100) return stored;
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const fresh = Math.floor((random / 2 ** 32) * 10_000) / 100;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
  document.cookie = `${cookieName}=${fresh}; path=/; max-age=${yearSeconds}; samesite=lax`;
  return fresh;
}
