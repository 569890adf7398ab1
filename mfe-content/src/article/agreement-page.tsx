import { ArticleView, preloadArticle } from './article-view';

export const loader = () => preloadArticle('agreement');

export function Component() {
  return <ArticleView id="agreement" />;
}
