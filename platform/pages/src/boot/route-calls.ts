import type { FirstCall, RouteContract } from '@platform/releases/contract';

export interface RouteCall extends Omit<FirstCall, 'url'> {
  /** ':2' is replaced by the second segment of the path. */
  url: string;
  token?: boolean;
}

/** Returns the value of `data-calls`. Parameters become positions, so that the document does not depend on the text of the address. */
export function routeCallsAttribute(route: Pick<RouteContract, 'path' | 'flags' | 'firstCalls'>): string {
  const segments = route.path.split('/');
  const calls = (route.firstCalls ?? []).map(
    ({ url, ...call }): RouteCall => ({
      ...call,
      url: url.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => `:${segments.indexOf(`:${name}`)}`),
      ...(route.flags?.requiresLogin && { token: true }),
    }),
  );
  return calls.length > 0 ? JSON.stringify(calls) : '';
}
