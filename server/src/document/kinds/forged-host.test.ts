import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, promote, type RouteContract } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { onOneDatabase } from '../../../test/support/test-app';
import { buildApp } from '../../app';
import type { App } from '../../platform/http/request';

const EVIL = 'evil.example';
const forged: Array<[name: string, headers: Record<string, string>]> = [
  ['Host', { host: EVIL }],
  ['X-Forwarded-Host', { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https' }],
  ['Forwarded', { forwarded: `host=${EVIL};proto=https` }],
];
const routes = JSON.parse(fs.readFileSync(path.join(__dirname, '../../../../mfe-catalog/remote.json'), 'utf8'))
  .routes as RouteContract[];

onOneDatabase('requests with a forged host', (testApp) => {
  const apps: App[] = [];
  const folders: string[] = [];
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  });

  async function answersOf(publicUrl: string, proxy: string | false) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-host-'));
    folders.push(folder);
    const store = openStore({ place: folder });
    await publishSample(store, { name: 'shell' });
    await promote(store, { by: 'ann', name: 'shell' });
    await publishSample(store, { name: 'catalog', routes });
    await promote(store, { by: 'ann', name: 'catalog' });
    const { context } = testApp();
    const providers = { ...context.config.providers, publicUrl };
    const { plugins } = backOfficeWithReleases({ store, watchEvery: 0, describeWithinMs: 20_000 });
    const config = {
      ...context.config,
      trustProxy: proxy ? [proxy] : (false as const),
      providers,
      indexed: publicUrl !== '',
    };
    const app = await buildApp({ ...context, config, plugins });
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
        const {
          statusCode,
          headers: sent,
          body,
        } = await app.inject({ url, headers: { accept: 'text/html', ...headers } });
        answers.push({ request: `${url} ${name}`, status: statusCode, text: `${JSON.stringify(sent)} ${body}` });
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
