import { lazy } from './lazy';
import type { WebPushSettings } from './settings';

const TIMEOUT_MS = 10_000;
/** The time for which push services store a message for an offline browser. */
const KEPT_SECONDS = 86_400;

export interface PushReceiver {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Web Push: encrypted for the browser (RFC 8291), signed with the shop's key (RFC 8292). */
export class WebPush {
  /** The key with which browsers subscribe; base64url. */
  readonly publicKey: string;
  private readonly library = lazy(() => require('web-push') as typeof import('web-push'));

  constructor(private readonly settings: WebPushSettings) {
    this.publicKey = settings.publicKey;
  }

  /** Accepts only named services, so that a browser's endpoint cannot make the server call an address of its own network. */
  serves(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const { protocol, hostname, host, port, username, password } = new URL(endpoint);
    if (username || password) return false;
    if (this.settings.loopback && protocol === 'http:') return host === this.settings.loopback;
    return (
      protocol === 'https:' &&
      port === '' &&
      this.settings.hosts.some((name) => hostname === name || hostname.endsWith(`.${name}`))
    );
  }

  /**
   * Resolves to 'gone' for a browser that has ended its subscription or that the shop must not call, and to 'refused' for a push
   * that no retry delivers. After an error a retry may succeed.
   */
  async send(receiver: PushReceiver, payload: string): Promise<'sent' | 'refused' | 'gone'> {
    // The settings may have changed since the browser subscribed.
    const request = this.serves(receiver.endpoint) && this.encrypted(receiver, payload);
    if (!request) return 'gone';
    const { 'Content-Length': _length, ...sent } = request.headers;
    const response = await fetch(receiver.endpoint, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
      body: request.body as Buffer<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return 'sent';
    if (status === 429 || status >= 500) throw new Error(`the push service answered ${status}`);
    return status === 404 || status === 410 ? 'gone' : 'refused';
  }

  /** Undefined for invalid keys, which a retry cannot correct. */
  private encrypted({ endpoint, p256dh, auth }: PushReceiver, payload: string) {
    const { publicKey, privateKey, contact } = this.settings;
    try {
      return this.library().generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: contact, publicKey, privateKey },
        TTL: KEPT_SECONDS,
        contentEncoding: 'aes128gcm',
      });
    } catch {
      return undefined;
    }
  }
}
