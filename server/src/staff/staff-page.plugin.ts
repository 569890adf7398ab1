/** The page of the staff console: one document, its script and its styles. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { browserPage } from '@shop/document/browser-script';
import type { FastifyPluginAsync } from 'fastify';
import { prepareResponse, sendPrepared } from '../document/prepared-response';

/** Absent from the sparse checkout of a squad. */
const entry = path.join(__dirname, '../../../staff/src/main.tsx');

const HEADERS = {
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

const document = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Staff</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/staff/staff.css">
<script defer src="/staff/staff.js"></script>
</head>
<body><div id="root"></div></body>
</html>
`;

export const staffPage: FastifyPluginAsync = async (app) => {
  if (!existsSync(entry)) return;
  const { script, styles } = browserPage(entry);
  const files = {
    '/staff': [document, 'text/html'],
    '/staff/staff.js': [script, 'text/javascript'],
    '/staff/staff.css': [styles, 'text/css'],
  } as const;
  for (const [url, [text, type]] of Object.entries(files)) {
    const response = await prepareResponse(text, 200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
    app.get(url, async (request, reply) => sendPrepared(request, reply, response));
  }
};
