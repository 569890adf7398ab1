import { errorHandler } from '@shop/server/platform/http/error-handler.plugin';
import type { App } from '@shop/server/platform/http/request';
import { requestLocale } from '@shop/server/platform/http/request-locale.plugin';
import { createServer } from '@shop/server/platform/http/server';
import { Console, config, personOf } from '../testing/back-office';
import { BackOfficeSessions } from './back-office-sessions';
import { HOME_PREVIEW_URL, homePreview } from './home-preview.plugin';

const policy =
  "default-src 'none'; script-src 'self' 'sha256-a'; style-src 'self' 'sha256-b'; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; frame-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types releases";
const html = `<!doctype html><html><head><script>go()</script>
<link rel="expect" href="#page-data" blocking="render"><link rel="preload" as="script" href="/r/a.js"><script type="module" src="/r/a.js"></script>
<link rel="preload" as="style" href="/r/a.css"><link rel="stylesheet" media="print" data-late href="/r/a.css"></head>
<body>
<div id="root"><h2>New</h2></div><noscript><form>
<button name="lang"></button></form></noscript><script type="application/json" id="page-data">{}</script></body></html>`;

let app: App;
/** What the shop was asked. */
let asked: Array<{ url: string; cookie: string | undefined }>;
let status: number;
beforeEach(async () => {
  asked = [];
  status = 200;
  app = createServer({ logger: false, trustProxy: '127.0.0.1' });
  await app.register(errorHandler);
  await app.register(requestLocale);
  app.get('/home', async ({ url, headers }, reply) => {
    asked.push({ url, cookie: headers.cookie });
    const own = { 'content-security-policy': policy, 'x-frame-options': 'DENY', 'set-cookie': 'language=en' };
    return reply.code(status).headers(own).type('text/html').send(html);
  });
  await app.register(homePreview, { sessions: new BackOfficeSessions(config.secret) });
});
afterEach(() => app.close());
const open = (person: Console, query = '') => person.ask('GET', `${HOME_PREVIEW_URL}${query}`);

it('is the home page as guests get it, framed by the shop’s own pages only, with nothing that runs, sends or is pressed', async () => {
  const answer = await open(personOf(app, 'Ann', 'stock'), '?lang=en&theme=dark');
  expect(asked).toEqual([{ url: '/home?lang=en&theme=dark', cookie: undefined }]);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'SAMEORIGIN',
    'content-security-policy': [
      "default-src 'none'; style-src 'self' 'sha256-b'; img-src 'self' data:; media-src 'self'; font-src 'self'",
      "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
    ].join('; '),
  });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(answer.body.replaceAll('\n', '')).toBe(
    '<!doctype html><html><head><link rel="stylesheet" href="/r/a.css"></head><body inert><div id="root"><h2>New</h2></div></body></html>',
  );
});

it('asks for no other page than home, and for a language and theme that there are', async () => {
  await open(personOf(app, 'Ann', 'manager'), '?lang=../x&theme=%0d%0a&release=catalog@1.0.0');
  expect(asked.map(({ url }) => url)).toEqual(['/home?lang=zh-CN&theme=light']);
});

it('is for those who arrange the home page', async () => {
  for (const person of [
    new Console(app),
    ...(['seller', 'money', 'ops'] as const).map((role) => personOf(app, 'Ben', role)),
  ])
    expect((await open(person)).json()).toMatchObject({ code: 401 });
  expect(asked).toEqual([]);
});

it('is not there where the shop has no home page to show', async () => {
  status = 503;
  expect((await open(personOf(app, 'Ann', 'stock'))).json()).toMatchObject({ code: 404 });
});
