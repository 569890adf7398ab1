import { createHmac } from 'node:crypto';
import type { Webhooks } from '@platform/watch';
import { Settings } from '../../../src/platform/settings/settings';
import { readWebhooks } from '../../../src/providers/settings';
import { Double, type DoubleRequest, type DoubleResponse } from './double';

export const receiverSecret = 'a-secret-of-the-webhook-receiver-0123';

/** Accepts signed messages of release changes. */
export class WebhookReceiver extends Double {
  /** The number of requests that it still refuses. */
  failing = 0;
  fault: 'hangs' | 'redirects' | null = null;
  readonly accepted: Array<Record<string, unknown>> = [];

  env(): NodeJS.ProcessEnv {
    return {
      RELEASE_WEBHOOK_URL: `${this.endpoint}/hooks/releases?key=hidden`,
      RELEASE_WEBHOOK_SECRET: receiverSecret,
    };
  }
  get webhooks(): Webhooks {
    return readWebhooks(new Settings(this.env()), 'RELEASE');
  }
  reset(): void {
    this.accepted.length = 0;
    Object.assign(this, { failing: 0, requests: 0, fault: null, unreachable: false });
  }

  protected answer({ method, url, headers, body }: DoubleRequest): DoubleResponse | Promise<undefined> {
    if (this.fault === 'hangs') return new Promise(() => {});
    if (this.fault === 'redirects') return { status: 307, headers: { location: `${this.endpoint}/elsewhere` } };
    if (this.failing > 0) {
      this.failing -= 1;
      return { status: 503 };
    }
    const signed = createHmac('sha256', receiverSecret)
      .update(`${headers['x-shop-timestamp']}\n${url.split('?')[0]}\n${body}`)
      .digest('hex');
    if (method !== 'POST' || headers['x-shop-signature'] !== signed) return { status: 401 };
    this.accepted.push(JSON.parse(body));
    return { status: 204 };
  }
}

/** Accepts signed notices to staff. */
export class StaffWebhook extends WebhookReceiver {
  override env(): NodeJS.ProcessEnv {
    return {
      STAFF_MAIL_TO: 'ann@shop.example, bob@shop.example',
      STAFF_WEBHOOK_URL: `${this.endpoint}/hook?key=hidden`,
      STAFF_WEBHOOK_SECRET: receiverSecret,
    };
  }
}
