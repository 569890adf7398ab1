import { classNames } from './class-names';
import type { SafeHtmlProps } from './safe-html';

export function preloadSafeHtml(): Promise<void> {
  return Promise.resolve();
}

/** The API has sanitised its HTML (server/src/content/sanitise.ts). Ids get the browser's prefix. */
export function SafeHtml({ html, className }: SafeHtmlProps) {
  const prefixed = html.replace(/(<[^>]*?\sid=")/g, '$1user-content-');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the browser does not run scripts of a document that its policy does not name
  return <div className={classNames('ui-html', className)} dangerouslySetInnerHTML={{ __html: prefixed }} />;
}
