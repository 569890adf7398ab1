import { Picture, Tag } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import type { TemplateProps } from '../home-module';
import { ItemPrice } from './item-price';

/** Template 2: one row that scrolls sideways. */
export function ScrollerTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-scroller">
      {module.items.map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-scroller__item">
            <Picture src={item.image} alt="" width={132} height={132} className="catalog-scroller__cover" />
            <span className="catalog-scroller__title">{item.title}</span>
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
