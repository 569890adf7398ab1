import { reloadIfOutdated } from '@platform/host/clean-load';
import { reportShell } from '@platform/host/health';
import type { ReleasesStore } from '@platform/host/releases.store';
import { changingCalls } from '@shop/shared/http';
import { notify } from '@shop/shared/ui';
import { Component, type ReactNode } from 'react';
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

interface Props {
  releases: Pick<ReleasesStore, 'check' | 'isOutdated'>;
  reload?: () => void;
  children: ReactNode;
}

/**
 * Error boundary of the shell's lazily loaded parts. A failed part is left out, with a notice; if other releases are live, which
 * may be why the part fails, the document is reloaded with its typed text.
 */
export function PartBoundary({ releases, reload, children }: Props): ReactNode {
  const onError = (error: Error) => {
    notify.danger(t('pageError.title'));
    reportShell(error.name === 'ChunkLoadError' ? 'load' : 'render', { recovered: false });
    void reloadIfOutdated(releases, changingCalls, reload);
  };
  return <Boundary onError={onError}>{children}</Boundary>;
}
