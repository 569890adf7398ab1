import { addressOfRoute, localText, type RouteContract } from '@platform/releases/contract';
import type { Site } from '../site/site';
import { type DocumentLanguage, LANGUAGES } from './languages';

export const HOME = '/home';

export interface ProductMetadata {
  /** Decimal text, such as '6.00'. */
  lowPrice: string;
  highPrice: string;
  offers: number;
  currency: string;
  availability: 'InStock' | 'LimitedAvailability' | 'OutOfStock';
  sku: string;
  category?: string;
  pictures: readonly string[];
}

export interface PageMetadata {
  language: DocumentLanguage;
  /** Without the site's name. */
  title: string;
  description: string;
  /** Path with those parameters that identify the page, in fixed order; null when a page has no canonical address. */
  path: string | null;
  languages: readonly DocumentLanguage[];
  noindex: boolean;
  type: 'website' | 'article' | 'product';
  picture?: string;
  breadcrumbs: ReadonlyArray<{ name: string; path: string }>;
  product?: ProductMetadata;
  /** ISO 8601, of an article. */
  modifiedAt?: string;
  /** The search of the whole site, with `{search_term_string}` in its query. */
  search?: string | null;
}

export type DocumentStatus = 200 | 404 | 410 | 503;

/** Refers to a page by its content. The routes of the releases define its address, so that links follow a renamed route. */
export interface PageReference {
  kind: string;
  parameters?: Readonly<Record<string, string>>;
  /** Without "?". */
  query?: string;
}

export interface PageDescription extends Partial<Omit<PageMetadata, 'language' | 'path' | 'breadcrumbs' | 'search'>> {
  /** 410 for a page that is gone, 503 while its data are unavailable. Default: 200 if a route matches, else 404. */
  status?: DocumentStatus;
  /** The page with those parameters that identify it; null when it has no canonical address. Default: the route's path. */
  page?: PageReference | null;
  breadcrumbs?: ReadonlyArray<{ name: string; page: PageReference }>;
  /** The site's search, with `{search_term_string}` in its query. */
  search?: PageReference;
}

export const NOTHING_KNOWN: PageDescription = {};

/** Must not reject. Must return the same object until the facts change, because documents are cached by it. */
export type DescribePage = (page: {
  route: RouteContract | null;
  address: string;
  language: DocumentLanguage;
}) => Promise<PageDescription>;

/** A contract may contain any kind; the result is undefined for one that is not registered. */
export const kindOf = <K>(kinds: Readonly<Record<string, K>>, route: RouteContract | null): K | undefined =>
  route?.kind !== undefined && Object.hasOwn(kinds, route.kind) ? kinds[route.kind] : undefined;

/**
 * Returns the address of a page, or null when no open route shows it. Of two routes it takes the one with more of the parameters
 * in its path.
 */
export function pageAddress(
  routes: readonly RouteContract[],
  { kind, parameters = {}, query }: PageReference,
): string | null {
  const [path] = routes
    .filter((route) => route.kind === kind && !route.flags?.requiresLogin)
    .map(({ path, parameters: fixed = {} }) => ({ path, fixed: Object.entries(fixed) }))
    .filter(({ fixed }) => fixed.every(([name, value]) => parameters[name] === value))
    .sort((left, right) => right.fixed.length - left.fixed.length)
    .flatMap(({ path, fixed }) => {
      const remaining = Object.entries(parameters).filter(([name]) => !fixed.some(([fixedName]) => fixedName === name));
      return addressOfRoute(path, Object.fromEntries(remaining)) ?? [];
    });
  return path === undefined ? null : path + (query ? `?${query}` : '');
}

/** The metadata of a route, with what the shop says about the page. */
export function describedMetadata(
  route: RouteContract | null,
  address: string,
  language: DocumentLanguage,
  { status: _, page, breadcrumbs, search, ...metadata }: PageDescription,
  routes: readonly RouteContract[],
  site: Site,
): PageMetadata {
  const errorTitle = address === '/403' ? site.forbidden : site.notFound;
  const title = route ? localText(route.title, language) : errorTitle[language];
  const isPublic = route !== null && !route.flags?.requiresLogin;
  const path = isPublic && !/[:*]/.test(route.path) ? route.path : null;
  const addressOf = (reference: PageReference) => pageAddress(routes, reference);
  return {
    language,
    title,
    description: localText(route?.description ?? site.description, language),
    path,
    languages: LANGUAGES,
    noindex: !isPublic,
    type: 'website',
    breadcrumbs: path && path !== HOME ? [{ name: title.replace(` - ${site.name[language]}`, ''), path }] : [],
    ...metadata,
    ...(page !== undefined && { path: page && addressOf(page) }),
    ...(breadcrumbs && {
      breadcrumbs: breadcrumbs.flatMap(({ name, page: reference }) => {
        const crumb = addressOf(reference);
        return crumb === null ? [] : [{ name, path: crumb }];
      }),
    }),
    ...(search && { search: addressOf(search) }),
  };
}

/** Returns the absolute address of a picture, or null for none and for one that is not on http or https. */
export function pictureAddress(picture: string, origin: string): string | null {
  if (!picture || !URL.canParse(picture, origin)) return null;
  const { protocol, href } = new URL(picture, origin);
  return protocol === 'https:' || href.startsWith(`${origin}/`) ? href : null;
}
