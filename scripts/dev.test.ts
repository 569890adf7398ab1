import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emptyMap, promoteInMap, toPublicMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import { SITE } from '@shop/shared/site';

const root = path.resolve(__dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'shop-dev-'));
const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
const map = promoteInMap(emptyMap(), manifestOf({ name: 'shell' }), null, { by: 'ann' });
let shop: https.Server;
let against: string;

beforeAll(async () => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], { stdio: 'ignore' });
  shop = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
    if (request.url === '/releases/production.json') return response.end(JSON.stringify(toPublicMap(map)));
    response.end(JSON.stringify({ asked: `${request.method} ${request.url}`, host: request.headers.host }));
  });
  await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve));
  against = `https://localhost:${(shop.address() as AddressInfo).port}`;
});
afterAll(() => {
  shop.close();
  shop.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function dev(seen: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const args = ['--import', 'tsx', 'scripts/dev.ts', 'content', '--against', against, '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => seen.push(String(chunk)));
  return child;
}

it('npm run dev forwards requests to the shop and composes documents of its releases', async () => {
  const seen: string[] = [];
  const child = dev(seen, { NODE_EXTRA_CA_CERTS: certificate });
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /Dev ready: (\S+)/.exec(seen.join('')) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(seen.join(''))));
  });
  try {
    const asPage = { headers: { accept: 'text/html' } };
    const { host } = new URL(against);
    expect(await (await fetch(`${origin}/ops`, asPage)).json()).toEqual({ asked: 'GET /ops', host });
    const page = await (await fetch(`${origin}/home`, asPage)).text();
    expect(page).toContain(SITE.name.en);
    expect(page).toContain(`src="/r/shell/${manifestOf({ name: 'shell' }).version}/`);
  } finally {
    child.removeAllListeners('exit').kill();
  }
});

it('npm run dev reports that a certificate is not trusted', async () => {
  const seen: string[] = [];
  const child = dev(seen, { NODE_EXTRA_CA_CERTS: '' });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(seen.join('')).toMatch(/No shop answers at https:.*self-signed certificate/);
  expect(seen.join('')).not.toContain('    at ');
});
