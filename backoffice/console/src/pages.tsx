/** Pages outside the first view. Each loads when it is opened, and all load once the console is idle. */
import { ErrorState } from '@shop/shared/ui';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Loading } from './kit/parts';

export interface PageProps {
  place: string[];
  onSignOut(): void;
}

const loads: Array<() => Promise<unknown>> = [];
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loadModule = async () => ({ default: await load() });
  loads.push(loadModule);
  return lazy(loadModule);
}

/** Users who have an account do not load it. */
export const SetupPage = lazy(async () => ({ default: (await import('./people/setup-page')).SetupPage }));

/** The pages load one after the other, so that a click meanwhile does not wait behind them. */
export async function loadPages(): Promise<void> {
  for (const load of loads) await load().catch(() => {});
}

/** Shows a placeholder while a page loads, and an error if it cannot: the server may have a newer console. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <PageBoundary>
    <Suspense fallback={<Loading />}>{children}</Suspense>
  </PageBoundary>
);

class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <ErrorState onRetry={() => location.reload()} /> : this.props.children;
  }
}
