/** Finds the route of an address by React Router's rules: the same segment weights, optional segments, case and decoding. */

/** Weights of `computeScore` in react-router, including its one point per segment. */
function weight(segment: string): number {
  if (segment === '*') return -1;
  return segment.startsWith(':') ? 4 : 11;
}

/** '/tag/:name?' stands for '/tag/:name' and '/tag'. */
function variantsOf(segments: readonly string[]): Array<readonly string[]> {
  const index = segments.findIndex((segment) => segment.endsWith('?'));
  if (index < 0) return [segments];
  const rest = segments.slice(index + 1);
  const before = segments.slice(0, index);
  return [
    [...before, (segments[index] as string).slice(0, -1), ...rest],
    [...before, ...rest],
  ].flatMap(variantsOf);
}

function matches(pattern: readonly string[], address: readonly string[]): boolean {
  const splat = pattern.at(-1) === '*';
  if (splat ? address.length < pattern.length - 1 : address.length !== pattern.length) return false;
  return pattern.every((segment, index) => {
    if (segment === '*') return true;
    const part = address[index] as string;
    return segment.startsWith(':') ? part !== '' : segment.toLowerCase() === part.toLowerCase();
  });
}

function decoded(segments: string[]): string[] {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return segments;
  }
}

const SEGMENT = /^(:[A-Za-z_]\w*|[A-Za-z0-9_~-][A-Za-z0-9._~-]*)\??$/;
/** Each optional segment doubles the patterns to compare. */
const MOST = { characters: 200, optional: 4 };

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/**
 * Whether React Router and this module interpret the path in the same way: no segment that is dynamic in part ("a-:id"), no "*"
 * except the last, and nothing that an address can write in more than one way.
 */
export function isRoutePattern(path: string): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/') || path.length > MOST.characters || /\/\/|.\/$/.test(path)) return false;
  const segments = segmentsOf(path);
  const plain = segments.at(-1) === '*' ? segments.slice(0, -1) : segments;
  return (
    plain.every((segment) => SEGMENT.test(segment)) &&
    plain.filter((segment) => segment.endsWith('?')).length <= MOST.optional
  );
}

/** Whether some address matches both paths, independent of which one wins. Both paths must be patterns (`isRoutePattern`). */
export function routesOverlap(one: string, other: string): boolean {
  const others = variantsOf(segmentsOf(other));
  return variantsOf(segmentsOf(one)).some((left) => others.some((right) => variantsOverlap(left, right)));
}

function variantsOverlap(left: readonly string[], right: readonly string[]): boolean {
  for (let index = 0; ; index += 1) {
    const [a, b] = [left[index], right[index]];
    // '*' matches all remaining segments of the other path, or none.
    if (a === '*' || b === '*') return true;
    if (a === undefined || b === undefined) return a === b;
    const isDynamic = a.startsWith(':') || b.startsWith(':');
    if (!isDynamic && a.toLowerCase() !== b.toLowerCase()) return false;
  }
}

/**
 * Whether a route matches all addresses of a path, which may be that of another route: '/things/:id' covers '/things/:key' and '/things/7'.
 */
export function routeCovers(route: string, path: string): boolean {
  const patterns = variantsOf(segmentsOf(route));
  return variantsOf(segmentsOf(path)).every((variant) => {
    // An empty part matches '*' only, as the rest of the path does.
    const address = variant.map((segment) => (segment === '*' ? '' : segment));
    return patterns.some((pattern) => matches(pattern, address));
  });
}

/** Null when no route matches. Of equally specific routes the first wins. */
export function matchRoute<R extends { path: string }>(routes: readonly R[], pathname: string): R | null {
  const segments = pathname.split('/').slice(1);
  while (segments.at(-1) === '') segments.pop();
  const address = decoded(segments);
  let best: R | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const route of routes) {
    for (const pattern of variantsOf(segmentsOf(route.path))) {
      const score = pattern.reduce((sum, segment) => sum + weight(segment), 0);
      if (score > bestScore && matches(pattern, address)) {
        best = route;
        bestScore = score;
      }
    }
  }
  return best;
}

export function routeParameters(path: string, pathname: string): Record<string, string> {
  const address = decoded(segmentsOf(pathname));
  const pattern = variantsOf(segmentsOf(path)).find((variant) => matches(variant, address)) ?? [];
  return Object.fromEntries(
    pattern.flatMap((segment, index) => (segment.startsWith(':') ? [[segment.slice(1), address[index] ?? '']] : [])),
  );
}

/** The address of a path with these parameters; null if they are not exactly the parameters of the path. */
export function addressOfRoute(path: string, parameters: Readonly<Record<string, string>>): string | null {
  const needed = Object.keys(parameters).sort().join();
  for (const variant of variantsOf(segmentsOf(path))) {
    const names = variant.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1));
    if (variant.includes('*') || names.sort().join() !== needed) continue;
    const segments = variant.map((segment) =>
      segment.startsWith(':') ? encodeURIComponent(parameters[segment.slice(1)] ?? '') : segment,
    );
    return `/${segments.join('/')}`;
  }
  return null;
}
