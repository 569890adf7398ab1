import { createHmac, timingSafeEqual } from 'node:crypto';

/** Cookies whose content nobody else can write. A value under the name of another cookie is none. */
export class SignedCookies {
  constructor(private readonly key: string) {}

  /** `attributes`: "Path=/ops; HttpOnly". */
  header(name: string, content: unknown, attributes: string): string {
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
    return `${name}=${payload}.${this.mac(name, payload)}; ${attributes}`;
  }

  /** Undefined where there is no such cookie, or another key has signed it. */
  read<Content>(name: string, cookies = ''): Content | undefined {
    const found = new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)\\.([\\w-]+)(?:;|$)`).exec(cookies);
    const [, payload = '', mac = ''] = found ?? [];
    const [given, right] = [Buffer.from(mac), Buffer.from(this.mac(name, payload))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Content;
  }

  private mac(name: string, payload: string): string {
    return createHmac('sha256', this.key).update(`${name}|${payload}`).digest('base64url');
  }
}
