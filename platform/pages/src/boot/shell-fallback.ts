import type { DocumentFlags } from '@platform/releases/contract';
import type { PreviousShell } from './document-attributes';

/** How long a shell may take to start before the previous one is loaded as well. The first to start wins. */
const START_TIMEOUT_MS = 20_000;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

/**
 * Replaces a shell that does not start. A live shell (`data-shell`) whose script does not arrive, has another hash or throws
 * before it has started is replaced by the previous release (`data-before`) in the same document. A shell that throws while it
 * renders reloads with its version in sessionStorage `brokenShell` (platform/host/src/shell-start.ts). Without a previous
 * release, or when that one fails too, the document shows a message (`data-failed`). The failure is reported, with a visit. A
 * document of a development server has no `data-shell`, so that a failure shows there.
 */
export function watchShell(): void {
  const root = document.documentElement;
  const state: DocumentFlags = root.dataset;
  const version = state.shell;
  if (!version) return;
  const previous = JSON.parse(state.before || 'null') as PreviousShell | null;
  let failed = false;
  let styled = false;
  let reported = false;

  const hasStarted = () => {
    const child = document.getElementById('root')?.firstElementChild;
    const isRendered = !!child && !state.rendered && !child.classList.contains('boot');
    return state.started !== undefined || isRendered;
  };

  const report = () => {
    if (reported) return;
    reported = true;
    try {
      const visit = randomHex() + randomHex();
      const events = ['visit', 'load'].map((kind) => ({ kind, name: 'shell', version, page: './main', visit }));
      // The token that came with the document is in a cookie, which is sent with the report.
      const body = JSON.stringify({
        context: { language: root.lang, device: innerWidth < 960 ? 'phone' : 'desktop' },
        events,
      });
      navigator.sendBeacon('/api/health/report', new Blob([body], { type: 'application/json' }));
    } catch {
      // A report must not stop the fallback.
    }
  };

  const loadPreviousStyles = () => {
    if (!previous || styled) return;
    styled = true;
    previous.css.forEach((file) => {
      append('link', { rel: 'stylesheet', integrity: file[1], href: file[0] });
    });
  };

  const loadPrevious = () => {
    if (!previous) return;
    state.rescued = previous.version;
    loadPreviousStyles();
    const policy = scriptPolicy();
    // `async: false` keeps the order of the scripts.
    previous.js.forEach((file) => {
      append('script', { async: false, integrity: file[1], src: policy.createScriptURL(file[0]) });
    });
  };

  const fail = (failedVersion: string) => {
    if (hasStarted()) return;
    if (failedVersion !== version || !previous) state.failed = '';
    if (failedVersion !== version || failed) return;
    failed = true;
    report();
    whenParsed(loadPrevious);
  };

  const versionOf = (url: string) => {
    const isOf = (candidate: string) => url.indexOf(`/r/shell/${candidate}/`) >= 0;
    if (isOf(version)) return version;
    return previous && isOf(previous.version) ? previous.version : '';
  };

  window.addEventListener(
    'error',
    (event) => {
      const element = event.target as Window | HTMLScriptElement | HTMLLinkElement;
      if (element === window) {
        const thrownBy = versionOf(event.filename || '');
        if (thrownBy) fail(thrownBy);
        return;
      }
      const { tagName, src, href, rel } = element as HTMLScriptElement & HTMLLinkElement;
      const missing = versionOf(src || href || '');
      if (!missing) return;
      if (tagName === 'SCRIPT') fail(missing);
      else if (rel === 'stylesheet' && missing === version && !styled) {
        report();
        loadPreviousStyles();
      }
    },
    true,
  );

  try {
    if (previous && sessionStorage.getItem('brokenShell') === version) {
      failed = true;
      state.broken = version;
      whenParsed(loadPrevious);
    }
  } catch {
    // Storage is blocked.
  }
  setTimeout(() => fail(version), START_TIMEOUT_MS);
}

const randomHex = () => `0000000${Math.floor(Math.random() * 2 ** 32).toString(16)}`.slice(-8);

/** Admits only scripts of a release of the shell. */
function scriptPolicy(): ScriptPolicy {
  const rules = {
    createScriptURL(url: string) {
      if (!/^\/r\/shell\/[\w.-]+\/[\w-][\w./-]*\.js$/.test(url) || url.indexOf('..') >= 0) throw new TypeError(url);
      return url;
    },
  };
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
  };
  return trustedTypes ? trustedTypes.createPolicy('releases', rules) : rules;
}

function append<K extends 'link' | 'script'>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>): void {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.crossOrigin = 'anonymous';
  document.head.appendChild(element);
}

function whenParsed(callback: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('readystatechange', callback, { once: true });
  else callback();
}
