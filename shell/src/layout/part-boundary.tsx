import { reloadIfOutdated } from '@platform/host/clean-load';
import { reportShell } from '@platform/host/health';
import type { ReleasesStore } from '@platform/host/releases.store';
import { changingCalls } from '@shop/shared/http';
import { notify } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { t } from '../texts';
import { Boundary } from './boundary';

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
