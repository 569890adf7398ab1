import type { Settings } from '../platform/settings/settings';

/** Who is told what the watcher does. */
export interface Webhooks {
  urls: string[];
  /** Signs what is sent. */
  secret: string;
}

export function readWebhooks(settings: Settings): Webhooks {
  const urls = settings
    .get('RELEASE_WEBHOOK_URL')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    urls,
    secret: urls.length ? settings.need('RELEASE_WEBHOOK_SECRET', 'RELEASE_WEBHOOK_URL is set') : '',
  };
}
