/**
 * Calls that the document's boot script has started before any bundle arrived (document/src/boot). Each answer is reused
 * once, by the first request with the same address, token, language and currency.
 */
interface FirstCalls {
  token: string;
  language: string;
  currency: string;
  /** By address with query. */
  answers: Record<string, Promise<unknown>>;
}

/** Milliseconds after the document's start in which an answer may be reused. */
const reusableMs = 30_000;

/** Address and query with sorted parameters. */
function normalise(url: string, params: Record<string, unknown> = {}): string {
  const [path, search] = url.split('?');
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  query.sort();
  return `${path}?${query}`;
}

/** The pending or received envelope, or undefined where an ordinary request is needed. */
export function takeFirstCall(
  url: string,
  params: Record<string, unknown> | undefined,
  current: { token: string; language: string; currency: string },
): Promise<unknown> | undefined {
  const started = (globalThis as { firstCalls?: FirstCalls }).firstCalls;
  if (!started) return undefined;
  const wanted = normalise(url, params);
  const address = Object.keys(started.answers).find((one) => normalise(one) === wanted);
  if (!address) return undefined;
  const answer = started.answers[address];
  delete started.answers[address];
  const isSame =
    started.token === current.token && started.language === current.language && started.currency === current.currency;
  return isSame && performance.now() < reusableMs ? answer : undefined;
}
