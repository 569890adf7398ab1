/**
 * Calls that the document itself has started, before any bundle arrived (release/src/page/head-script.ts). Each is adopted
 * once, by the first request that would have asked the same as the same shopper in the same language.
 */
interface FirstCalls {
  token: string;
  language: string;
  answers: Record<string, Promise<unknown>>;
}

/** The envelope under way for an address, or undefined; a call that failed is left to an ordinary request. */
export function takeFirstCall(url: string, asker: { token: string; language: string }): Promise<unknown> | undefined {
  const started = (globalThis as { firstCalls?: FirstCalls }).firstCalls;
  const answer = started?.answers[url];
  if (!started || !answer) return undefined;
  delete started.answers[url];
  return started.token === asker.token && started.language === asker.language ? answer : undefined;
}
