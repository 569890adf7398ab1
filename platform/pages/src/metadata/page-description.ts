import { addressOfRoute, type RouteContract } from '@platform/releases/contract';
import type { Site } from '../site/site';
import type { DocumentLanguage } from './languages';
import { type PageMetadata, routeMetadata } from './page-metadata';

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

/** Describes a page that is shown at an address that search engines must not list. */
export const unlisted = (description: PageDescription): PageDescription => ({
  ...description,
  noindex: true,
  page: null,
});

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
  const paths = routes
    .filter((route) => route.kind === kind && !route.flags?.requiresLogin)
    .map(({ path, parameters: fixed = {} }) => ({ path, fixed: Object.entries(fixed) }))
    .filter(({ fixed }) => fixed.every(([name, value]) => parameters[name] === value))
    .sort((left, right) => right.fixed.length - left.fixed.length)
    .map(({ path, fixed }) => {
      const remaining = Object.entries(parameters).filter(([name]) => !fixed.some(([fixedName]) => fixedName === name));
      return addressOfRoute(path, Object.fromEntries(remaining));
    });
  const path = paths.find((candidate) => candidate !== null);
  return path === undefined || path === null ? null : path + (query ? `?${query}` : '');
}

export function describedMetadata(
  route: RouteContract | null,
  path: string,
  language: DocumentLanguage,
  { status: _, page, breadcrumbs, search, ...metadata }: PageDescription,
  routes: readonly RouteContract[],
  site: Site,
): PageMetadata {
  const addressOf = (reference: PageReference) => pageAddress(routes, reference);
  return {
    ...routeMetadata(route, path, language, site),
    ...metadata,
    ...(page !== undefined && { path: page && addressOf(page) }),
    ...(breadcrumbs && {
      breadcrumbs: breadcrumbs.flatMap(({ name, page: reference }) => {
        const address = addressOf(reference);
        return address === null ? [] : [{ name, path: address }];
      }),
    }),
    ...(search && { search: addressOf(search) }),
  };
}
