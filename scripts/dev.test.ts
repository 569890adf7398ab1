import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(__dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'shop-dev-'));
const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
let shop: https.Server;
let against: string;

beforeAll(async () => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], { stdio: 'ignore' });
  shop = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) =>
    response.end(),
  );
  await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve));
  against = `https://localhost:${(shop.address() as AddressInfo).port}`;
});
afterAll(() => {
  shop.close();
  shop.closeAllConnections();
});

it('npm run dev reports that a certificate is not trusted', async () => {
  const args = ['--import', 'tsx', 'scripts/dev.ts', 'content', '--against', against, '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NODE_EXTRA_CA_CERTS: '' } });
  const seen = Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await once(child, 'exit')).toEqual([1, null]);
  const output = (await seen).join('');
  expect(output).toMatch(/No shop answers at https:.*self-signed certificate/);
  expect(output).not.toContain('    at ');
});
