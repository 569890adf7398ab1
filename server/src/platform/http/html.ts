import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

const style = `
:root{color-scheme:light dark;--ink:#16132b;--soft:#504c68;--paper:#f5f4fa;--card:#fff;--line:#e7e5f0;--brand:#5a3df0;--on-brand:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#f4f2fc;--soft:#bdb8d4;--paper:#0e0c17;--card:#191726;--line:#2a273d;--brand:#a996ff;--on-brand:#150c3d}}
*{box-sizing:border-box}
body{margin:0;padding:max(24px,env(safe-area-inset-top)) 16px 32px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:420px;margin:0 auto}
h1{font-size:20px;margin:0 0 12px}
p{color:var(--soft);margin:0 0 16px}
.card{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:24px 20px;margin-bottom:16px}
.amount{font-size:40px;line-height:1.1;font-weight:700;color:var(--ink);font-variant-numeric:tabular-nums;margin:4px 0 16px}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;margin:0}
dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere}
button,a.button{display:block;width:100%;min-height:48px;border-radius:24px;border:1px solid transparent;font:inherit;font-weight:600;cursor:pointer;margin-top:12px;text-align:center;text-decoration:none;padding:11px 16px}
.primary{background:var(--brand);color:var(--on-brand)}
.shop{display:flex;align-items:center;gap:8px;font-weight:700;color:var(--ink)}
.plain{background:transparent;border-color:var(--line);color:var(--ink)}
button:focus-visible,a:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
pre{overflow-x:auto;margin:0 0 12px;font:13px/1.5 ui-monospace,monospace}
a{color:var(--brand)}
`;
const styleHash = createHash('sha256').update(style).digest('base64');
const policyWith = (script: string | undefined) =>
  `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; ${
    script ? `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; ` : ''
  }form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

interface HtmlPage {
  lang: string;
  title: string;
  /** Markup; the caller escapes texts. */
  body: string;
  /** A constant of the source; the policy allows its hash. */
  script?: string;
  /** Reloads after this many seconds. */
  refresh?: number;
}

/** A small page of the server; its policy allows this style and script by their hashes. */
export function htmlPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { lang, title, body, script, refresh } = page;
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyWith(script),
      ...(refresh ? { refresh: String(refresh) } : {}),
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    })
    .send(
      `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
        `<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content"><link rel="icon" href="/icon.svg">` +
        `<style>${style}</style></head><body><main>${body}</main>${script ? `<script data-cfasync="false">${script}</script>` : ''}</body></html>`,
    );
}
