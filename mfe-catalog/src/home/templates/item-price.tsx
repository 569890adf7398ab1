import type { ModuleItem } from '@shop/server/wire';
import { currencyOf } from '@shop/shared/domain';
import { Price } from '@shop/shared/ui';
import { useTexts } from '../../texts';

export function ItemPrice({ item }: { item: ModuleItem }) {
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
