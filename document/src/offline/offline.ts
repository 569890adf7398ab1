/**
 * What a returning visitor sees with no way to the shop (docs/adr/0007-service-worker.md): a page that says so, and the service
 * worker that keeps that one page and nothing else.
 */
import { createHash } from 'node:crypto';
import { SITE } from '../site';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** Language and theme as the shop keeps them; comes back by itself as soon as the shop answers again. */
const SCRIPT = `(function(d){try{var s=localStorage,t=s.getItem('theme'),g=s.getItem('language');if(t==='dark'||t==='light')d.dataset.theme=t;if(g==='en')d.lang=g}catch(e){}document.title=d.lang==='en'?'Offline - ${SITE.name.en}':'离线 - ${SITE.name['zh-CN']}';var busy=false,look=function(asked){if(busy)return;busy=true;if(asked)d.dataset.busy='';fetch('/manifest.webmanifest',{method:'HEAD',cache:'no-store'}).then(function(r){if(r.ok)location.pathname==='/offline.html'?location.replace('/home'):location.reload()},function(){}).then(function(){busy=false;delete d.dataset.busy;if(asked)d.dataset.tried=''})};addEventListener('online',function(){look()});setInterval(function(){if(document.visibilityState==='visible')look()},5000);document.querySelector('button').addEventListener('click',function(){look(true)})})(document.documentElement)`;

const STYLE = `:root{--bg:#f5f4fa;--card:#fff;--ink:#16132b;--soft:#56516e;--line:#e7e5f0;--accent:#5a3df0;--on:#fff;color-scheme:light}@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#0e0c17;--card:#191726;--ink:#f4f2fc;--soft:#b3aecb;--line:#2a273d;--accent:#cdc3ff;--on:#16132b;color-scheme:dark}}:root[data-theme=dark]{--bg:#0e0c17;--card:#191726;--ink:#f4f2fc;--soft:#b3aecb;--line:#2a273d;--accent:#cdc3ff;--on:#16132b;color-scheme:dark}html:not([lang=en]) [lang=en],html[lang=en] [lang=zh-CN]{display:none}*{box-sizing:border-box}body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--bg);color:var(--ink);font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}header{display:flex;align-items:center;gap:8px;padding:12px 16px;font-weight:700;font-size:17px}header svg{width:28px;height:28px}main{flex:1;display:grid;place-items:center;padding:16px}section{width:100%;max-width:420px;padding:32px 24px;border:1px solid var(--line);border-radius:20px;background:var(--card);text-align:center}.art{width:120px;height:96px;color:var(--accent)}h1{margin:16px 0 8px;font-size:20px;line-height:1.3}p{margin:0 0 8px;color:var(--soft)}button{min-height:48px;margin-top:16px;padding:0 32px;border:0;border-radius:999px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}button:active{transform:scale(.97)}:focus-visible{outline:3px solid var(--accent);outline-offset:3px}html[data-busy] button{opacity:.7}[role=status]{min-height:24px;margin-top:12px;font-size:13px}html:not([data-tried]) [role=status] span{visibility:hidden}html[data-busy] [role=status] span{visibility:hidden}@media(prefers-reduced-motion:reduce){button:active{transform:none}}`;

/** Stands in the page itself as well, so that it holds offline and from a static host. */
export const OFFLINE_POLICY = [
  `default-src 'none'`,
  `script-src 'sha256-${hashOf(SCRIPT)}'`,
  `style-src 'sha256-${hashOf(STYLE)}'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ');

const both = (zh: string, en: string) => `<span lang="zh-CN">${zh}</span><span lang="en">${en}</span>`;

export const OFFLINE_HTML = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${OFFLINE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>离线 - ${SITE.name['zh-CN']}</title>
<style>${STYLE}</style>
</head>
<body>
<header><svg viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="16" fill="#5a3df0"/><path fill="#fff" d="m32 11 6.3 13.2 14.5 1.9-10.6 10 2.7 14.4L32 43.5l-12.9 7 2.7-14.4-10.6-10 14.5-1.9z"/></svg>${both(SITE.name['zh-CN'], SITE.name.en)}</header>
<main><section>
<svg class="art" viewBox="0 0 120 96" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M14 38c26-24 66-24 92 0M30 56c17-15 43-15 60 0M45 73c9-8 21-8 30 0" opacity=".35"/><circle cx="60" cy="86" r="4" fill="currentColor"/><path d="m22 12 76 76"/></svg>
<h1>${both('现在连不上网络', 'You are offline')}</h1>
<p>${both(`打不开${SITE.name['zh-CN']}，请检查网络连接。`, `${SITE.name.en} cannot be reached. Please check your connection.`)}</p>
<p>${both('离线时不会下单，也不会扣款；联网后会自动回到刚才的页面。', 'Nothing is ordered or paid while you are offline. This page returns by itself once you are back.')}</p>
<button type="button">${both('重试', 'Try again')}</button>
<p role="status">${both('<span>还是连不上，请稍后再试。</span>', '<span>Still no connection. Please try again in a moment.</span>')}</p>
</section></main>
<script>${SCRIPT}</script>
</body>
</html>
`;

const CACHE_PREFIX = 'shop-offline-';
const CACHE = CACHE_PREFIX + createHash('sha256').update(OFFLINE_HTML).digest('hex').slice(0, 10);

/**
 * Network first and for documents only: no page, no call and no payment is ever kept or sent later, so a promote or a rollback reaches
 * a returning visitor exactly as it would without this. It takes over from the next document on (no clients.claim(), which
 * would throw pages out of the back/forward cache).
 */
const WORKER = `'use strict';
const cacheName = '${CACHE}';
const offline = '/offline.html';
const shopPage = /^\\/(?!(?:api|ops|cashier|uploads|media|dev|r|releases)(?:\\/|$))[^.]*$/;
addEventListener('install', (event) => {
  skipWaiting();
  // Everything but documents goes past this worker without waking it, where the browser can do that.
  if (event.addRoutes) {
    for (const pathname of ['/api/*', '/r/*', '/media/*', '/releases/*', '/uploads/*'])
      event.addRoutes({ condition: { urlPattern: new URLPattern({ pathname }) }, source: 'network' }).catch(() => {});
  }
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(new Request(offline, { cache: 'reload' }))));
});
addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([
    registration.navigationPreload?.enable(),
    caches.keys().then((names) => Promise.all(
      names.filter((name) => name.startsWith('${CACHE_PREFIX}') && name !== cacheName).map((name) => caches.delete(name)),
    )),
  ]));
});
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate' || request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !shopPage.test(pathname)) return;
  event.respondWith((async () => {
    try {
      return (await event.preloadResponse) || (await fetch(request));
    } catch (error) {
      const page = await caches.match(offline, { cacheName });
      if (page) return page;
      throw error;
    }
  })());
});
`;

/** The way out (SERVICE_WORKER=off): takes itself and what it kept off every device that asks for it once more. */
const WORKER_OFF = `'use strict';
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name.startsWith('${CACHE_PREFIX}')).map((name) => caches.delete(name))))
    .then(() => registration.unregister()));
});
`;

/** Served as /sw.js. `SERVICE_WORKER=off` in the environment of the server, or of the command that exports the site, is the way out. */
export const serviceWorker = (env: NodeJS.ProcessEnv = process.env): string =>
  env.SERVICE_WORKER === 'off' ? WORKER_OFF : WORKER;
