/** Tests a remote of the shop in a host that uses only Module Federation's official plugin and runtime. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Compiler } from '@platform/build/build-release';
import { contentTypeOf } from '@platform/releases';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../e2e/src/browser';
import { product } from '../build';

const folder = mkdtempSync(path.join(tmpdir(), 'stock-host-'));
const host = path.join(folder, 'host');
const remote = path.join(folder, 'remote');
const article = {
  id: 'agreement',
  title: 'Terms of the stock host',
  content: '<p>One React for host and remote.</p>',
  updated_at: '2026-10-01T12:00:00.000Z',
};

let server: http.Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  const compiler = new Compiler(product);
  await compiler
    .compile('content', path.join(product.root, 'mfe-content'), '1.0.0-stock', remote)
    .finally(() => compiler.close());
  const folders = { '/host/': path.join(host, 'dist'), '/r/content/': remote };
  server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [prefix, served] = Object.entries(folders).find(([start]) => pathname.startsWith(start)) ?? [];
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body);
    if (pathname.startsWith('/api/')) {
      const data = pathname.endsWith('/article/info') ? article : null;
      return send('application/json; charset=utf-8', JSON.stringify({ code: 200, message: '', data }));
    }
    if (!prefix || !served) {
      return send(
        'text/html; charset=utf-8',
        '<!doctype html><div id="root"></div><script defer src="/host/main.js"></script>',
      );
    }
    const file = path.join(served, pathname.slice(prefix.length));
    if (!existsSync(file)) return response.writeHead(404).end();
    return send(contentTypeOf(file), readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe.each([
  ['its manifest', 'content', 'mf-manifest.json'],
  ['its entry', 'mfe_content_1_0_0_stock', 'remoteEntry.js'],
])('stock host that loads a remote by %s', (_, name, file) => {
  beforeAll(() => {
    rmSync(host, { recursive: true, force: true });
    const args = [path.join(__dirname, 'stock-host/build.cjs'), host, `${name}@${origin}/r/content/${file}`];
    execFileSync(process.execPath, args, { stdio: 'pipe' });
  });

  async function open(address: string) {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(origin + address);
    return { page, errors };
  }

  it('a stock host renders pages of the remote with the shared React, forms, queries and session', async () => {
    const { page, errors } = await open('/business');
    await page.locator('h2').first().waitFor();
    await page.getByRole('button', { name: 'host 0' }).click();
    await page.getByRole('button', { name: 'host 1' }).waitFor();
    await page.locator('form button[type=submit]').click();
    await page.locator('[aria-invalid=true]').first().waitFor();

    await page.goto(`${origin}/article/agreement`);
    await page.getByText(article.title).waitFor();
    await page.getByText('One React for host and remote.').waitFor();
    await page.getByRole('button', { name: '联系客服' }).click();
    await page.locator('body[data-support=open]').waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });
});
