import type { GoodsInfo } from '@shop/server/wire';
import { Card, Icon, SafeHtml, VisuallyHidden } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function AboutGoods({ goods }: { goods: GoodsInfo }) {
  const { t } = useTexts();
  if (!goods.notice && !goods.description_html) return null;
  return (
    <>
      {goods.notice && (
        <section className="catalog-notice" aria-label={t('goodsDetail.notice')}>
          <Icon name="alert" size={20} />
          <p>{goods.notice}</p>
        </section>
      )}
      {goods.description_html && (
        <Card as="section" aria-label={t('goodsDetail.about')}>
          <VisuallyHidden as="h2">{t('goodsDetail.about')}</VisuallyHidden>
          <SafeHtml html={goods.description_html} className="catalog-description" />
        </Card>
      )}
    </>
  );
}
