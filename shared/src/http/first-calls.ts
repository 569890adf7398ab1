/**
 * Calls that the document itself has started, before any bundle arrived (document/src/boot/head-script.ts). Each is adopted
 * once, by the first request that would have asked the same as the same shopper in the same language and currency.
 */
interface FirstCalls {
  token: string;
  language: string;
  currency: string;
  /** By address, with its query. */
  answers: Record<string, Promise<unknown>>;
}

/** An answer that nobody has asked for by then is too old to be shown. */
const goodForMs = 30_000;

/** One spelling of an address and its query, whatever their order. */
function nameOf(url: string, params: Record<string, unknown> = {}): string {
  const [path, search] = url.split('?');
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  query.sort();
  return `${path}?${query}`;
}

/** The envelope under way for an address, or undefined; a call that failed is left to an ordinary request. */
export function takeFirstCall(
  url: string,
  params: Record<string, unknown> | undefined,
  asker: { token: string; language: string; currency: string },
): Promise<unknown> | undefined {
  const started = (globalThis as { firstCalls?: FirstCalls }).firstCalls;
  if (!started) return undefined;
  const wanted = nameOf(url, params);
  const address = Object.keys(started.answers).find((one) => nameOf(one) === wanted);
  if (!address) return undefined;
  const answer = started.answers[address];
  delete started.answers[address];
  const isSame =
    started.token === asker.token && started.language === asker.language && started.currency === asker.currency;
  return isSame && performance.now() < goodForMs ? answer : undefined;
}
