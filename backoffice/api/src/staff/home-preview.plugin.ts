/**
 * What guests see on the shop's home page, for the frame at /staff: its document without a script, a form or a link that works. The
 * shop's own documents may stand in no frame (docs/adr/0083-a-picture-of-the-home-page.md).
 */
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode, languages } from '@shop/shared/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { BackOfficeSessions } from './back-office-sessions';
import { isServed } from './roles';

export const HOME_PREVIEW_URL = '/staff/preview/home';

/** Of the document's own policy. */
const KEPT = ['style-src ', 'img-src ', 'media-src ', 'font-src '];

export const previewPolicy = (policy: string): string =>
  [
    "default-src 'none'",
    ...policy.split('; ').filter((directive) => KEPT.some((name) => directive.startsWith(name))),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // No script runs; of this origin, because pictures and fonts are sent to it only.
    'sandbox allow-same-origin',
  ].join('; ');

const SCRIPTS = /<(script|noscript)\b.*?<\/\1>/gs;
/** Also what holds the first paint until the page's data is there. */
const LOADED_FOR_SCRIPTS = /<link rel="(?:preload|modulepreload|expect|manifest)"[^>]*>/g;
/** Of style sheets that a script applies later. */
const LATE = ' media="print" data-late';

/** Nothing of it takes a press or the focus; without what would not run, and what is for browsers in which nothing does. */
const asPicture = (html: string): string =>
  html
    .replaceAll(SCRIPTS, '')
    .replaceAll(LOADED_FOR_SCRIPTS, '')
    .replaceAll(LATE, '')
    .replace('<body>', '<body inert>');

export const homePreview: FastifyPluginAsync<{ sessions: BackOfficeSessions }> = async (app, { sessions }) => {
  app.get<{ Querystring: { lang?: unknown; theme?: unknown } }>(HOME_PREVIEW_URL, async (request, reply) => {
    const visitor = await sessions.of(request.headers.cookie);
    if (!visitor || !isServed(['stock'], visitor.role)) throw new ShopError(ErrorCode.Unauthorized);
    const lang = languages.find((one) => one === request.query.lang) ?? languages[0];
    const theme = request.query.theme === 'dark' ? 'dark' : 'light';
    // Without cookies: as a guest gets it.
    const document = await app.inject({
      url: `/home?${new URLSearchParams({ lang, theme })}`,
      headers: { accept: 'text/html' },
    });
    const policy = document.headers['content-security-policy'];
    if (document.statusCode !== 200 || !policy) throw new ShopError(ErrorCode.NotFound);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': previewPolicy(String(policy)),
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .send(asPicture(document.body));
  });
};
