import { ArticlePage, loadArticle } from './article-page';

export function loader(): null {
  return loadArticle('guide');
}

export function Component() {
  return <ArticlePage id="guide" />;
}
