import type { Graph, Product, SearchAction, Thing, WithActionConstraints } from 'schema-dts';
import type { Site } from '../site/site';
import { addressIn } from './languages';
import { HOME, type PageMetadata, type ProductMetadata, pictureAddress } from './page-metadata';

export function structuredData(metadata: PageMetadata & { path: string }, site: Site, origin: string): Graph {
  const { path, title, language, type, modifiedAt, search, breadcrumbs, product } = metadata;
  const url = origin + addressIn(path, language);
  const home = `${origin}${HOME}`;
  const name = site.name[language];
  const organization = { '@type': 'Organization', '@id': `${origin}/#organization` } as const;
  const website = { '@type': 'WebSite', '@id': `${origin}/#website` } as const;
  const graph: Thing[] = [{ ...organization, name, url: home, logo: `${origin}${site.icon.src}` }];
  if (path === HOME)
    graph.push({
      ...website,
      name,
      url,
      inLanguage: language,
      publisher: { '@id': organization['@id'] },
      ...(search && { potentialAction: searchAction(origin + addressIn(search, language)) }),
    });
  else if (type !== 'product')
    graph.push({
      '@type': 'WebPage',
      url,
      name: title,
      inLanguage: language,
      ...(modifiedAt && { dateModified: modifiedAt }),
      isPartOf: { ...website, url: home },
    });
  if (breadcrumbs.length > 0)
    graph.push({
      '@type': 'BreadcrumbList',
      itemListElement: [{ name: site.home[language], path: HOME }, ...breadcrumbs].map((crumb, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: crumb.name,
        item: { '@type': 'WebPage', '@id': origin + addressIn(crumb.path, language) },
      })),
    });
  if (product) graph.push(productOf(metadata, product, { url, origin, seller: organization['@id'] }));
  return { '@context': 'https://schema.org', '@graph': graph };
}

const searchAction = (urlTemplate: string): WithActionConstraints<SearchAction> => ({
  '@type': 'SearchAction',
  target: { '@type': 'EntryPoint', urlTemplate },
  'query-input': 'required name=search_term_string',
});

function productOf(
  { title, description }: PageMetadata,
  { lowPrice, highPrice, offers, currency, availability, sku, category, pictures }: ProductMetadata,
  { url, origin, seller }: { url: string; origin: string; seller: string },
): Product {
  const common = {
    url,
    priceCurrency: currency,
    availability: `https://schema.org/${availability}` as const,
    seller: { '@id': seller },
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
