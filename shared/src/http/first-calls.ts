import { handlers } from './envelope';

/**
 * Calls that the document's boot script has started before any bundle arrived (platform/pages/src/boot). Each answer is reused
 * once, by the first request with the same address, token, language and currency.
 */
interface FirstCalls extends Visitor {
  /** Keyed by the address with its query. */
  answers: Record<string, Promise<unknown>>;
}

interface Visitor {
  token: string;
  language: string;
  currency: string;
}

/** Milliseconds after the document's start in which an answer may be reused. */
const reusableMs = 30_000;

/** `search` and the parameters: scalars only; null and undefined are left out. */
export function queryWith(params: Record<string, unknown> = {}, search?: string): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) query.append(name, String(value));
  }
  return query;
}

/** Address and query with sorted parameters. */
function normalise(url: string, params?: Record<string, unknown>): string {
  const [path, search] = url.split('?');
  const query = queryWith(params, search);
  query.sort();
  return `${path}?${query}`;
}

/** Answers that came with the document, or with which a server renders a page. */
let firstCalls: FirstCalls | undefined;
let noteMissing: (address: string) => void = () => {};

/**
 * Provides the answers for the next calls with this token in this language and currency, each once. `onMissing` is called with
 * calls that have none. Returns the unused answers.
 */
export function giveAnswers(
  envelopes: Record<string, unknown>,
  visitor: Visitor,
  onMissing: (address: string) => void = () => {},
): Record<string, unknown> {
  firstCalls = { ...visitor, answers: { ...(envelopes as FirstCalls['answers']) } };
  noteMissing = onMissing;
  return firstCalls.answers;
}

/** The pending or received envelope; undefined where a request is needed. */
export function takeFirstCall(url: string, params: Record<string, unknown> | undefined): Promise<unknown> | undefined {
  const current = { token: handlers.token(), language: handlers.language(), currency: handlers.currency() };
  const address = normalise(url, params);
  const started = (globalThis as { firstCalls?: FirstCalls }).firstCalls;
  const answer =
    takeFrom(firstCalls, address, current) ??
    (performance.now() < reusableMs ? takeFrom(started, address, current) : undefined);
  if (!answer) noteMissing(address.replace(/\?$/, ''));
  return answer;
}

function takeFrom(calls: FirstCalls | undefined, normalised: string, current: Visitor): Promise<unknown> | undefined {
  const address = calls && Object.keys(calls.answers).find((candidate) => normalise(candidate) === normalised);
  if (!address) return undefined;
  const answer = calls.answers[address];
  delete calls.answers[address];
  const isSame =
    calls.token === current.token && calls.language === current.language && calls.currency === current.currency;
  return isSame ? Promise.resolve(answer) : undefined;
}
