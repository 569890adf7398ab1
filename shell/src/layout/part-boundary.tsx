import { notify } from '@shop/shared/ui';
import { Component, type ReactNode } from 'react';
import { reportShell } from '../releases/health';
import type { ReleasesStore } from '../releases/releases.store';
import { t } from '../texts';

interface Props {
  releases: Pick<ReleasesStore, 'check' | 'needsFullLoad'>;
  reload?: () => void;
  children: ReactNode;
}

/**
 * Around the parts of the shell whose code comes later. One that does not arrive is left out, with a notice, and the page
 * lives on; where it is missing because another shell is live by now, that one is taken.
 */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    const { releases, reload = () => window.location.reload() } = this.props;
    notify.danger(t('pageError.title'));
    reportShell(error.name === 'ChunkLoadError' ? 'load' : 'render', false);
    void releases.check().then(() => {
      if (releases.needsFullLoad) reload();
    });
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
