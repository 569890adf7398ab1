/** Draws pages for documents: fetches what a page asks for as a guest gets it, and has it rendered with that. */

import { createHash } from 'node:crypto';
import type { DrawnPage } from '@platform/pages';
import type { PageRendering, RenderFault } from '@platform/pages/rendering';
import type { ReleaseMap, RenderedPage, RenderRequest, RouteContract } from '@platform/releases';
import type { Language } from '@shop/shared/domain';
import { LRUCache } from 'lru-cache';
import type { AskApi, PageAnswer, PageVisitor } from './page-answers';

export interface PageQuestion {
  /** Of the document with its skeleton: releases, route, language, theme. */
  key: string;
  map: ReleaseMap;
  visitor: number | null;
  route: RouteContract | null;
  /** Path and query of the address. */
  address: string;
  language: Language;
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
}

export interface PageToDraw extends PageKey {
  /** The key of what was drawn is another one if the page has asked for more this time. */
  draw(): Promise<(PageKey & { page: DrawnPage }) | undefined>;
}

const CONFIG = '/api/front/app/config';
/** A page may ask for more with what it has got: so often, the draft included. */
const ROUNDS = 4;
/** Longer addresses are nobody's link. */
const LONGEST_ADDRESS = 300;
const HOME = '/home';
const NOT_FOUND = '/404';

interface Drawn extends PageKey {
  page: RenderedPage;
}

export function drawnPages(rendering: Pick<PageRendering, 'page'>, ask: AskApi): DrawPage {
  /** What a page has asked for besides its first calls. */
  const learned = new LRUCache<string, string[]>({ max: 5_000 });
  const pending = new Map<string, Promise<Drawn | undefined>>();

  return async ({ key: documentKey, map, visitor, route, address, language, theme, onFault }) => {
    if (route?.flags?.requiresLogin) return 'never';
    const path = pathOf(route, address);
    if (path.length > LONGEST_ADDRESS) return 'never';
    const person: PageVisitor = { language, currency: language === 'en' ? 'USD' : 'CNY' };
    const place = `${documentKey} ${path}`;
    const firstAddresses = [CONFIG, ...firstCalls(route, path)];

    const fetchAll = async (addresses: readonly string[]) => {
      const outcomes = await Promise.all(addresses.map(async (one) => [one, await ask(one, person)] as const));
      if (outcomes.some(([, outcome]) => outcome === 'unavailable')) return undefined;
      return new Map(outcomes.filter((entry): entry is [string, PageAnswer] => typeof entry[1] === 'object'));
    };
    const keyOf = (answers: Map<string, PageAnswer>) => pageKey(ask, person, place, answers);

    const render = async (
      addresses: string[],
      first: Map<string, PageAnswer>,
      isDraft: boolean,
    ): Promise<Drawn | undefined> => {
      const answers = new Map(first);
      const asked = new Set(addresses);
      for (let round = 1; ; round += 1) {
        const request: RenderRequest = {
          path,
          ...person,
          theme,
          answers: Object.fromEntries([...answers].map(([one, answer]) => [one, answer.envelope()])),
          isDraft: isDraft && round === 1,
        };
        const page = await rendering.page(map, visitor, request, onFault);
        if (!page) return undefined;
        const more = page.wanted.filter((one) => !asked.has(one));
        const isDrawn = page.html !== '';
        if (round === ROUNDS || (isDrawn && more.length === 0)) {
          learned.set(place, [...asked]);
          return { page, ...keyOf(answers) };
        }
        for (const one of more) asked.add(one);
        const added = await fetchAll(more);
        if (!added) return undefined;
        for (const [one, answer] of added) answers.set(one, answer);
      }
    };
    const renderOnce = (key: string, addresses: string[], answers: Map<string, PageAnswer>, isDraft = false) => {
      const running = pending.get(key) ?? render(addresses, answers, isDraft).finally(() => pending.delete(key));
      pending.set(key, running);
      return running;
    };
    const toPage = ({ key, isCurrent, page: { html, queryState, image } }: Drawn) => ({
      key,
      isCurrent,
      page: { html, queryState, image, path: path.split('?')[0] as string, language, theme },
    });

    const known = learned.get(place);
    const addresses = known ?? firstAddresses;
    const answers = await fetchAll(addresses);
    if (!answers) return undefined;
    if (known) {
      const current = keyOf(answers);
      return {
        ...current,
        draw: async () => {
          const drawn = await renderOnce(current.key, addresses, answers);
          return drawn && toPage(drawn);
        },
      };
    }
    const drawn = await renderOnce(keyOf(answers).key, addresses, answers, true);
    return drawn && { ...toPage(drawn), draw: async () => toPage(drawn) };
  };
}

/** Outside of the function above: documents keep `isCurrent` for long, and it would keep the page that is drawn there. */
function pageKey(ask: AskApi, person: PageVisitor, place: string, answers: Map<string, PageAnswer>): PageKey {
  const tags = Array.from(answers, ([one, { tag }]) => [one, tag] as const);
  const lines = tags.map((pair) => pair.join(' ')).sort();
  return {
    key: createHash('sha256')
      .update([place, ...lines].join('\n'))
      .digest('base64url'),
    isCurrent: () => tags.every(([one, tag]) => ask.tagOf(one, person) === tag),
  };
}

/** The path that the shell shows, with the parameters that the route names, in its order. */
function pathOf(route: RouteContract | null, address: string): string {
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
function firstCalls(route: RouteContract | null, path: string): string[] {
  const [pathname = '', search] = path.split('?');
  const names = route?.path.split('/') ?? [];
  const segments = pathname.split('/');
  return (route?.firstCalls ?? [])
    .filter(({ plain }) => !plain || !search)
    .map(({ url }) => url.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => segments[names.indexOf(`:${name}`)] ?? ''));
}
