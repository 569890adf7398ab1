/** The navigation guard's rules (docs/product.md#navigation) as pure functions; `use-guard.ts` applies them. */

import type { ContractRoute } from '@platform/host/releases.store';
import { matchRoute } from '@platform/releases/contract';
import { linkTo } from '@shop/shared/links';

/** The layout reads the route of the same address several times per navigation. */
const cache = new WeakMap<readonly ContractRoute[], Map<string, ContractRoute | null>>();
const cacheSize = 100;

/** The route of an address, by the same rule as the document's preloads and React Router. */
export function routeOf(routes: readonly ContractRoute[], pathname: string): ContractRoute | null {
  const resolved = cache.get(routes) ?? new Map<string, ContractRoute | null>();
  cache.set(routes, resolved);
  const cached = resolved.get(pathname);
  if (cached !== undefined) return cached;
  if (resolved.size >= cacheSize) resolved.clear();
  const route = matchRoute(routes, pathname);
  resolved.set(pathname, route);
  return route;
}

/** The old hash address of the pay-success page (`/#/pages/order/pay-success?id=…`) opens the order. Null for every other hash. */
export function orderOfPaySuccess(hash: string): string | null {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  if (!/(^|\/)pay-success\/?$/.test(path)) return null;
  const id = new URLSearchParams(query).get('id');
  return id ? linkTo('order-detail', { id }) : null;
}

/** Without a token the login opens instead of a route that requires login. */
export function mayEnter(route: ContractRoute | null, hasToken: boolean): boolean {
  return hasToken || route?.flags?.requiresLogin !== true;
}
