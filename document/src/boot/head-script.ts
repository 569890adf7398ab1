import { createHash } from 'node:crypto';
import type { RouteContract } from '@shop/release';
import { SHELL_FALLBACK } from './shell-fallback';

/**
 * Runs before the first paint, in this order:
 *
 * 1. theme and language on the document, so that neither flashes;
 * 2. the first calls, so that they are under way while the code arrives and the client adopts them
 *    (shared/src/http/first-calls.ts): config and, with a token, the user, which every page asks for; and those of the route
 *    (`data-calls`, by `callsAttribute`), whose picture, the largest paint as a rule, is fetched as soon as its address is known;
 * 3. in a preview's tab a reload stays in the preview;
 * 4. what stands in for a shell that does not start (shell-fallback.ts).
 */
export const HEAD_SCRIPT = `(function(d,l){
try{var s=localStorage,t=s.getItem('theme'),g=s.getItem('language');if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.dataset.theme=t;if(g==='en'||g==='zh-CN')d.lang=g}catch(e){d.dataset.theme='light'}
try{var a=localStorage.getItem('token')||'',n=d.lang==='en'?'en':'zh-CN',h={Locale:n,Currency:n==='en'?'USD':'CNY'},c={},f=function(u){c[u]=fetch(u,{headers:h}).then(function(x){return x.json()});c[u].catch(function(){});return c[u]},p=l.pathname.split('/');f('/api/front/app/config');if(a){h={Locale:n,Currency:h.Currency,Authorization:a};f('/api/front/user/info')}window.firstCalls={token:a,language:n,currency:h.Currency,answers:c};
JSON.parse(d.dataset.calls||'[]').forEach(function(k){if(k.token&&!a||k.plain&&l.search)return;var q=f(k.url.replace(/:(\\d+)/g,function(m,i){return encodeURIComponent(decodeURIComponent(p[i]||''))}));if(k.picture)q.then(function(v){k.picture.split('.').forEach(function(y){v=v&&v[y]});if(typeof v==='string'&&v){var e=document.createElement('link');e.rel='preload';e.as='image';e.fetchPriority='high';e.href=v;document.head.appendChild(e)}}).catch(function(){})})}catch(e){}
try{var k=sessionStorage,q=new URLSearchParams(l.search),r=q.get('release');if(r==='live')k.removeItem('release');else if(r)k.setItem('release',r);else if((r=k.getItem('release'))&&!d.dataset.preview){q.set('release',r);l.replace(l.pathname+'?'+q+l.hash)}}catch(e){}
})(document.documentElement,location);
${SHELL_FALLBACK}`;

/**
 * A route's first calls as the head script reads them: a parameter becomes the place of its segment in the path, so that the document
 * does not depend on the address's own text.
 */
export function callsAttribute(route: Pick<RouteContract, 'path' | 'flags' | 'firstCalls'>): string {
  const segments = route.path.split('/');
  const calls = (route.firstCalls ?? []).map(({ url, ...call }) => ({
    ...call,
    url: url.replace(/:([A-Za-z_]\w*)/g, (_, name: string) => `:${segments.indexOf(`:${name}`)}`),
    ...(route.flags?.requiresLogin && { token: true }),
  }));
  return calls.length > 0 ? JSON.stringify(calls) : '';
}

/**
 * Styles of the skeleton that stands until the shell draws. Colours and heights are those of shared/src/ui/tokens.css and
 * shell/src/styles/shell.css, so that nothing moves when the shell takes over.
 */
export const HEAD_STYLE = `html{background:#f5f4fa;color:#16132b;--boot-card:#fff;--boot-line:#e7e5f0}html[data-theme=dark]{background:#0e0c17;color:#f4f2fc;--boot-card:#191726;--boot-line:#2a273d;color-scheme:dark}body{margin:0;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}html:not([lang=en]) .boot [lang=en],html[lang=en] .boot [lang=zh-CN]{display:none}.boot{min-height:100vh;min-height:100dvh}.boot-top{position:fixed;inset:0 0 auto;height:52px;display:flex;align-items:center;justify-content:center;background:var(--boot-card);box-shadow:0 1px 0 var(--boot-line);font-weight:600;font-size:17px}.boot-top--clear{background:0 0;box-shadow:none}.boot-main{padding:68px 16px 74px;max-width:1168px;margin:0 auto}.boot-block{height:120px;margin-bottom:16px;border-radius:12px;background:var(--boot-card)}.boot-block--tall{height:160px}.boot-block--line{height:16px;width:60%}.boot-tabs{position:fixed;inset:auto 0 0;height:58px;display:flex;background:var(--boot-card);box-shadow:0 -1px 0 var(--boot-line);font-size:12px}.boot-tabs span{flex:1;display:flex;align-items:flex-end;justify-content:center;padding-bottom:8px}.boot-noscript{position:fixed;inset:52px 16px auto;padding:16px;border-radius:12px;background:var(--boot-card);text-align:center}.boot-failed{display:none;position:fixed;z-index:4000;inset:30vh 16px auto;max-width:480px;margin:auto;padding:24px;border-radius:12px;background:var(--boot-card);box-shadow:0 0 0 1px var(--boot-line);text-align:center}html[data-failed] .boot-failed{display:block}.boot-failed p{margin:0 0 16px}.boot-failed a{display:inline-block;min-width:120px;padding:10px 24px;border-radius:999px;background:#5a3df0;color:#fff;line-height:24px;text-decoration:none}html:not([lang=en]) .boot-failed [lang=en],html[lang=en] .boot-failed [lang=zh-CN]{display:none}@media(min-width:960px){.boot-tabs{display:none}}.preview-badge{position:fixed;z-index:4000;inset:auto auto 72px 12px;display:flex;gap:12px;align-items:center;padding:8px 12px;border-radius:999px;background:#16132b;color:#fff;font-size:13px;box-shadow:0 0 0 2px #fff}.preview-badge a{color:#cdc3ff;min-height:24px}`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
export const HEAD_SCRIPT_HASH = hash(HEAD_SCRIPT);
export const HEAD_STYLE_HASH = hash(HEAD_STYLE);
