import { createHash } from 'node:crypto';
import path from 'node:path';
import { browserPage, hasBrowserPage } from '@platform/build/browser-script';
import { prepareResponse, sendPrepared } from '@platform/pages/serving';
import { SITE } from '@shop/shared/site';
import type { FastifyPluginAsync } from 'fastify';

/** It is absent from the sparse checkout of a squad. */
const folder = path.join(__dirname, '../../console/src');
const entry = path.join(folder, 'main.tsx');

const headersWith = (pictureOrigins: readonly string[]) => ({
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${["'self'", ...pictureOrigins].join(' ')}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
});
const IMMUTABLE = 'public, max-age=31536000, immutable, no-transform';

const documentOf = (script: string, styles: string) => `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Staff</title>
<link rel="icon" href="/staff/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/staff/${styles}">
<script data-cfasync="false" type="module" fetchpriority="high" src="/staff/${script}"></script>
</head>
<body><div id="root"></div></body>
</html>
`;

const nameOf = (name: string, text: string) =>
  name.replace('.', `-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.`);

/** The links of the kit need no router here. */
export const consolePage = () =>
  browserPage(entry, { replacements: { 'react-router-dom': path.join(folder, 'plain-link.tsx') } });

export const staffPage: FastifyPluginAsync<{ pictureOrigins?: readonly string[] }> = async (app, options) => {
  if (!hasBrowserPage(entry)) return;
  const headers = headersWith(options.pictureOrigins ?? []);
  const { script, styles, chunks } = consolePage();
  const files = { ...chunks };
  const add = (name: string, text: string) => {
    const file = nameOf(name, text);
    files[file] = text;
    return file;
  };
  const document = documentOf(add('staff.js', script), add('staff.css', styles));
  const serve = (url: string, text: string, type: string, cacheControl: string) => {
    const ofFile = { ...headers, 'content-type': `${type}; charset=utf-8`, 'cache-control': cacheControl };
    const response = prepareResponse(text, 200, ofFile);
    app.get(url, (request, reply) => sendPrepared(request, reply, response));
  };
  app.get('/', (_request, reply) => reply.redirect('/staff'));
  for (const url of ['/staff', '/ops', '/staff/setup']) serve(url, document, 'text/html', 'no-cache, no-transform');
  serve('/staff/icon.svg', SITE.iconSvg, 'image/svg+xml', 'no-cache');
  for (const [file, text] of Object.entries(files))
    serve(`/staff/${file}`, text, file.endsWith('.css') ? 'text/css' : 'text/javascript', IMMUTABLE);
};
