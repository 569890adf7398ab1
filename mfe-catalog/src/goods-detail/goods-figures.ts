import type { GoodsInfo } from '@shop/server/wire';
import type { Language } from '@shop/shared/domain';
import type { useTexts } from '../texts';

type Translate = ReturnType<typeof useTexts>['t'];

/** "200+ sold"; 20,000 is "2 万" in Chinese. Empty below ten: so few say nothing of a product. */
export function soldText({ sold }: Pick<GoodsInfo, 'sold'>, language: Language, t: Translate): string {
  if (sold < 10) return '';
  const count =
    language === 'en' || sold < 10_000
      ? sold.toLocaleString('en-US')
      : t('measured.tenThousands', { count: sold / 10_000 });
  return t('measured.sold', { count });
}
