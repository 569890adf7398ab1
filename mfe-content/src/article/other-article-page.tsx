import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { ArticlePage, loadArticle } from './article-page';

export function loader({ params }: LoaderArguments): null {
  return loadArticle(params.id ?? '');
}

/** Articles by staff without a page of their own. */
export function Component() {
  const { id = '' } = useParams();
  return <ArticlePage key={id} id={id} />;
}
