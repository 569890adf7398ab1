import type { ModuleItem } from '@shop/server/wire';
import { currencyOf } from '@shop/shared/domain';
import { compareMoney } from '@shop/shared/money';
import { Price } from '@shop/shared/ui';
import { useTexts } from '../../texts';

/** The item's price, with the original one if that was higher. */
export function ItemPrice({ item }: { item: ModuleItem }) {
  const { language } = useTexts();
  if (!item.price) return null;
  const reduced = item.original_price && compareMoney(item.original_price, item.price) > 0;
  return (
    <Price amount={item.price} currency={currencyOf(language)} original={reduced ? item.original_price : undefined} />
  );
}
