import { retryImport } from '@shop/shared/http';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

const RowArrows = lazy(() => retryImport(() => import('./row-arrows')));

/** A row that scrolls sideways; a desktop gets arrows, since a mouse cannot swipe. */
export function Row({ className, children }: { className: string; children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const [withArrows, setWithArrows] = useState(false);
  useEffect(() => setWithArrows(window.matchMedia?.('(min-width: 960px) and (hover: hover)').matches ?? false), []);
  return (
    <div className="catalog-row">
      <ul ref={list} className={className}>
        {children}
      </ul>
      {withArrows && (
        <Suspense fallback={null}>
          <RowArrows list={list} />
        </Suspense>
      )}
    </div>
  );
}
