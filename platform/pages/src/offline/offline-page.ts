/** What a returning visitor sees while the site cannot be reached (docs/adr/0007-service-worker.md). */
import { browserCode } from '../browser/browser-code';
import { policyHash } from '../site/policy-hash';
import { SITE } from '../site/site';

const { offlineScript: script, offlineStyle: style } = browserCode;

/** Stands in the page itself too, so that it holds offline and on a static host. */
export const OFFLINE_POLICY = [
  `default-src 'none'`,
  `script-src ${policyHash(script)}`,
  `style-src ${policyHash(style)}`,
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
<style>${style}</style>
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
<script>${script}</script>
</body>
</html>
`;
