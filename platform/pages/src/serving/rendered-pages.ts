import { type RenderRequest, type RouteContract, routeParameters } from '@platform/releases';
import { shownPathname } from '../compose/compose-document';
import type { DocumentPage } from '../compose/page-elements';
import type { PageRendering, RenderFault } from '../rendering';
import type { DocumentRequest } from './document-request';

export interface PageRequest extends Pick<DocumentRequest, 'map' | 'visitor' | 'route' | 'language' | 'theme'> {
  path: string;
  /** With the sign-in dialog above it, for browsers without a session. */
  asksToSignIn?: boolean;
  onFault?: (fault: RenderFault) => void;
}

interface Answer {
  /** Changes with the answer to a guest; '' for a user, whose pages are never cached. */
  tag: string;
  envelope: () => unknown;
}

/** `unavailable`: the API cannot answer now. `refused`: documents may not contain the answer, so the browser makes the call. */
export type AnswerOutcome = Answer | 'unavailable' | 'refused';

/** Gives the answers with which a page is rendered. */
interface Caller {
  currency: RenderRequest['currency'];
  /** The API's answer, as the visitor's own call gets it. May reject for a user. */
  ask(address: string): Promise<AnswerOutcome>;
}

export interface Guest extends Caller {
  /** The tag of the answer in memory; undefined when the API must be called. */
  tagOf(address: string): string | undefined;
}

export interface User extends Caller {
  /** Names the session: an isolate that has rendered for it renders for no other. */
  session: string;
  /** First characters of the session's token, by which a browser recognizes its own session. */
  mark: string;
}

/** The data that a page was rendered with. Documents keep it for long, so it contains no answer. */
export interface PageSource {
  /** The addresses of its calls, including those that are left to the browser. */
  calls: readonly string[];
  tags: ReadonlyArray<readonly [address: string, tag: string]>;
}

interface LoadedAnswers extends PageSource {
  answers: ReadonlyMap<string, Answer>;
  /** If false, a draft finds out first which calls the page makes. */
  hasAllCalls: boolean;
}

/** A page may make more calls once it has the first answers. A draft counts as a round. */
const MAX_ROUNDS = 4;

/** Returns whether the API could answer. */
async function loadInto(answers: Map<string, Answer>, calls: readonly string[], caller: Caller): Promise<boolean> {
  const outcomes = await Promise.all(calls.map((call) => caller.ask(call)));
  for (const [index, outcome] of outcomes.entries())
    if (typeof outcome === 'object') answers.set(calls[index] as string, outcome);
  return !outcomes.includes('unavailable');
}

/**
 * Resolves to undefined when the API cannot answer now.
 * @param shellCalls addresses of the calls that the shell makes on every page
 * @param calls those of the page when it was rendered before
 */
export async function loadAnswers(
  { route, path }: PageRequest,
  caller: Caller,
  shellCalls: readonly string[],
  calls?: readonly string[],
): Promise<LoadedAnswers | undefined> {
  const first = calls ?? [...shellCalls, ...firstCalls(route, path)];
  const answers = new Map<string, Answer>();
  if (!(await loadInto(answers, first, caller))) return undefined;
  return { calls: first, tags: tagsOf(answers), answers, hasAllCalls: calls !== undefined };
}

const tagsOf = (answers: ReadonlyMap<string, Answer>): PageSource['tags'] =>
  Array.from(answers, ([address, { tag }]) => [address, tag] as const);

/** Renders a page until it has the answers to all its calls. Resolves to undefined when it cannot be rendered now. */
export async function renderPage(
  rendering: Pick<PageRendering, 'page'>,
  { map, visitor, path, language, theme, asksToSignIn, onFault }: PageRequest,
  caller: Caller & Partial<User>,
  loaded: Omit<LoadedAnswers, 'tags'>,
): Promise<{ page: DocumentPage; source: PageSource } | undefined> {
  const { currency, session, mark } = caller;
  const answers = new Map(loaded.answers);
  const calls = new Set(loaded.calls);
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const envelopes = Object.fromEntries(Array.from(answers, ([call, { envelope }]) => [call, envelope()]));
    const isDraft = !loaded.hasAllCalls && round === 1;
    const isSignedIn = session !== undefined;
    const request = { path, language, currency, theme, asksToSignIn, isSignedIn, answers: envelopes, isDraft };
    const page = await rendering.page(map, visitor, request, onFault, session);
    if (!page) return undefined;
    const missing = page.wanted.filter((call) => !calls.has(call));
    if (page.html !== '' && (missing.length === 0 || round === MAX_ROUNDS)) {
      // An older shell renders the page without the dialog.
      if (asksToSignIn && !page.html.includes(' role="dialog"')) return undefined;
      return {
        page: { ...page, user: asksToSignIn ? '' : mark },
        source: { calls: [...calls], tags: tagsOf(answers) },
      };
    }
    for (const call of missing) calls.add(call);
    if (!(await loadInto(answers, missing, caller))) return undefined;
  }
  return undefined;
}

/** Returns the path that the shell shows, with the parameters that the route names, in its order. */
export function shownPath(route: RouteContract | null, address: string): string {
  const pathname = shownPathname(route, address);
  if (!route) return pathname;
  const requested = new URLSearchParams((address.split('#')[0] as string).split('?')[1]);
  const shown = new URLSearchParams();
  for (const name of route.query ?? []) {
    const value = requested.get(name);
    if (value) shown.set(name, value);
  }
  return shown.size > 0 ? `${pathname}?${shown}` : pathname;
}

function firstCalls(route: RouteContract | null, path: string): string[] {
  const [pathname = '', search] = path.split('?');
  const parameters = route ? routeParameters(route.path, pathname) : {};
  return (route?.firstCalls ?? [])
    .filter(({ plain }) => !plain || !search)
    .map(({ url }) => url.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '')));
}
