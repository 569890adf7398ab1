import { Picture, Tag } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import type { TemplateProps } from '../home-module';
import { ItemPrice } from './item-price';

/** Template 3: cards with a price, two columns on a phone. */
export function CardsTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-tiles">
      {module.items.map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-tile">
            <Picture src={item.image} alt="" width={240} height={240} className="catalog-tile__cover" />
            <span className="catalog-tile__title">{item.title}</span>
            <ItemPrice item={item} />
            {item.tag && (
              <span className="catalog-corner">
                <Tag tone="accent">{item.tag}</Tag>
              </span>
            )}
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}
