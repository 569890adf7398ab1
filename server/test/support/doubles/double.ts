import { generateKeyPairSync, sign, verify } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DoubleRequest {
  method: string;
  /** Includes the query, exactly as sent, because signatures cover it. */
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}
export interface DoubleResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A provider's service on a local port. It validates requests as the real one does, and can be made to fail. */
export abstract class Double {
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const bytes = Buffer.concat(chunks);
      const { method = '', url = '', headers } = request;
      this.requests += 1;
      if (this.unreachable) return void request.socket.destroy();
      const answer = await this.answer({ method, url, headers, bytes, body: bytes.toString('utf8') });
      if (!answer || this.losesAnswers) return void request.socket.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  requests = 0;
  /** Closes every connection without executing the request. */
  unreachable = false;
  /** Executes the request and closes the connection instead of responding. */
  losesAnswers = false;
  refundsPend = false;
  readonly refusals: string[] = [];

  abstract env(): NodeJS.ProcessEnv;
  /** Undefined closes the connection. */
  protected abstract answer(request: DoubleRequest): DoubleResponse | undefined | Promise<DoubleResponse | undefined>;

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

export const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** RSA-SHA256 in base64, the signature of WeChat Pay and Alipay. */
export const signRsa = (text: string, privateKey: string): string =>
  sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');
export const verifyRsa = (text: string, signature: string, publicKey: string): boolean =>
  verify('RSA-SHA256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));

export const json = (status: number, body: object, headers: Record<string, string> = {}): DoubleResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});
export const secondsNow = () => Math.floor(Date.now() / 1000);
