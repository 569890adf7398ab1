import type { CustomModule, ModuleItem } from '@shop/server/wire';
import { currencyOf } from '@shop/shared/domain';
import { Picture, Price, Tag, type Tone } from '@shop/shared/ui';
import { ShopLink } from '../common/shop-link';
import { useTexts } from '../texts';

function ItemPrice({ item }: { item: ModuleItem }) {
  const { language } = useTexts();
  if (!item.price) return null;
  return (
    <Price
      amount={item.price}
      currency={currencyOf(language)}
      original={item.original_price}
      from={item.prices_differ}
    />
  );
}

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
