import { type RenderRequest, type RouteContract, routeParameters } from '@platform/releases';
import { shownPathname } from '../compose/compose-document';
import type { DocumentPage } from '../compose/page-elements';
import type { DocumentLanguage } from '../metadata/languages';
import type { PageRendering, RenderFault } from '../rendering';
import { renderWithAnswers } from '../rendering/render-with-answers';
import type { DocumentRequest } from './document-request';

export interface PageRequest extends Pick<DocumentRequest, 'map' | 'visitor' | 'route' | 'language' | 'theme'> {
  path: string;
  /** With the sign-in dialog above it, for browsers without a session. */
  asksToSignIn?: boolean;
  onFault?: (fault: RenderFault) => void;
}

export interface GuestAnswer {
  /** Changes with the answer. */
  tag: string;
  envelope: () => unknown;
}

/** `unavailable`: the API cannot answer now. `refused`: the answer is not the same for all guests. */
export type AnswerOutcome = GuestAnswer | 'unavailable' | 'refused';

export interface GuestAnswers {
  /** Addresses of the calls that the shell makes on every page. */
  shellCalls: readonly string[];
  currencyOf(language: DocumentLanguage): RenderRequest['currency'];
  ask(address: string, language: DocumentLanguage): Promise<AnswerOutcome>;
  /** The tag of the answer in memory; undefined when the API must be called. */
  tagOf(address: string, language: DocumentLanguage): string | undefined;
}

export interface User {
  /** Names the session: an isolate that has rendered for it renders for no other. */
  session: string;
  /** First characters of the session's token, by which a browser recognizes its own session. */
  mark: string;
  currency: RenderRequest['currency'];
  shellCalls: readonly string[];
  /** The API's answer to the user, as their own call gets it; undefined for a call that is left to the browser. May reject. */
  ask(address: string): Promise<unknown>;
}

/** The data that a public page was rendered with. Documents keep it for long, so it contains no answer. */
export interface PageSource {
  /** The addresses of its calls, including those that guests may not make. */
  calls: readonly string[];
  tags: ReadonlyArray<readonly [address: string, tag: string]>;
}

interface LoadedAnswers extends PageSource {
  answers: ReadonlyMap<string, GuestAnswer>;
  /** If false, a draft finds out first which calls the page makes. */
  hasAllCalls: boolean;
}

export function publicPages(rendering: Pick<PageRendering, 'page'>, guestAnswers: GuestAnswers) {
  const loadInto = async (answers: Map<string, GuestAnswer>, calls: readonly string[], language: DocumentLanguage) => {
    const outcomes = await Promise.all(calls.map((call) => guestAnswers.ask(call, language)));
    for (const [index, outcome] of outcomes.entries())
      if (typeof outcome === 'object') answers.set(calls[index] as string, outcome);
    return !outcomes.includes('unavailable');
  };

  return {
    /** Resolves to undefined when the API cannot answer now. `calls`: those of the page when it was rendered before. */
    async load(request: PageRequest, calls?: readonly string[]): Promise<LoadedAnswers | undefined> {
      const first = calls ?? [...guestAnswers.shellCalls, ...firstCalls(request.route, request.path)];
      const answers = new Map<string, GuestAnswer>();
      if (!(await loadInto(answers, first, request.language))) return undefined;
      return { calls: first, tags: tagsOf(answers), answers, hasAllCalls: calls !== undefined };
    },
    async render(request: PageRequest, { hasAllCalls, ...loaded }: LoadedAnswers) {
      const { map, visitor, path, language, theme, asksToSignIn, onFault } = request;
      const answers = new Map(loaded.answers);
      const rendered = await renderWithAnswers(
        loaded.calls,
        (calls) => loadInto(answers, calls, language),
        (round) => {
          const envelopes = Object.fromEntries(Array.from(answers, ([call, answer]) => [call, answer.envelope()]));
          const currency = guestAnswers.currencyOf(language);
          const isDraft = !hasAllCalls && round === 1;
          const page = { path, language, currency, theme, asksToSignIn, answers: envelopes, isDraft };
          return rendering.page(map, visitor, page, onFault);
        },
      );
      // An older shell renders the page without the dialog.
      if (!rendered || (asksToSignIn && !rendered.page.html.includes(' role="dialog"'))) return undefined;
      const page: DocumentPage = { ...rendered.page, user: asksToSignIn ? '' : undefined };
      const source: PageSource = { calls: rendered.calls, tags: tagsOf(answers) };
      return { page, source };
    },
    /** Whether a page would be rendered with the same answers now. False when only the API can answer that. */
    isCurrent: ({ tags }: PageSource, language: DocumentLanguage) =>
      tags.every(([address, tag]) => guestAnswers.tagOf(address, language) === tag),
  };
}

const tagsOf = (answers: ReadonlyMap<string, GuestAnswer>): PageSource['tags'] =>
  Array.from(answers, ([address, { tag }]) => [address, tag] as const);

/**
 * Resolves to undefined when the page cannot be rendered now: the document then contains no data of the user. Nothing of the user
 * is cached here.
 */
export async function renderPersonalPage(
  rendering: Pick<PageRendering, 'page'>,
  request: PageRequest,
  user: User,
): Promise<DocumentPage | undefined> {
  const { map, visitor, route, path, language, theme, onFault } = request;
  const { currency, session } = user;
  const answers: Record<string, unknown> = {};
  const load = async (calls: readonly string[]) => {
    const envelopes = await Promise.all(calls.map((call) => user.ask(call)));
    for (const [index, envelope] of envelopes.entries())
      if (envelope !== undefined) answers[calls[index] as string] = envelope;
    return true;
  };
  const calls = [...user.shellCalls, ...firstCalls(route, path)];
  await load(calls);
  const rendered = await renderWithAnswers(calls, load, (round) => {
    const page = { path, language, currency, theme, answers, isSignedIn: true, isDraft: round === 1 };
    return rendering.page(map, visitor, page, onFault, session);
  });
  return rendered && { ...rendered.page, user: user.mark };
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
