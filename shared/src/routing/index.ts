/** The contract between the shell and a remote's pages. */
import type { ComponentType } from 'react';

export interface LoaderArguments {
  params: Readonly<Record<string, string | undefined>>;
  request: Request;
}

export interface PageModule {
  Component: ComponentType;
  /** Starts the page's calls; must not throw and must not wait for them. */
  loader?: (args: LoaderArguments) => unknown;
  ErrorBoundary?: ComponentType<{ error: unknown; retry: () => void }>;
}

export { useHydrating } from './use-hydrating';
export { useShown } from './use-shown';
