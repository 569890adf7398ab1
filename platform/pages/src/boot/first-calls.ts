import type { DocumentFlags } from '@platform/releases/contract';
import type { BootSite } from '../site/site';
import type { RouteCall } from './document-attributes';

declare const bootSite: BootSite;

interface FirstCalls {
  token: string;
  language: string;
  currency: string;
  answers: Record<string, Promise<unknown>>;
}

/**
 * Starts the page's first calls while its code is still loading; the HTTP client reuses the responses
 * (shared/src/http/first-calls.ts). Every page needs the configuration and, with a token, the user.
 */
export function startFirstCalls(): void {
  try {
    const root = document.documentElement;
    const flags: DocumentFlags = root.dataset;
    const token = localStorage.getItem(bootSite.tokenKey) || '';
    const language = root.lang === 'en' ? 'en' : 'zh-CN';
    const currency = bootSite.currencies[language];
    const answers: FirstCalls['answers'] = {};
    let headers: Record<string, string> = { Locale: language, Currency: currency };
    const start = (url: string) => {
      const answer = fetch(url, { headers }).then((response) => response.json());
      answer.catch(() => {});
      answers[url] = answer;
      return answer;
    };

    const hasAnswers = flags.rendered && flags.redraw === undefined;
    (window as { firstCalls?: FirstCalls }).firstCalls = { token, language, currency, answers };
    if (hasAnswers && (!token || flags.user)) return;
    // The call is public, so it has no token and a cache can answer it.
    if (!hasAnswers) start(bootSite.calls.public);
    if (token) {
      headers = { Locale: language, Currency: currency, Authorization: token };
      start(bootSite.calls.user);
    }
    const segments = location.pathname.split('/');
    (JSON.parse(flags.calls || '[]') as RouteCall[]).forEach((call) => {
      if ((call.token && !token) || (call.plain && location.search)) return;
      const answer = start(
        call.url.replace(/:(\d+)/g, (_, index) => encodeURIComponent(decodeURIComponent(segments[index] || ''))),
      );
      const { picture } = call;
      if (picture) answer.then((response) => preloadPicture(response, picture)).catch(() => {});
    });
  } catch {
    // Storage is blocked; the client makes the calls itself.
  }
}

/** The largest picture is usually the largest contentful paint. `path` is its place in the response, such as 'data.0.image'. */
function preloadPicture(response: unknown, path: string): void {
  const url = path.split('.').reduce<unknown>((part, key) => part && (part as Record<string, unknown>)[key], response);
  if (typeof url !== 'string' || !url) return;
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'image';
  link.fetchPriority = 'high';
  link.href = url;
  document.head.appendChild(link);
}
