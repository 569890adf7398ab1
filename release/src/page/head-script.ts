import { createHash } from 'node:crypto';

/**
 * Runs before the first paint, so that theme and language do not flash. In a preview's tab a reload stays in the preview. And it starts the
 * calls that every page makes, config and (with a token) the user, so that they are under way while the code arrives; the
 * client adopts them (shared/src/http/first-calls.ts).
 */
export const HEAD_SCRIPT = `(function(d,l){try{var s=localStorage,t=s.getItem('theme'),g=s.getItem('language');if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.dataset.theme=t;if(g==='en'||g==='zh-CN')d.lang=g}catch(e){d.dataset.theme='light'}try{var a=localStorage.getItem('token'),n=d.lang==='en'?'en':'zh-CN',h={Locale:n,Currency:n==='en'?'USD':'CNY'},f=function(u){return fetch(u,{headers:h}).then(function(x){return x.json()})},c={};c['/api/front/app/config']=f('/api/front/app/config');if(a){h={Locale:n,Currency:h.Currency,Authorization:a};c['/api/front/user/info']=f('/api/front/user/info')}for(var i in c)c[i].catch(function(){});window.firstCalls={token:a||'',language:n,answers:c}}catch(e){}try{var k=sessionStorage,q=new URLSearchParams(l.search),r=q.get('release');if(r==='live')k.removeItem('release');else if(r)k.setItem('release',r);else if((r=k.getItem('release'))&&!d.dataset.preview){q.set('release',r);l.replace(l.pathname+'?'+q+l.hash)}}catch(e){}})(document.documentElement,location)`;

/**
 * Styles of the skeleton that stands until the shell draws. Colours and heights are those of shared/src/ui/tokens.css and
 * shell/src/styles/shell.css, so that nothing moves when the shell takes over.
 */
export const HEAD_STYLE = `html{background:#f5f4fa;color:#16132b;--boot-card:#fff;--boot-line:#e7e5f0}html[data-theme=dark]{background:#0e0c17;color:#f4f2fc;--boot-card:#191726;--boot-line:#2a273d;color-scheme:dark}body{margin:0;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}html:not([lang=en]) .boot [lang=en],html[lang=en] .boot [lang=zh-CN]{display:none}.boot{min-height:100vh;min-height:100dvh}.boot-top{position:fixed;inset:0 0 auto;height:52px;display:flex;align-items:center;justify-content:center;background:var(--boot-card);box-shadow:0 1px 0 var(--boot-line);font-weight:600;font-size:17px}.boot-top--clear{background:0 0;box-shadow:none}.boot-main{padding:68px 16px 74px;max-width:1168px;margin:0 auto}.boot-block{height:120px;margin-bottom:16px;border-radius:12px;background:var(--boot-card)}.boot-block--tall{height:160px}.boot-block--line{height:16px;width:60%}.boot-tabs{position:fixed;inset:auto 0 0;height:58px;display:flex;background:var(--boot-card);box-shadow:0 -1px 0 var(--boot-line);font-size:12px}.boot-tabs span{flex:1;display:flex;align-items:flex-end;justify-content:center;padding-bottom:8px}.boot-noscript{position:fixed;inset:52px 16px auto;padding:16px;border-radius:12px;background:var(--boot-card);text-align:center}@media(min-width:960px){.boot-tabs{display:none}}.preview-badge{position:fixed;z-index:4000;inset:auto auto 72px 12px;display:flex;gap:12px;align-items:center;padding:8px 12px;border-radius:999px;background:#16132b;color:#fff;font-size:13px;box-shadow:0 0 0 2px #fff}.preview-badge a{color:#cdc3ff;min-height:24px}`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
export const HEAD_SCRIPT_HASH = hash(HEAD_SCRIPT);
export const HEAD_STYLE_HASH = hash(HEAD_STYLE);
