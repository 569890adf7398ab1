import { reloadIfOutdated } from '@platform/host/clean-load';
import { reportShell } from '@platform/host/health';
import { notify } from '@shop/shared/ui';
import { Component, type ReactNode, Suspense } from 'react';
import { useShell } from '../shell-context';
import { t } from '../texts';

interface BoundaryProps {
  children: ReactNode;
  onError: (error: Error) => void;
}

/** Renders nothing after an error. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/**
 * Around each lazily loaded part of the shell: nothing is shown until it has loaded. A failed part is left out, with a notice; if other releases are live, which
 * may be why the part fails, the document is reloaded with its typed text.
 */
export function PartBoundary({ reload, children }: { reload?: () => void; children: ReactNode }): ReactNode {
  const { releases } = useShell();
  const onError = (error: Error) => {
    notify.danger(t('pageError.title'));
    reportShell(error.name === 'ChunkLoadError' ? 'load' : 'render');
    void reloadIfOutdated(releases, reload);
  };
  return (
    <Boundary onError={onError}>
      <Suspense fallback={null}>{children}</Suspense>
    </Boundary>
  );
}
