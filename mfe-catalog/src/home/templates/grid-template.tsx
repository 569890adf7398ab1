import { Picture } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import type { TemplateProps } from './template-props';

/** Template 1: icons, four a row on a phone. */
export function GridTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-grid">
      {module.items.map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-grid__item ui-row ui-gap-1">
            <Picture src={item.image} alt="" width={52} height={52} className="catalog-grid__icon" />
            <span>{item.title}</span>
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}
