/** A document with a rendered page (platform/pages/src/compose/page-elements.ts). */
import type { DocumentFlags } from '@platform/releases/contract';
import type { UserInfo } from '@shop/server/wire';
import type { Language } from '@shop/shared/domain';
import { orderOfPaySuccess } from '../guard/guard';

export interface RenderedDocument {
  path: string;
  language: Language;
  theme: 'light' | 'dark';
  /** The user for whom the page was rendered; undefined in a public document. */
  user?: UserInfo;
  answers: Record<string, unknown>;
}

const userInfoCall = '/api/front/user/info';

/** Undefined if the page must be rendered again: the document holds none, or another than this visitor and shell would render. */
export function readRendered(shellVersion: string): RenderedDocument | undefined {
  const { rendered, redraw, rescued }: DocumentFlags = document.documentElement.dataset;
  const text = document.getElementById('page-data')?.textContent;
  if (!rendered || !text || redraw !== undefined || rescued !== undefined) return undefined;
  const [version, language, theme, path = ''] = rendered.split(' ');
  // State of the history entry, such as an earlier order's fields, changes the first render.
  const isPlain = !orderOfPaySuccess(window.location.hash) && !window.history.state?.usr;
  if (!isPlain || version !== shellVersion) return undefined;
  return {
    path,
    language: language === 'en' ? 'en' : 'zh-CN',
    theme: theme === 'dark' ? 'dark' : 'light',
    ...takeUser(JSON.parse(text)),
  };
}

/** The session begins with this answer; a later call must get a new one. */
export function takeUser({ [userInfoCall]: envelope, ...answers }: Record<string, unknown>): {
  user?: UserInfo;
  answers: Record<string, unknown>;
} {
  return { user: (envelope as { data?: UserInfo } | undefined)?.data, answers };
}
