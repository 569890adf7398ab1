import { localText, type RouteContract } from '@platform/releases/contract';
import type { Site } from '../site/site';
import { type DocumentLanguage, LANGUAGES } from './languages';

export interface Breadcrumb {
  name: string;
  path: string;
}

/** What price comparison and search engines read of a product. */
export interface ProductMetadata {
  /** Decimal text, such as '6.00'. */
  lowPrice: string;
  highPrice: string;
  /** How many prices there are. */
  offers: number;
  currency: string;
  availability: 'InStock' | 'LimitedAvailability' | 'OutOfStock';
  sku: string;
  category?: string;
  pictures: readonly string[];
}

/** What a document says of itself to search engines and in previews of links. */
export interface PageMetadata {
  language: DocumentLanguage;
  /** Without the site's name. */
  title: string;
  description: string;
  /** Path with those parameters that name the page, in fixed order; null where a page has no address of its own. */
  path: string | null;
  /** The languages in which the page exists. */
  languages: readonly DocumentLanguage[];
  /** Search engines must not list it. */
  noindex: boolean;
  type: 'website' | 'article' | 'product';
  /** Path or URL. */
  picture?: string;
  /** The pages above this one, and itself. */
  breadcrumbs: readonly Breadcrumb[];
  product?: ProductMetadata;
  /** ISO 8601, of an article. */
  modifiedAt?: string;
  /** The search of the whole site, with `{search_term_string}` in its query. */
  search?: string | null;
}

/** What the route says, for any address of it. Without a route: an error page of the shell. */
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

/** The whole address of a picture; null for none and for what is no address of the web. */
export function pictureAddress(picture: string, origin: string): string | null {
  if (!picture || !URL.canParse(picture, origin)) return null;
  const { protocol, href } = new URL(picture, origin);
  return protocol === 'https:' || href.startsWith(`${origin}/`) ? href : null;
}

/** The page that stands above all others. */
export const HOME = '/home';
