import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { ArticlePage, loadArticle } from './article-page';

export function loader({ params }: LoaderArguments): null {
  return loadArticle(params.id ?? '');
}

export function Component() {
  const { id = '' } = useParams();
  return <ArticlePage key={id} id={id} />;
}
