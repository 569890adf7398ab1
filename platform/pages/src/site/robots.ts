import type { RouteContract } from '@platform/releases/contract';
import type { Site } from './site';

/** /robots.txt: everything public may be read, no page behind the login, no other call and no preview of a release. */
export function robotsText(
  { publicCalls }: Pick<Site, 'publicCalls'>,
  routes: readonly RouteContract[],
  sitemap: string | null,
): string {
  const guarded = routes
    .filter(({ flags }) => flags?.requiresLogin)
    .map(({ path }) => path.replace(/:.*$/, ''))
    .sort();
  const shortest = guarded.filter((path) => !guarded.some((other) => path.startsWith(`${other}/`)));
  return [
    'User-agent: *',
    ...publicCalls.map((path) => `Allow: ${path}`),
    'Disallow: /api/',
    'Disallow: /*?release=',
    'Disallow: /*&release=',
    ...shortest.flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}?`, `Disallow: ${path}/`]),
    ...(sitemap ? [`Sitemap: ${sitemap}`] : []),
    '',
  ].join('\n');
}
