import { Card, Skeleton } from '@shop/shared/ui';

const places = [1, 2, 3, 4, 5, 6];

export function GoodsSkeleton() {
  return (
    <div className="catalog-goods-detail" aria-hidden="true">
      <div className="catalog-goods-detail__main">
        <div className="catalog-hero ui-row ui-gap-4">
          <div className="catalog-hero__cover">
            <Skeleton shape="block" width="100%" height="100%" />
          </div>
          <div className="catalog-hero__text ui-stack ui-gap-2 ui-grow">
            <Skeleton shape="text" width="60%" />
            <Skeleton shape="text" width="40%" />
          </div>
        </div>
        <Card>
          <div className="catalog-specs">
            {places.map((place) => (
              <Skeleton key={place} shape="block" width="100%" height="76px" />
            ))}
          </div>
        </Card>
      </div>
      <div className="catalog-goods-detail__side">
        <div className="catalog-goods-detail__summary">
          <Card>
            <Skeleton shape="text" lines={4} />
          </Card>
        </div>
      </div>
    </div>
  );
}
