import { Picture, Tag } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import { useTexts } from '../../texts';
import type { TemplateProps } from '../home-module';
import { ItemPrice } from './item-price';

/** Template 6: a timed row; the countdown stands in the module's head. */
export function TimedTemplate({ module }: TemplateProps) {
  const { t } = useTexts();
  return (
    <ul className="catalog-scroller">
      {module.items.map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-scroller__item">
            <Picture src={item.image} alt="" width={132} height={132} className="catalog-scroller__cover" />
            <span className="catalog-scroller__title">{item.title}</span>
            <ItemPrice item={item} />
            <span className="catalog-corner">
              <Tag tone="danger">{item.tag ?? t('home.deal')}</Tag>
            </span>
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}
