import { routesOf, shopWith, storeWith } from '../../../test/support/release-store';
import { onOneDatabase } from '../../../test/support/test-app';
import type { App } from '../../platform/http/request';

const EVIL = 'evil.example';
const forged: Array<[name: string, headers: Record<string, string>]> = [
  ['Host', { host: EVIL }],
  ['X-Forwarded-Host', { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https' }],
  ['Forwarded', { forwarded: `host=${EVIL};proto=https` }],
];

onOneDatabase('requests with a forged host', (testApp) => {
  const apps: App[] = [];
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  async function answersOf(publicUrl: string, proxy: string | false) {
    const store = await storeWith([{ routes: routesOf('catalog') }]);
    const settings = { publicUrl, indexed: publicUrl !== '', trustProxy: proxy ? [proxy] : (false as const) };
    const app = await shopWith(testApp().context, store, settings);
    apps.push(app);
    const urls = [
      '/home',
      `/goods/${testApp().goods.card.id}`,
      '/goods',
      '/?lang=en',
      '/nowhere',
      '/sitemap.xml',
      '/robots.txt',
      '/healthz',
      '/api/front/app/config',
      '/api/wechat/wxcode?callback=/user',
      '/cashier/none',
    ];
    const answers: Array<{ request: string; status: number; text: string }> = [];
    for (const url of urls)
      for (const [name, headers] of [...forged, ['', {}] as const]) {
        const answer = await app.inject({ url, headers: { accept: 'text/html', ...headers } });
        const text = `${JSON.stringify(answer.headers)} ${answer.body}`;
        answers.push({ request: `${url} ${name}`, status: answer.statusCode, text });
      }
    return answers;
  }

  it.each([
    ['without PUBLIC_URL', '', false],
    ['without PUBLIC_URL, behind a proxy', '', '127.0.0.1'],
    ['with PUBLIC_URL, behind a proxy', 'https://shop.example', '127.0.0.1'],
  ] as const)('%s finds it in no document, header, sitemap or redirect', async (_name, publicUrl, trustProxy) => {
    const answers = await answersOf(publicUrl, trustProxy);
    expect(answers.filter(({ text }) => text.includes(EVIL)).map(({ request }) => request)).toEqual([]);
    const sitemaps = answers.filter(({ request }) => request.startsWith('/sitemap.xml')).map(({ status }) => status);
    expect(new Set(sitemaps)).toEqual(new Set([publicUrl ? 200 : 404]));
    const document = answers.find(({ request }) => request.startsWith('/goods/'))?.text;
    expect(document?.includes('rel="canonical"')).toBe(publicUrl !== '');
  });
});
