import type { GoodsListItem } from '@shop/server/wire';
import { rechargeKind } from '@shop/shared/domain';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { Picture, Price, Skeleton, Tag } from '@shop/shared/ui';
import { memo } from 'react';
import { Heart } from '../favourites/heart';
import { useTexts } from '../texts';
import './goods-card.css';

/** Memoised: loading another page must not render all earlier rows again. */
export const GoodsCard = memo(function GoodsCard({ goods, eager = false }: { goods: GoodsListItem; eager?: boolean }) {
  const { t } = useTexts();
  const kind = rechargeKind(goods.recharge_types[0]);
  return (
    <>
      <Link
        to={linkTo('goods-detail', { id: goods.id })}
        className={goods.sold_out ? 'catalog-card is-out' : 'catalog-card'}
      >
        <span className="catalog-card__cover">
          <Picture src={goods.image} alt="" width={160} height={160} lazy={!eager} />
          {goods.sold_out && <span className="catalog-card__out">{t('soldOut')}</span>}
        </span>
        <span className="catalog-card__body ui-grow">
          <span className="catalog-card__name ui-two-lines">{goods.name}</span>
          <span className="catalog-card__tags ui-row ui-gap-1 ui-wrap">
            {kind && <Tag>{t(`kind.${kind}`)}</Tag>}
            {goods.tags.slice(0, 2).map((tag) => (
              <Tag key={tag} tone="accent">
                {tag}
              </Tag>
            ))}
          </span>
          <span className="catalog-card__price">
            <Price amount={goods.min_price} currency={goods.currency} from={goods.prices_differ} />
          </span>
        </span>
      </Link>
      <Heart goods={goods} className="catalog-card__heart" />
    </>
  );
});

const eightPlaces = [1, 2, 3, 4, 5, 6, 7, 8];

export function GoodsCardsSkeleton() {
  return (
    <div className="catalog-cards ui-stack" aria-hidden="true">
      {eightPlaces.map((place) => (
        <div key={place} className="catalog-card">
          <span className="catalog-card__cover">
            <Skeleton shape="block" width="100%" height="100%" />
          </span>
          <span className="catalog-card__body ui-grow">
            <Skeleton shape="text" width="70%" />
            <Skeleton shape="text" width="50%" />
            <Skeleton shape="text" width="40%" />
          </span>
        </div>
      ))}
    </div>
  );
}
