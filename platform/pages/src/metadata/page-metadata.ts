import { localText, type RouteContract } from '@platform/releases/contract';
import type { Site } from '../site/site';
import { type DocumentLanguage, LANGUAGES } from './languages';

export interface Breadcrumb {
  name: string;
  path: string;
}

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
  breadcrumbs: readonly Breadcrumb[];
  product?: ProductMetadata;
  /** ISO 8601, of an article. */
  modifiedAt?: string;
  /** The search of the whole site, with `{search_term_string}` in its query. */
  search?: string | null;
}

export function routeMetadata(
  route: RouteContract | null,
  address: string,
  language: DocumentLanguage,
  site: Site,
): PageMetadata {
  const errorTitle = address === '/403' ? site.forbidden : site.notFound;
  const title = route ? localText(route.title, language) : errorTitle[language];
  const isPublic = route !== null && !route.flags?.requiresLogin;
  const path = isPublic && !/[:*]/.test(route.path) ? route.path : null;
  return {
    language,
    title,
    description: localText(route?.description ?? site.description, language),
    path,
    languages: LANGUAGES,
    noindex: !isPublic,
    type: 'website',
    breadcrumbs: path && path !== HOME ? [{ name: title.replace(` - ${site.name[language]}`, ''), path }] : [],
  };
}

/** Returns the absolute address of a picture, or null for none and for one that is not on http or https. */
export function pictureAddress(picture: string, origin: string): string | null {
  if (!picture || !URL.canParse(picture, origin)) return null;
  const { protocol, href } = new URL(picture, origin);
  return protocol === 'https:' || href.startsWith(`${origin}/`) ? href : null;
}

export const HOME = '/home';
