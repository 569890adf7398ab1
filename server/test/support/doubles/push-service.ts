import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { generateVAPIDKeys } from 'web-push';
import { Double, type DoubleRequest, type DoubleResponse } from './double';

/** A push service that verifies the shop's signature (RFC 8292), and its browsers, which decrypt its pushes (RFC 8291). */
export class PushService extends Double {
  // Node's own keys lack a leading zero in one of 256 cases.
  private readonly keys = generateVAPIDKeys();
  readonly publicKey = this.keys.publicKey;
  private readonly browsers = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer }>();
  readonly pushed: Array<{ endpoint: string; payload: object }> = [];
  readonly statuses = new Map<string, number>();

  env(): NodeJS.ProcessEnv {
    return {
      WEB_PUSH_PUBLIC_KEY: this.publicKey,
      WEB_PUSH_PRIVATE_KEY: this.keys.privateKey,
      WEB_PUSH_CONTACT: 'mailto:ops@shop.example',
      WEB_PUSH_HOSTS: `${this.address},push.example`,
    };
  }

  browser() {
    const keys = createECDH('prime256v1');
    const p256dh = keys.generateKeys('base64url');
    const auth = randomBytes(16);
    const path = `/send/${randomBytes(8).toString('hex')}`;
    this.browsers.set(path, { keys, auth });
    return { endpoint: `${this.endpoint}${path}`, p256dh, auth: auth.toString('base64url') };
  }
  of = ({ endpoint }: { endpoint: string }) => this.pushed.filter((push) => push.endpoint === endpoint);

  protected async answer(request: DoubleRequest): Promise<DoubleResponse> {
    const endpoint = `${this.endpoint}${request.url}`;
    const fault = await this.faultOf(request).catch((error: Error) => error.message);
    if (fault) {
      this.refusals.push(fault);
      return { status: 403 };
    }
    const status = this.statuses.get(endpoint) ?? (this.browsers.has(request.url) ? 201 : 410);
    if (status < 300) this.pushed.push({ endpoint, payload: JSON.parse(this.decrypt(request)) });
    return { status };
  }

  private async faultOf({ headers }: DoubleRequest): Promise<string | undefined> {
    const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    if (key !== this.publicKey) return 'another key';
    if (headers['content-encoding'] !== 'aes128gcm' || !Number(headers.ttl)) return 'no encoding or lifetime';
    const raw = Buffer.from(this.publicKey, 'base64url');
    const [x = '', y = ''] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'));
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
    const { sub = '', exp = 0 } = (await jwtVerify(token, jwk, { audience: this.endpoint })).payload;
    if (!/^(mailto|https):/.test(sub)) return 'wrong contact';
    return exp > Date.now() / 1000 && exp < Date.now() / 1000 + 86_400 ? undefined : 'wrong expiry';
  }

  private decrypt({ url, bytes }: DoubleRequest): string {
    const browser = this.browsers.get(url);
    if (!browser) throw new Error('no such browser');
    const salt = bytes.subarray(0, 16);
    const keyLength = bytes[20] ?? 0;
    const sender = bytes.subarray(21, 21 + keyLength);
    const cipher = bytes.subarray(21 + keyLength);
    const secret = browser.keys.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.keys.getPublicKey(), sender]);
    const ikm = Buffer.from(hkdfSync('sha256', secret, browser.auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(cipher.subarray(-16));
    const text = Buffer.concat([decipher.update(cipher.subarray(0, -16)), decipher.final()]);
    // The last record ends with the byte 2.
    return text.subarray(0, text.lastIndexOf(2)).toString('utf8');
  }
}
