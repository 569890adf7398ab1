import './page-skeleton.css';
import { Skeleton } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useTexts } from '../texts';

/** Shown while a page's code loads; the page's own skeleton follows with the same layout. */
export function PageSkeleton(): ReactNode {
  const { t } = useTexts();
  return (
    <div className="shell-page-skeleton" role="status" aria-busy="true" aria-label={t('loadingPage')}>
      <Skeleton shape="card" height={160} />
      <Skeleton shape="text" lines={3} />
      <Skeleton shape="card" height={120} />
      <Skeleton shape="card" height={120} />
    </div>
  );
}
