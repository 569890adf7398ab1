import { retryImport } from '@shop/shared/http';
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { useShell } from '../shell-context';
import { PartBoundary } from './boundary';

/** The same width as in the CSS of shell and kit. */
const query = '(min-width: 960px)';

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/**
 * A part whose code only the desktop layout loads (docs/product.md#layout). Rendered documents contain both layouts. It is a constant
 * element, so that a render around it does not replace the hydrated content before its code has loaded.
 */
export function desktopPart(load: () => Promise<{ default: ComponentType }>): ReactElement {
  const Part = lazy(() => retryImport(load));
  function DesktopPart(): ReactNode {
    const { releases } = useShell();
    const isDesktop = useSyncExternalStore(
      subscribe,
      () => window.matchMedia(query).matches,
      () => true,
    );
    if (!isDesktop) return null;
    return (
      <PartBoundary releases={releases}>
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </PartBoundary>
    );
  }
  return <DesktopPart />;
}
