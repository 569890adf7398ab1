/** Attributes of `<html>` that the server writes and the boot script reads. */
import type { FallbackRelease, FirstCall, RouteContract } from '@platform/releases/contract';

type FileWithHash = readonly [url: string, integrity: string];

export interface PreviousShell {
  version: string;
  js: readonly FileWithHash[];
  css: readonly FileWithHash[];
}

export function previousShellAttribute({ version, base, initial, integrity }: FallbackRelease): string {
  const withHash = (files: string[]) => files.map((file): FileWithHash => [base + file, integrity[file] ?? '']);
  const shell: PreviousShell = { version, js: withHash(initial.js), css: withHash(initial.css) };
  return JSON.stringify(shell);
}

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
