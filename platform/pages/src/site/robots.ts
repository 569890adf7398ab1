import type { RouteContract } from '@platform/releases/contract';

/** Public calls: a search engine that runs the page needs them. */
const PUBLIC_CALLS = ['app/config', 'article/', 'customModule/', 'goods/', 'search/', 'swiper/'];

/** /robots.txt: everything public may be read, no page behind the login, no other call and no preview of a release. */
export function robotsText(routes: readonly RouteContract[], sitemap: string | null): string {
  const guarded = routes
    .filter(({ flags }) => flags?.requiresLogin)
    .map(({ path }) => path.replace(/:.*$/, ''))
    .sort();
  const shortest = guarded.filter((path) => !guarded.some((other) => path.startsWith(`${other}/`)));
  return [
    'User-agent: *',
    ...PUBLIC_CALLS.map((path) => `Allow: /api/front/${path}`),
    'Disallow: /api/',
    'Disallow: /*?release=',
    'Disallow: /*&release=',
    ...shortest.flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}?`, `Disallow: ${path}/`]),
    ...(sitemap ? [`Sitemap: ${sitemap}`] : []),
    '',
  ].join('\n');
}
