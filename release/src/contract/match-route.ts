/** The route of an address, by React Router's rules: the same segment weights, optional segments, case and decoding. */

/** Weights of `computeScore` in react-router; its one per segment is included. */
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

/** Null when no route matches. Of equally specific routes the first wins. */
export function matchRoute<R extends { path: string }>(routes: readonly R[], pathname: string): R | null {
  const segments = pathname.split('/').slice(1);
  while (segments.at(-1) === '') segments.pop();
  const address = decoded(segments);
  let best: R | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const route of routes) {
    for (const pattern of variantsOf(route.path.split('/').filter(Boolean))) {
      const score = pattern.reduce((sum, segment) => sum + weight(segment), 0);
      if (score > bestScore && matches(pattern, address)) {
        best = route;
        bestScore = score;
      }
    }
  }
  return best;
}
