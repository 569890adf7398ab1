import '../texts';
import './article.css';
import { isApiError } from '@shop/shared/http';
import { formatDate, useTranslation } from '@shop/shared/i18n';
import { preload, usePageData } from '@shop/shared/query';
import { Button, Empty, ErrorState, PageBody, preloadSafeHtml, SafeHtml, Skeleton } from '@shop/shared/ui';
import { useRef } from 'react';
import { type ArticleId, articleKey, getArticle } from './article.api';
import { outlineOf } from './outline';

export function preloadArticle(id: ArticleId): null {
  preload(articleKey(id), () => getArticle(id));
  void preloadSafeHtml().catch(() => {});
  return null;
}

export function ArticleView({ id }: { id: ArticleId }) {
  const { t } = useTranslation('content');
  const { data: article, error, refresh } = usePageData(articleKey(id), () => getArticle(id));
  const body = useRef<HTMLDivElement>(null);

  if (!article && error) {
    if (isApiError(error, 404) || isApiError(error, 43404) || isApiError(error, 40001)) {
      return (
        <Empty
          art="search"
          title={t('article.missingTitle')}
          description={t('article.missingText')}
          action={<Button to="/home">{t('article.home')}</Button>}
        />
      );
    }
    return <ErrorState error={error} onRetry={() => void refresh()} />;
  }
  if (!article) return <ArticleSkeleton />;

  const headings = outlineOf(article.content);
  const goTo = (index: number) => {
    const heading = body.current?.querySelectorAll('h2')[index];
    if (!heading) return;
    // So that the next Tab goes on from here.
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: 'start' });
  };
  return (
    <PageBody className="content-article">
      <article className="content-article__text">
        <p className="content-article__date">
          {t('article.updated', { date: formatDate(article.updated_at, 'yyyy-MM-dd') })}
        </p>
        <div ref={body}>
          <SafeHtml html={article.content} />
        </div>
      </article>
      {headings.length > 1 && (
        <nav className="content-article__contents" aria-label={t('article.contents')}>
          <p className="content-article__contents-title" aria-hidden="true">
            {t('article.contents')}
          </p>
          <ol>
            {headings.map((heading, index) => (
              <li key={heading}>
                <button type="button" onClick={() => goTo(index)}>
                  {heading}
                </button>
              </li>
            ))}
          </ol>
        </nav>
      )}
    </PageBody>
  );
}

function ArticleSkeleton() {
  return (
    <PageBody className="content-article">
      <div className="content-article__text" aria-busy="true">
        <Skeleton width={140} height={18} />
        <Skeleton lines={6} />
        <Skeleton lines={6} />
        <Skeleton lines={6} />
      </div>
    </PageBody>
  );
}
