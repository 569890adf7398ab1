import { ArticlePage, loadArticle } from './article-page';

export function loader(): null {
  return loadArticle('agreement');
}

export function Component() {
  return <ArticlePage id="agreement" />;
}
