import type { Webhooks } from '@platform/watch';
import type { Settings } from '../platform/settings/settings';

export type { Webhooks };

export function readWebhooks(settings: Settings): Webhooks {
  const urls = settings
    .get('RELEASE_WEBHOOK_URL')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    headerPrefix: 'x-shop',
    urls,
    // Also signs questions to the outside judges of a channel.
    secret: urls.length
      ? settings.need('RELEASE_WEBHOOK_SECRET', 'RELEASE_WEBHOOK_URL is set')
      : settings.get('RELEASE_WEBHOOK_SECRET'),
  };
}
