/** A document that came with its page rendered (platform/pages/src/compose/page-elements.ts). */
import type { DocumentFlags } from '@platform/releases/contract';
import type { UserInfo } from '@shop/server/wire';
import type { Language } from '@shop/shared/domain';
import { orderOfPaySuccess } from '../guard/guard';

export interface RenderedDocument {
  /** The path that the server has drawn. */
  path: string;
  language: Language;
  theme: 'light' | 'dark';
  /** The user of this browser's session, for whom it was drawn; undefined where everybody gets it. */
  user?: UserInfo;
  /** The answers to the first calls of a guest or of this user, by address. */
  answers: Record<string, unknown>;
}

const userInfoCall = '/api/front/user/info';

/** Undefined where the page is to be drawn anew: the document holds none, or another than this visitor and shell would draw. */
export function readRendered(shellVersion: string): RenderedDocument | undefined {
  const { rendered, redraw, rescued }: DocumentFlags = document.documentElement.dataset;
  const text = document.getElementById('page-data')?.textContent;
  if (!rendered || !text || redraw !== undefined || rescued !== undefined) return undefined;
  const [version, language, theme, path = ''] = rendered.split(' ');
  // State of the history entry, such as an earlier order's fields, changes what a page shows first.
  const isPlain = !orderOfPaySuccess(window.location.hash) && !window.history.state?.usr;
  if (!isPlain || version !== shellVersion) return undefined;
  return {
    path,
    language: language === 'en' ? 'en' : 'zh-CN',
    theme: theme === 'dark' ? 'dark' : 'light',
    ...takeUser(JSON.parse(text)),
  };
}

/** The session begins with the answer; a later call must not be given it. */
export function takeUser({ [userInfoCall]: envelope, ...answers }: Record<string, unknown>): {
  user?: UserInfo;
  answers: Record<string, unknown>;
} {
  return { user: (envelope as { data?: UserInfo } | undefined)?.data, answers };
}
