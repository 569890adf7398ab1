import type { CustomModule } from '@shop/server/wire';
import { Picture, Tag } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import { ItemPrice } from './item-price';

export type TemplateProps = { module: CustomModule };

export function RankingTemplate({ module }: TemplateProps) {
  return (
    <ol className="catalog-ranking">
      {module.items.map((item, index) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-ranking__item ui-row">
            <span className={index < 3 ? 'catalog-ranking__place is-top' : 'catalog-ranking__place'} aria-hidden="true">
              {index + 1}
            </span>
            <Picture src={item.image} alt="" width={56} height={56} className="catalog-ranking__cover" />
            <span className="catalog-ranking__title ui-row ui-gap-1 ui-wrap ui-grow">
              {item.title}
              {item.tag && <Tag tone="warning">{item.tag}</Tag>}
            </span>
            <ItemPrice item={item} />
          </ShopLink>
        </li>
      ))}
    </ol>
  );
}
