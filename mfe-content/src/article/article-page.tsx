import { useFormatDate } from '@shop/shared/i18n';
import { prefetch, useQuery } from '@shop/shared/query';
import { usePageTitle } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { Button, Card, Cell, CellGroup, Empty, ErrorState, PageBody, preloadSafeHtml, SafeHtml } from '@shop/shared/ui';
import { useMemo } from 'react';
import { useTexts } from '../texts';
import { type ArticleId, articleIds, articleQuery } from './article.queries';
import { ArticleSkeleton } from './article-skeleton';
import { Contents } from './contents';
import { outlineOf } from './outline';
import './article.css';

/** The loader of an article's page. */
export function loadArticle(id: string): null {
  prefetch(articleQuery(id));
  // SafeHtml shows the failure and offers another try.
  preloadSafeHtml().catch(() => {});
  return null;
}

const titleKey = {
  agreement: 'article.agreement',
  guide: 'article.guide',
  privacy: 'article.privacy',
} as const satisfies Record<ArticleId, string>;

/** An article of the shop; its h1 is in the shell's top bar. */
export function ArticlePage({ id }: { id: string }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const { data: article, error, refetch } = useQuery(articleQuery(id));
  usePageTitle(article?.title);
  const outline = useMemo(() => outlineOf(article?.content ?? '', id), [article, id]);

  if (!article) {
    return (
      <PageBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ArticleSkeleton />}</PageBody>
    );
  }
  return (
    <PageBody>
      <div className="content-article ui-stack ui-gap-4">
        {outline.sections.length > 1 && <Contents sections={outline.sections} />}
        <div className="content-article__main ui-stack ui-gap-5">
          <Card as="article" padding="l" className="content-article__paper">
            <header className="content-article__head">
              <p className="content-article__title">{article.title}</p>
              <p className="ui-hint">
                <time dateTime={article.updated_at}>
                  {t('article.updated', { date: formatDate(article.updated_at, 'day') })}
                </time>
              </p>
            </header>
            {article.content.trim() ? (
              <SafeHtml html={outline.html} className="content-article__text" />
            ) : (
              <Empty art="search" title={t('article.empty')} description={t('article.emptyText')} />
            )}
          </Card>
          <ArticleFoot id={id} />
        </div>
      </div>
    </PageBody>
  );
}

function ArticleFoot({ id }: { id: string }) {
  const { t } = useTexts();
  const session = useSession();
  return (
    <>
      <Card className="ui-row ui-wrap ui-spread">
        <div>
          <p className="content-article__question">{t('article.help')}</p>
          <p className="ui-hint">{t('article.helpText')}</p>
        </div>
        <Button kind="secondary" icon="support" onClick={() => session.openSupport()}>
          {t('article.support')}
        </Button>
      </Card>
      <CellGroup title={t('article.others')}>
        {articleIds
          .filter((other) => other !== id)
          .map((other) => (
            <Cell key={other} icon="shield" title={t(titleKey[other])} to={`/article/${other}`} />
          ))}
      </CellGroup>
    </>
  );
}
