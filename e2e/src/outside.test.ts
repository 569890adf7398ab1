/** A squad in a repository of its own: from packed files to a rollback. What takes no shop is in scripts/packages/outside.test.ts. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { generate } from 'selfsigned';
import { makeOutsideRemote } from '../../scripts/packages/outside-remote';
import type { Shop } from './shop';
import { expect, startOwnShop, test } from './test';

let shop: Shop;
let front: https.Server;
let certificate: string;
let shopUrl: string;

test.skip(!process.env.TEST_FULL, 'it installs packages from npm: npm run test:full');

test.beforeAll(async () => {
  shop = await startOwnShop();
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  certificate = path.join(shop.dataDir, 'front.pem');
  writeFileSync(certificate, cert);
  front = https.createServer({ key, cert }, (request, response) => {
    const { method, headers, url = '/' } = request;
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' };
    const onward = http.request(new URL(url, shop.url), { method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, 'localhost', resolve));
  shopUrl = `https://localhost:${(front.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  front?.closeAllConnections();
  front?.close();
  await shop?.stop();
});

/** Resolves to the address that the program prints. */
function startDev(program: string, cwd: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [program, '--against', shopUrl, '--port', '0'], {
    cwd,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
  });
  return new Promise((resolve, reject) => {
    let seen = '';
    const read = (chunk: Buffer) => {
      seen += chunk;
      const [, url] = /Dev ready: (\S+)/.exec(seen) ?? [];
      if (url && /built gifts/.test(seen)) resolve({ url, stop: () => child.kill() });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(seen)));
  });
}

test('a remote made outside is tested, developed against the shop, published, gated, a canary and rolled back', async ({
  openTab,
}) => {
  test.setTimeout(600_000);
  const grant = ['--name', 'gifts CI', '--role', 'squad', '--remotes', 'gifts', '--channels', 'production'];
  const { key } = (await shop.release(['keys', 'make', ...grant])) as { key: string };
  // Neither the folder of the store nor this repository: the API is all that the squad has.
  const env = {
    RELEASE_SHOP: shopUrl,
    RELEASE_KEY: key,
    DATA_DIR: '',
    RELEASE_STORE: '',
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const remote = await makeOutsideRemote('gifts', { install: 'npm', env });
  const release = async (...args: string[]) =>
    JSON.parse(await remote.node('@shop/tools/scripts/bin/shop-release.mjs', ...args, '--json'));
  try {
    await remote.node('typescript/bin/tsc', '--noEmit');
    await remote.node('jest/bin/jest.js');

    const dev = await startDev(remote.bin('shop-dev'), remote.folder);
    try {
      const { page } = await openTab({ url: dev.url, language: 'en' });
      await page.goto(`${dev.url}/gifts`);
      await expect(page.getByRole('heading', { name: 'Hello, there' })).toBeVisible();
      await page.close();
    } finally {
      dev.stop();
    }

    await release('build');
    const [first] = await release('publish', 'gifts');
    expect(await release('gate', 'gifts')).toMatchObject({ passed: true });
    await release('promote', 'gifts');

    const texts = path.join(remote.folder, 'src/texts.ts');
    writeFileSync(texts, readFileSync(texts, 'utf8').replace('This is a new page.', 'This is a newer page.'));
    await release('build');
    const [second] = await release('publish', 'gifts');
    expect(second.version).not.toBe(first.version);
    expect(await release('promote', `gifts@${second.version}`, '--traffic', '10')).toMatchObject([{ traffic: 10 }]);
    expect(await release('rollback', 'gifts')).toMatchObject({ name: 'gifts' });
    await expect(release('rollback', 'catalog')).rejects.toThrow(/"code": 6/);

    await release('promote', `gifts@${second.version}`);
    const { page } = await openTab({ url: shop.url, language: 'en' });
    await page.goto(`${shop.url}/gifts`);
    await expect(page.getByText('This is a newer page.')).toBeVisible();
    await release('rollback', 'gifts', '--why', 'the test');
    await page.goto(`${shop.url}/gifts`);
    await expect(page.getByText('This is a new page.')).toBeVisible();
    const [last] = (await release('history', 'gifts', '--limit', '1')) as [{ by: string }];
    expect(last.by).toContain('gifts CI');
  } finally {
    remote.remove();
  }
});
