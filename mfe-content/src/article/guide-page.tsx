import { ArticleView, preloadArticle } from './article-view';

export const loader = () => preloadArticle('guide');

export function Component() {
  return <ArticleView id="guide" />;
}
