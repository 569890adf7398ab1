import type { ComponentType } from 'react';

/** The module that a remote exposes for a route: the shape of a React Router route module. */
export interface PageModule {
  Component: ComponentType;
  /** Starts the page's calls; must not throw and must not wait for them. */
  loader?(args: unknown): unknown;
  ErrorBoundary?: ComponentType<{ error: unknown; retry: () => void }>;
}
