/** Draws pages for documents: fetches what a page asks for as a guest gets it, and has it rendered with that. */
import { createHash } from 'node:crypto';
import {
  type ReleaseMap,
  type RenderedPage,
  type RenderRequest,
  type RouteContract,
  routeParameters,
} from '@platform/releases';
import type { DocumentLanguage } from '../metadata/languages';
import { HOME } from '../metadata/page-metadata';
import type { DrawnPage } from '../render/rendered-page';
import type { PageRendering, RenderFault } from '../rendering';
import type { GuestAnswer, GuestAnswers } from './guest-answers';

export interface PageQuestion {
  /** Of the document with its skeleton: releases, route, language, theme. */
  key: string;
  map: ReleaseMap;
  visitor: number | null;
  route: RouteContract | null;
  /** As the shell shows it (`shownPath`). */
  path: string;
  /** With the dialog to sign in above it, for browsers without a session. */
  asksToSignIn?: boolean;
  /** What the page has asked for before; it is drawn at once with these answers. */
  calls?: readonly string[];
  language: DocumentLanguage;
  theme: 'light' | 'dark';
  onFault?: (fault: RenderFault) => void;
}

/** 'never': such an address is not drawn. Undefined: not now. Either way the document carries a skeleton. */
export type DrawPage = (question: PageQuestion) => Promise<PageToDraw | 'never' | undefined>;

/** Equal keys mean equal pages. */
export interface PageKey {
  key: string;
  /** Whether the page would be drawn with the same answers now. False where the API must be asked to know. */
  isCurrent(): boolean;
  /** The addresses of its answers, and those that guests may not have. */
  calls: readonly string[];
}

export interface PageToDraw extends PageKey {
  /** The key of what was drawn is another one if the page has asked for more this time. */
  draw(): Promise<(PageKey & { page: DrawnPage }) | undefined>;
}

/** A page may ask for more with what it has got: so often, the draft included. */
export const ROUNDS = 4;
/** Longer addresses are nobody's link. */
export const LONGEST_PATH = 300;
const NOT_FOUND = '/404';

interface Drawn extends PageKey {
  page: RenderedPage;
}

export function drawnPages(rendering: Pick<PageRendering, 'page'>, answersOf: GuestAnswers): DrawPage {
  const pending = new Map<string, Promise<Drawn | undefined>>();

  return async ({ key: documentKey, map, visitor, route, path, asksToSignIn, calls, language, theme, onFault }) => {
    if (route?.flags?.requiresLogin) return 'never';
    if (path.length > LONGEST_PATH) return 'never';
    const place = `${documentKey} ${path}${asksToSignIn ? ' sign-in' : ''}`;

    const fetchAll = async (addresses: readonly string[]) => {
      const outcomes = await Promise.all(
        addresses.map(async (one) => [one, await answersOf.ask(one, language)] as const),
      );
      if (outcomes.some(([, outcome]) => outcome === 'unavailable')) return undefined;
      return new Map(outcomes.filter((entry): entry is [string, GuestAnswer] => typeof entry[1] === 'object'));
    };
    const keyOf = (asked: readonly string[], answers: Map<string, GuestAnswer>) =>
      pageKey(answersOf, language, place, asked, answers);

    const render = async (
      addresses: readonly string[],
      first: Map<string, GuestAnswer>,
      isDraft: boolean,
    ): Promise<Drawn | undefined> => {
      const answers = new Map(first);
      const asked = new Set(addresses);
      for (let round = 1; ; round += 1) {
        const request: RenderRequest = {
          path,
          language,
          currency: answersOf.currencyOf(language),
          theme,
          asksToSignIn,
          answers: Object.fromEntries([...answers].map(([one, answer]) => [one, answer.envelope()])),
          isDraft: isDraft && round === 1,
        };
        const page = await rendering.page(map, visitor, request, onFault);
        if (!page) return undefined;
        const more = page.wanted.filter((one) => !asked.has(one));
        const isDrawn = page.html !== '';
        // A shell of before this draws the page alone.
        if (isDrawn && asksToSignIn && !page.html.includes(' role="dialog"')) return undefined;
        if (round === ROUNDS || (isDrawn && more.length === 0)) {
          return { page, ...keyOf([...asked], answers) };
        }
        for (const one of more) asked.add(one);
        const added = await fetchAll(more);
        if (!added) return undefined;
        for (const [one, answer] of added) answers.set(one, answer);
      }
    };
    const renderOnce = (
      key: string,
      addresses: readonly string[],
      answers: Map<string, GuestAnswer>,
      isDraft = false,
    ) => {
      const running = pending.get(key) ?? render(addresses, answers, isDraft).finally(() => pending.delete(key));
      pending.set(key, running);
      return running;
    };
    const toPage = ({ page: { html, queryState, image }, ...key }: Drawn) => ({
      ...key,
      page: {
        html,
        queryState,
        image,
        path: path.split('?')[0] as string,
        language,
        theme,
        person: asksToSignIn ? '' : undefined,
      },
    });

    const addresses = calls ?? [...answersOf.shellCalls, ...firstCalls(route, path)];
    const answers = await fetchAll(addresses);
    if (!answers) return undefined;
    if (calls) {
      const current = keyOf(addresses, answers);
      return {
        ...current,
        draw: async () => {
          const drawn = await renderOnce(current.key, addresses, answers);
          return drawn && toPage(drawn);
        },
      };
    }
    const drawn = await renderOnce(keyOf(addresses, answers).key, addresses, answers, true);
    return drawn && { ...toPage(drawn), draw: async () => toPage(drawn) };
  };
}

/** Outside of the function above: documents keep `isCurrent` for long, and it would keep the page that is drawn there. */
function pageKey(
  answersOf: GuestAnswers,
  language: DocumentLanguage,
  place: string,
  calls: readonly string[],
  answers: Map<string, GuestAnswer>,
): PageKey {
  const tags = Array.from(answers, ([one, { tag }]) => [one, tag] as const);
  const lines = tags.map((pair) => pair.join(' ')).sort();
  return {
    key: createHash('sha256')
      .update([place, ...lines].join('\n'))
      .digest('base64url'),
    isCurrent: () => tags.every(([one, tag]) => answersOf.tagOf(one, language) === tag),
    calls,
  };
}

/** The path that the shell shows, with the parameters that the route names, in its order. */
export function shownPath(route: RouteContract | null, address: string): string {
  const [path = '/', search = ''] = (address.split('#')[0] as string).split('?');
  const pathname = path.replace(/(?<=^\/|[^/])\/+$/, '');
  if (pathname === '/') return HOME;
  if (!route) return pathname === '/403' ? pathname : NOT_FOUND;
  const given = new URLSearchParams(search);
  const named = new URLSearchParams();
  for (const name of route.query ?? []) {
    const value = given.get(name);
    if (value) named.set(name, value);
  }
  return named.size > 0 ? `${pathname}?${named}` : pathname;
}

/** The calls that the route's contract names for this address. */
export function firstCalls(route: RouteContract | null, path: string): string[] {
  const [pathname = '', search] = path.split('?');
  const parameters = route ? routeParameters(route.path, pathname) : {};
  return (route?.firstCalls ?? [])
    .filter(({ plain }) => !plain || !search)
    .map(({ url }) => url.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '')));
}
