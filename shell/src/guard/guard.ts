/** The navigation guard's rules (specification, section 2) as pure functions; `use-guard.ts` carries them out. */
import { matchPath } from '@shop/shared/router';
import type { ContractRoute } from '../releases/releases.store';

/** Every part of the layout asks for the route of the same address, several times a navigation. */
const found = new WeakMap<readonly ContractRoute[], Map<string, ContractRoute | null>>();
/** Addresses remembered for one release map. */
const mostFound = 100;

/** The route of an address. A static segment outranks a parameter: /goods/hot before /goods/:id. */
export function routeOf(routes: readonly ContractRoute[], pathname: string): ContractRoute | null {
  const known = found.get(routes) ?? new Map<string, ContractRoute | null>();
  found.set(routes, known);
  const before = known.get(pathname);
  if (before !== undefined) return before;
  if (known.size >= mostFound) known.clear();
  const route = findRoute(routes, pathname);
  known.set(pathname, route);
  return route;
}

function findRoute(routes: readonly ContractRoute[], pathname: string): ContractRoute | null {
  const matches = routes.filter((route) => matchPath({ path: route.path, end: true }, pathname));
  return matches.sort((left, right) => parameters(left.path) - parameters(right.path))[0] ?? null;
}

function parameters(path: string): number {
  return path.split('/').filter((segment) => segment.startsWith(':')).length;
}

/**
 * The old hash address of the pay-success page (`/#/pages/order/pay-success?id=…`) leads to the order. Null for every
 * other hash.
 */
export function orderOfPaySuccess(hash: string): string | null {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  if (!/(^|\/)pay-success\/?$/.test(path)) return null;
  const id = new URLSearchParams(query).get('id');
  return id ? `/order/detail/${encodeURIComponent(id)}` : null;
}

/** With no token on a route that needs one: navigation stops and login opens. */
export function mayEnter(route: ContractRoute | null, hasToken: boolean): boolean {
  return hasToken || route?.flags?.requiresLogin !== true;
}
