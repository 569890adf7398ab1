import { Card, Skeleton, VisuallyHidden } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function ArticleSkeleton() {
  const { t } = useTexts();
  return (
    <div className="content-article ui-stack ui-gap-4" aria-busy="true">
      <VisuallyHidden>
        <span role="status">{t('article.loading')}</span>
      </VisuallyHidden>
      <Skeleton shape="card" className="content-article__contents-skeleton" />
      <div className="content-article__main ui-stack ui-gap-5">
        <Card padding="l" className="content-article__paper">
          <div className="content-article__head">
            <Skeleton width="60%" height={32} />
            <Skeleton width={120} height={16} />
          </div>
          <div className="content-article__blocks">
            <Skeleton lines={3} />
            <Skeleton lines={6} />
            <Skeleton lines={5} />
            <Skeleton lines={6} />
          </div>
        </Card>
      </div>
    </div>
  );
}
