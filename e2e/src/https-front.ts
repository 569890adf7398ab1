/** A TLS proxy in front of a shop, as in production. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';

export interface HttpsFront {
  url: string;
  certificate: string;
  close(): void;
}

/** `shopUrl` is called with each request, because the shop may start later. */
export async function openHttpsFront(shopUrl: () => string): Promise<HttpsFront> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-front-'));
  const certificate = path.join(folder, 'front.pem');
  writeFileSync(certificate, cert);
  const front = https.createServer({ key, cert }, (request, response) => {
    const { method, headers, url = '/' } = request;
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' };
    const onward = http.request(new URL(url, shopUrl()), { method, headers: forwarded }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    certificate,
    close() {
      front.closeAllConnections();
      front.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
