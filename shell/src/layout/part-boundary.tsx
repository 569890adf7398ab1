import { reportShell } from '@platform/host/health';
import type { ReleasesStore } from '@platform/host/releases.store';
import { notify } from '@shop/shared/ui';
import { Component, type ReactNode } from 'react';
import { t } from '../texts';

interface Props {
  releases: Pick<ReleasesStore, 'check' | 'needsFullLoad'>;
  reload?: () => void;
  children: ReactNode;
}

/**
 * Error boundary of the shell's lazily loaded parts. A failed part is left out, with a notice; if another shell is live, which
 * may be why the chunk is missing, the document is reloaded.
 */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    const { releases, reload = () => window.location.reload() } = this.props;
    notify.danger(t('pageError.title'));
    reportShell(error.name === 'ChunkLoadError' ? 'load' : 'render', { recovered: false });
    void releases.check().then(() => {
      if (releases.needsFullLoad) reload();
    });
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
