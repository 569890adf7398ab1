import { ArticlePage, loadArticle } from './article-page';

export function loader(): null {
  return loadArticle('privacy');
}

export function Component() {
  return <ArticlePage id="privacy" />;
}
