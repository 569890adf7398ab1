/** Which route an address belongs to, by React Router's rules: a static segment ranks over a dynamic one, that over `*`. */
interface Pattern {
  path: string;
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean);

/** Higher is more specific; compared segment by segment. */
function rank(segment: string): number {
  if (segment === '*') return 0;
  return segment.startsWith(':') ? 1 : 2;
}

function matches(pattern: string[], address: string[]): boolean {
  const splat = pattern.at(-1) === '*';
  const required = splat ? pattern.slice(0, -1) : pattern.filter((segment) => !segment.endsWith('?'));
  if (address.length < required.length || (!splat && address.length > pattern.length)) return false;
  return pattern.every((segment, index) => {
    const part = address[index];
    if (segment === '*') return true;
    if (part === undefined) return segment.endsWith('?');
    if (segment.startsWith(':')) return true;
    return segment.replace(/\?$/, '').toLowerCase() === part.toLowerCase();
  });
}

function moreSpecific(left: string[], right: string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = rank(right[index] ?? '*') - rank(left[index] ?? '*');
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `pathname` as it stands in the address, percent-encoded or not. */
export function matchRoute<R extends Pattern>(routes: readonly R[], pathname: string): R | null {
  const address = segmentsOf(pathname);
  const candidates = routes
    .map((route) => ({ route, pattern: segmentsOf(route.path) }))
    .filter(({ pattern }) => matches(pattern, address))
    .sort((left, right) => moreSpecific(left.pattern, right.pattern));
  return candidates[0]?.route ?? null;
}
