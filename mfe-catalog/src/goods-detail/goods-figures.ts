import type { GoodsInfo } from '@shop/server/wire';
import type { Language } from '@shop/shared/domain';
import type { useTexts } from '../texts';

type Translate = ReturnType<typeof useTexts>['t'];

/** "200+ sold"; 20,000 is "2 万" in Chinese. Empty before the first sale. */
export function soldText({ sold }: Pick<GoodsInfo, 'sold'>, language: Language, t: Translate): string {
  if (sold === 0) return '';
  const count =
    language === 'en' || sold < 10_000
      ? sold.toLocaleString('en-US')
      : t('measured.tenThousands', { count: sold / 10_000 });
  return t(sold < 10 ? 'measured.sold' : 'measured.soldMore', { count });
}
