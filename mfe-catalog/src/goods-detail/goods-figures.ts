import type { GoodsInfo } from '@shop/server/wire';
import type { TextKey, useTexts } from '../texts';

type Translate = ReturnType<typeof useTexts>['t'];

/** "in about 3 minutes", of the median that was measured; empty where nothing was. */
export function deliveryTime(seconds: number | null, t: Translate): string {
  if (seconds === null) return '';
  const [key, count]: [TextKey, number] =
    seconds <= 10
      ? ['measured.seconds', 10]
      : seconds < 3570
        ? ['measured.minutes', Math.max(1, Math.round(seconds / 60))]
        : seconds < 171_000
          ? ['measured.hours', Math.round(seconds / 3600)]
          : ['measured.days', Math.round(seconds / 86_400)];
  return t(key, { count });
}

/** "200+ sold"; 20,000 is "2 万" in Chinese. Empty before the first sale. */
export function soldText({ sold }: Pick<GoodsInfo, 'sold'>, language: 'zh-CN' | 'en', t: Translate): string {
  if (sold === 0) return '';
  const count =
    language === 'en' || sold < 10_000
      ? sold.toLocaleString('en-US')
      : t('measured.tenThousands', { count: sold / 10_000 });
  return t(sold < 10 ? 'measured.sold' : 'measured.soldMore', { count });
}
