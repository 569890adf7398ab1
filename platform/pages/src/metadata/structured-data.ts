import type {
  BreadcrumbList,
  Graph,
  Organization,
  Product,
  SearchAction,
  Thing,
  WebPage,
  WebSite,
  WithActionConstraints,
} from 'schema-dts';
import type { Site } from '../site/site';
import { addressIn } from './languages';
import { HOME, type PageMetadata, pictureAddress } from './page-metadata';

export function structuredData(metadata: PageMetadata, site: Site, origin: string): Graph {
  const graph: Array<Thing | null> = [
    organization(metadata, site, origin),
    page(metadata, site, origin),
    breadcrumbs(metadata, site, origin),
  ];
  if (metadata.product) graph.push(product(metadata, origin));
  return { '@context': 'https://schema.org', '@graph': graph.filter((thing) => thing !== null) };
}

const organizationId = (origin: string) => `${origin}/#organization`;
const websiteId = (origin: string) => `${origin}/#website`;

const organization = ({ language }: PageMetadata, site: Site, origin: string): Organization => ({
  '@type': 'Organization',
  '@id': organizationId(origin),
  name: site.name[language],
  url: `${origin}${HOME}`,
  logo: `${origin}${site.icon.src}`,
});

function page(metadata: PageMetadata, site: Site, origin: string): WebPage | WebSite | null {
  const { path, title, language, modifiedAt, type } = metadata;
  if (path === null) return null;
  if (path === HOME) return website(metadata, site, origin);
  if (type === 'product') return null;
  return {
    '@type': 'WebPage',
    url: origin + addressIn(path, language),
    name: title,
    inLanguage: language,
    ...(modifiedAt && { dateModified: modifiedAt }),
    isPartOf: { '@type': 'WebSite', '@id': websiteId(origin), url: `${origin}${HOME}` },
  };
}

const website = ({ language, search }: PageMetadata, site: Site, origin: string): WebSite => ({
  '@type': 'WebSite',
  '@id': websiteId(origin),
  name: site.name[language],
  url: origin + addressIn(HOME, language),
  inLanguage: language,
  publisher: { '@id': organizationId(origin) },
  ...(search && { potentialAction: searchAction(origin + addressIn(search, language)) }),
});

const searchAction = (urlTemplate: string): WithActionConstraints<SearchAction> => ({
  '@type': 'SearchAction',
  target: { '@type': 'EntryPoint', urlTemplate },
  'query-input': 'required name=search_term_string',
});

function breadcrumbs(
  { breadcrumbs: crumbs, language }: PageMetadata,
  site: Site,
  origin: string,
): BreadcrumbList | null {
  if (crumbs.length === 0) return null;
  const allCrumbs = [{ name: site.home[language], path: HOME }, ...crumbs];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: allCrumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: { '@type': 'WebPage', '@id': origin + addressIn(path, language) },
    })),
  };
}

function product(metadata: PageMetadata, origin: string): Product {
  const { title, description, path, language, product: offered } = metadata;
  if (!offered || path === null) throw new TypeError('a product has an address and an offer');
  const url = origin + addressIn(path, language);
  const { lowPrice, highPrice, offers, currency, availability, sku, category, pictures } = offered;
  const common = {
    url,
    priceCurrency: currency,
    availability: `https://schema.org/${availability}` as const,
    seller: { '@id': organizationId(origin) },
  };
  return {
    '@type': 'Product',
    name: title,
    description,
    url,
    sku,
    ...(category && { category }),
    image: pictures.flatMap((picture) => pictureAddress(picture, origin) ?? []),
    offers:
      lowPrice === highPrice
        ? { '@type': 'Offer', ...common, price: lowPrice }
        : { '@type': 'AggregateOffer', ...common, lowPrice, highPrice, offerCount: offers },
  };
}
