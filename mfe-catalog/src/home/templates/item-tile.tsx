import type { ModuleItem } from '@shop/server/wire';
import { Picture, Tag, type Tone } from '@shop/shared/ui';
import { ShopLink } from '../../common/shop-link';
import { ItemPrice } from './item-price';

const looks = {
  card: { box: 'catalog-tile', part: 'catalog-tile', size: 240 },
  scroller: { box: 'catalog-scroller__item', part: 'catalog-scroller', size: 132 },
};

interface ItemTileProps {
  item: ModuleItem;
  look: keyof typeof looks;
  /** It labels an item that has no tag of its own. */
  tag?: string;
  tone?: Tone;
}

export function ItemTile({ item, look, tag, tone = 'accent' }: ItemTileProps) {
  const { box, part, size } = looks[look];
  const shownTag = item.tag ?? tag;
  return (
    <li>
      <ShopLink type={item.link_type} value={item.link_value} className={box}>
        <Picture src={item.image} alt="" width={size} height={size} className={`${part}__cover`} />
        <span className={`${part}__title ui-two-lines`}>{item.title}</span>
        <ItemPrice item={item} />
        {shownTag && (
          <span className="catalog-corner">
            <Tag tone={tone}>{shownTag}</Tag>
          </span>
        )}
      </ShopLink>
    </li>
  );
}
