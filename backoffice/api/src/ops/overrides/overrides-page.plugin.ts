/** /overrides: where a browser shows a release key, or that it is signed in at /ops, and gets the panel. Needs no database. */
import { isSecureCookie } from '@platform/pages/cookies';
import { type FindOverrideRight, preferencesOf } from '@platform/pages/serving';
import { type MapSource, settingsOf } from '@platform/releases';
import { minuteLimit } from '@shop/server/health/health.plugin';
import { escapeHtml, htmlPage } from '@shop/server/platform/http/html';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireSecure } from '../api/callers';
import { NO_STORE_HEADERS, type OpsAudit, Strangers } from '../ops-audit';
import type { OverrideRights } from './override-rights';

interface PageOptions {
  rights: OverrideRights;
  source: MapSource;
  audit: OpsAudit;
  now?: () => number;
}

const ATTEMPTS_A_MINUTE = 10;
const LARGEST_FORM = 1024;
/** Where the panel opens by itself. */
const OPENED = '/#overrides';
/** Leaves what the tab shows instead of the live releases. */
const LEFT = '/?release=live';

const texts = {
  'zh-CN': {
    title: '在此标签页查看版本',
    text: '用于查看尚未上线的版本，只影响你打开的标签页，其他访客不受影响。',
    key: '发布密钥',
    open: '打开面板',
    signedIn: '已登录为 {by}。',
    on: '面板已为 {by} 开启。',
    to: '打开面板',
    off: '关闭面板',
    refused: '密钥无效：不存在、已吊销、已过期，或不能用于此频道。',
    often: '尝试过于频繁，请一分钟后再试。',
    elsewhere: '只能在本页提交。',
    insecure: '请使用 https 打开本页。',
  },
  en: {
    title: 'Releases in this tab',
    text: 'Shows releases that are not live, in tabs that you open. Other visitors are not affected.',
    key: 'Release key',
    open: 'Open the panel',
    signedIn: 'You are signed in as {by}.',
    on: 'The panel is on for {by}.',
    to: 'Open the panel',
    off: 'Turn the panel off',
    refused: 'This key is not valid: it is unknown, revoked, expired, or not for this channel.',
    often: 'Too many attempts. Try again in a minute.',
    elsewhere: 'This can be sent from this page only.',
    insecure: 'Open this page by https.',
  },
};
type Fault = 'refused' | 'often' | 'elsewhere' | 'insecure';

export function overridesPage({ rights, source, audit, now }: PageOptions): FastifyPluginAsync {
  const allowed = minuteLimit(ATTEMPTS_A_MINUTE, now);
  const strangers = new Strangers(audit, now);
  return async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_FORM },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    const isOff = async () => settingsOf(await source.get()).overrides === 'off';

    app.get('/overrides', async (request, reply) => {
      if (await isOff()) return reply.callNotFound();
      return show(request, reply, rights.of);
    });

    app.post<{ Body?: { key?: string; act?: string } }>('/overrides', async (request, reply) => {
      if (await isOff()) return reply.callNotFound();
      const refuse = (status: number, fault: Fault) => show(request, reply.code(status), rights.of, fault);
      // Another site could send its own key, and give somebody a panel that they have not asked for.
      if (!isFromThisPage(request)) return refuse(403, 'elsewhere');
      const leave = (to: string, cookie: string) =>
        reply.headers({ ...NO_STORE_HEADERS, 'set-cookie': cookie }).redirect(to, 303);
      const { key, act } = request.body ?? {};
      if (act === 'off') return leave(LEFT, rights.endedCookie);
      const isSecure = isSecureCookie(request);
      if (key === undefined) {
        const right = await rights.of(request.headers.cookie);
        // Who is signed in at /ops; who has shown a key has the panel already.
        return right && !right.panel ? leave(OPENED, rights.cookie(undefined, isSecure)) : refuse(403, 'refused');
      }
      if (!allowed(request.ip)) return refuse(429, 'often');
      try {
        requireSecure(request);
      } catch {
        return refuse(403, 'insecure');
      }
      const identity = await rights.show(key.trim());
      if (!identity) {
        strangers.refuse(request, { action: 'release.key.refuse', detail: { at: '/overrides' } });
        return refuse(403, 'refused');
      }
      audit(request, 'release.overrides', identity);
      return leave(OPENED, rights.cookie(identity.id, isSecure));
    });
  };
}

/** Old browsers do not say from which site a request comes, but name its origin. */
function isFromThisPage({ headers, hostname }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return URL.parse(origin ?? '')?.hostname === hostname;
}

async function show(request: FastifyRequest, reply: FastifyReply, rightOf: FindOverrideRight, fault?: Fault) {
  const { language } = preferencesOf(request);
  const text = texts[language];
  const right = await rightOf(request.headers.cookie);
  const button = (label: string, rest = '') => `<button${rest}>${label}</button>`;
  const form = (content: string) => `<form method="post" action="/overrides">${content}</form>`;
  const by = (sentence: string) => `<p>${sentence.replace('{by}', escapeHtml(right?.by ?? ''))}</p>`;
  const keyField = `<label>${text.key}<input name="key" type="password" autocomplete="off" required></label>`;
  const isOn = `${by(text.on)}<a class="button primary" href="${OPENED}">${text.to}</a>${form(button(text.off, ' class="plain" name="act" value="off"'))}`;
  const bySession = by(text.signedIn) + form(button(text.open, ' class="primary"'));
  const byKey = form(keyField + button(text.open, ' class="primary"'));
  const alert = fault ? `<p role="alert">${text[fault]}</p>` : '';
  const body = `<div class="card"><h1>${text.title}</h1><p>${text.text}</p>${alert}${right?.panel ? isOn : right ? bySession : byKey}</div>`;
  return htmlPage(reply.headers(NO_STORE_HEADERS), { lang: language, title: text.title, body, narrow: true });
}
