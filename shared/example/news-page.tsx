import { prefetch, useQuery } from '@shop/shared/query';
import { usePageTitle, useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { Card, Empty, ErrorState, PageBody, SafeHtml, Skeleton } from '@shop/shared/ui';
import { newsQuery } from './news.queries';
import { useTexts } from './texts';

export const loader = ({ params }: LoaderArguments) => prefetch(newsQuery(params.id ?? ''));

export function Component() {
  const { id = '' } = useParams();
  const { t } = useTexts();
  const { data: news, error, refetch } = useQuery(newsQuery(id));
  usePageTitle(news?.title);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <PageBody>
      {!news && <Skeleton />}
      {news && <Card>{news.content ? <SafeHtml html={news.content} /> : <Empty title={t('page.empty')} />}</Card>}
    </PageBody>
  );
}
