import { ArticleView, preloadArticle } from './article-view';

export const loader = () => preloadArticle('privacy');

export function Component() {
  return <ArticleView id="privacy" />;
}
