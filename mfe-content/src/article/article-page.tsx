import { getQuery } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { prefetch, useQuery } from '@shop/shared/query';
import { useLocation, usePageTitle } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { Button, Card, Cell, CellGroup, Empty, PageBody, preloadSafeHtml, SafeHtml, Waiting } from '@shop/shared/ui';
import { useTexts } from '../texts';
import './article.css';

const articleIds = ['agreement', 'guide', 'privacy'] as const;

const articleQuery = (id: string) => getQuery('/api/front/article/info', ['content', 'article', id], { id });

/** The agreements have routes of their own, so the last part of the address is the id. */
const idOf = (pathname: string) => pathname.split('/').filter(Boolean).at(-1) ?? '';

export function loader({ request }: LoaderArguments): void {
  prefetch(articleQuery(idOf(new URL(request.url).pathname)));
  preloadSafeHtml().catch(() => {});
}

export function Component() {
  const id = idOf(useLocation().pathname);
  return <ArticlePage key={id} id={id} />;
}

function ArticlePage({ id }: { id: string }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const query = useQuery(articleQuery(id));
  const { data: article } = query;
  usePageTitle(article?.title);

  if (!article)
    return (
      <PageBody>
        <Waiting query={query} heights={[640]} className="content-article" />
      </PageBody>
    );
  return (
    <PageBody>
      <div className="content-article ui-stack ui-gap-5">
        <Card as="article" padding="l" className="content-article__paper">
          <header className="content-article__head ui-stack ui-gap-1">
            <p className="content-article__title">{article.title}</p>
            <p className="ui-hint">
              <time dateTime={article.updated_at}>
                {t('article.updated', { date: formatDate(article.updated_at, 'day') })}
              </time>
            </p>
          </header>
          {article.content.trim() ? (
            <SafeHtml html={article.content} className="content-article__text" />
          ) : (
            <Empty art="search" title={t('article.empty')} description={t('article.emptyText')} />
          )}
        </Card>
        <ArticleFoot id={id} />
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
          <p className="ui-bold">{t('article.help')}</p>
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
            <Cell key={other} icon="shield" title={t(`article.${other}`)} to={linkTo('article', { id: other })} />
          ))}
      </CellGroup>
    </>
  );
}
