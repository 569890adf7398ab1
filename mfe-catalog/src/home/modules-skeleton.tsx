import { Skeleton } from '@shop/shared/ui';

const grid = [1, 2, 3, 4, 5, 6, 7, 8];
const cards = [1, 2, 3, 4];

/** Placeholder for the first modules in their final size. */
export function ModulesSkeleton() {
  return (
    <div aria-hidden="true" className="ui-stack ui-gap-5">
      <div className="catalog-grid">
        {grid.map((place) => (
          <div key={place} className="catalog-grid__item ui-row ui-gap-1">
            <Skeleton shape="block" width="52px" height="52px" />
            <Skeleton shape="text" width="60%" />
          </div>
        ))}
      </div>
      <div className="catalog-tiles">
        {cards.map((place) => (
          <div key={place} className="catalog-tile">
            <div className="catalog-tile__cover">
              <Skeleton shape="block" width="100%" height="100%" />
            </div>
            <Skeleton shape="text" width="80%" />
            <Skeleton shape="text" width="40%" />
          </div>
        ))}
      </div>
    </div>
  );
}
