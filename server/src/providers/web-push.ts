import { lazy } from './lazy';
import { type PushReceiver, PushRefusal, type PushSender } from './providers';
import type { WebPushSettings } from './settings';

const TIMEOUT_MS = 10_000;
/** The time for which push services store a message for an offline browser. */
const KEPT_SECONDS = 86_400;

/** Web Push: encrypted for the browser (RFC 8291), signed with the shop's key (RFC 8292). */
export class WebPush implements PushSender {
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

  async send({ endpoint, p256dh, auth }: PushReceiver, payload: string): Promise<void> {
    // The settings may have changed since the browser subscribed.
    if (!this.serves(endpoint)) throw new PushRefusal('not a push service of the settings', true);
    const { headers, body } = this.encrypted({ endpoint, p256dh, auth }, payload);
    const { 'Content-Length': _length, ...sent } = headers;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
      body: body as Buffer<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status } = response;
    if (status >= 200 && status < 300) return;
    if (status === 429 || status >= 500) throw new Error(`the push service answered ${status}`);
    throw new PushRefusal(`the push service answered ${status}`, status === 404 || status === 410);
  }

  /** Throws PushRefusal for invalid keys, because a retry cannot correct them. */
  private encrypted({ endpoint, p256dh, auth }: PushReceiver, payload: string) {
    const { publicKey, privateKey, contact } = this.settings;
    try {
      return this.library().generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: contact, publicKey, privateKey },
        TTL: KEPT_SECONDS,
        contentEncoding: 'aes128gcm',
      });
    } catch (error) {
      throw new PushRefusal(`the keys of the browser: ${(error as Error).message}`, true);
    }
  }
}
