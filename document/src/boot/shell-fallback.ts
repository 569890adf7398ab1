import type { FallbackRelease } from '@shop/release';

/** `data-before` of the document: the shell that stands in when the live one does not start. Addresses with their hashes. */
export function previousShellAttribute({ version, base, initial, integrity }: FallbackRelease): string {
  const files = (names: string[]) => names.map((file) => [base + file, integrity[file] ?? '']);
  return JSON.stringify({ version, js: files(initial.js), css: files(initial.css) });
}

/** How long a shell may take to start before the one before it is asked for as well, in milliseconds; whichever comes first starts. */
const PATIENCE_MS = 20_000;

/**
 * The last known good shell, part of the head script. A shell whose script does not arrive, is not what its hash says, or throws
 * before it has started, gives way to the release before it in the same document; a shell that throws when it draws reloads,
 * with itself named in `brokenShell` for this tab (shell/src/app/shell-failure.tsx). With no release before it, or when that one
 * fails too, the document says so in words (`data-failed`). Either way the release is reported, with a visit of its own.
 *
 * `data-shell` is absent where a development server answers: there a failure is to be seen.
 */
export const SHELL_FALLBACK = `(function(w,d,a){
var s=d.dataset,v=s.shell,o=JSON.parse(s.before||'null'),seen,dressed,told;if(!v)return;
var at=function(x){return'/r/shell/'+x+'/'},ok=function(x){if(!/^\\/r\\/shell\\/[\\w.-]+\\/[\\w-][\\w./-]*\\.js$/.test(x)||x.indexOf('..')>=0)throw new TypeError(x);return x},p=w.trustedTypes?w.trustedTypes.createPolicy('shop-loader',{createScriptURL:ok}):{createScriptURL:ok};
var started=function(){var r=a.getElementById('root'),c=r&&r.firstElementChild;return s.started!==undefined||!!c&&!c.classList.contains('boot')};
var tell=function(r){if(told)return;told=1;try{var e={name:'shell',version:v,page:'./main'};navigator.sendBeacon('/api/health/report',new Blob([JSON.stringify({events:[Object.assign({kind:'visit'},e),Object.assign({kind:'load',recovered:r},e)]})],{type:'application/json'}))}catch(e){}};
var add=function(t,f){var e=a.createElement(t),i;for(i in f)e[i]=f[i];e.crossOrigin='anonymous';a.head.appendChild(e)};
var dress=function(){if(o&&!dressed){dressed=1;o.css.forEach(function(f){add('link',{rel:'stylesheet',integrity:f[1],href:f[0]})})}};
var rescue=function(){s.rescued=o.version;dress();o.js.forEach(function(f){add('script',{async:false,integrity:f[1],src:p.createScriptURL(f[0])})})};
var parsed=function(f){if(a.readyState==='loading')a.addEventListener('readystatechange',f,{once:true});else f()};
var fail=function(x){if(started())return;if(x!==v||!o)s.failed='';if(x!==v||seen)return;seen=1;tell(!!o);if(o)parsed(rescue)};
w.addEventListener('error',function(e){var t=e.target,u=t===w?e.filename||'':t.src||t.href||'',x=u.indexOf(at(v))>=0?v:o&&u.indexOf(at(o.version))>=0?o.version:'';if(!x)return;if(t===w||t.tagName==='SCRIPT')fail(x);else if(t.rel==='stylesheet'&&x===v&&!dressed){tell(!!o);dress()}},true);
try{if(o&&sessionStorage.getItem('brokenShell')===v){seen=1;s.broken=v;parsed(rescue)}}catch(e){}
setTimeout(function(){fail(v)},${PATIENCE_MS});
})(window,document.documentElement,document);`;
