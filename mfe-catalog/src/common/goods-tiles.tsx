import type { GoodsListItem } from '@shop/server/wire';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { Picture, Price } from '@shop/shared/ui';
import './goods-tiles.css';

type Tile = Pick<GoodsListItem, 'id' | 'name' | 'image'> & Partial<GoodsListItem>;

export function GoodsTiles({ goods }: { goods: readonly Tile[] }) {
  return (
    <ul className="catalog-strip">
      {goods.map(({ id, name, image, min_price, prices_differ, currency }) => (
        <li key={id}>
          <Link to={linkTo('goods-detail', { id })} className="catalog-strip__item ui-stack ui-gap-1">
            <Picture src={image} alt="" width={104} height={104} />
            <span className="catalog-strip__name ui-two-lines">{name}</span>
            {min_price && currency && (
              <span className="catalog-strip__price">
                <Price amount={min_price} currency={currency} size="s" from={prices_differ} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
