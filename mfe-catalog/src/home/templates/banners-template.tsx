import { Picture } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import type { TemplateProps } from './template-props';

/** Template 4: one large and two small banners. */
export function BannersTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-themes">
      {module.items.slice(0, 3).map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-theme">
            <Picture src={item.image} alt="" width={640} height={400} />
            <span className="catalog-theme__title">{item.title}</span>
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}
