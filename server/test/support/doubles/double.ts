import { generateKeyPairSync } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  /** With the query, as it was sent: signatures are over it. */
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}
export interface Told {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A provider's service on a local port. It judges what it is asked as the real one does, and can be made to fail. */
export abstract class Double {
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const { method = '', url = '', headers } = request;
      this.asked += 1;
      if (this.silent) return void request.socket.destroy();
      const told = this.answer({ method, url, headers, bytes, body: bytes.toString('utf8') });
      // Done, but the answer is lost on its way.
      if (this.deaf) return void request.socket.destroy();
      response.writeHead(told.status, told.headers).end(told.body ?? '');
    });
  });
  /** How often it was asked anything. */
  asked = 0;
  /** Answers nothing and does nothing. */
  silent = false;
  /** Does what it is asked and answers nothing. */
  deaf = false;

  protected abstract answer(asked: Asked): Told;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get endpoint(): string {
    return `http://${this.address}`;
  }
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export interface KeyPair {
  privateKey: string;
  publicKey: string;
}
export function keyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

export const json = (status: number, body: object, headers: Record<string, string> = {}): Told => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});
export const secondsNow = () => Math.floor(Date.now() / 1000);
