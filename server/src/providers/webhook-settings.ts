import type { Webhooks } from '@platform/watch';
import type { Settings } from '../platform/settings/settings';
import { listOf } from '../platform/settings/variables';
import { readChats } from './chats';

export type { Webhooks };

export type StaffNotices = ReturnType<typeof readStaffNotices>;

export function readWebhooks(settings: Settings, of: 'RELEASE' | 'STAFF'): Webhooks {
  const urls = listOf(settings.get(`${of}_WEBHOOK_URL`));
  return {
    headerPrefix: 'x-shop',
    urls,
    secret: urls.length
      ? settings.need(`${of}_WEBHOOK_SECRET`, `${of}_WEBHOOK_URL is set`)
      : settings.get(`${of}_WEBHOOK_SECRET`),
  };
}

export function readStaffNotices(settings: Settings) {
  const mail = listOf(settings.get('STAFF_MAIL_TO'));
  if (mail.length && settings.get('MAIL') === 'none') settings.problem('STAFF_MAIL_TO needs MAIL.');
  return { mail, webhooks: readWebhooks(settings, 'STAFF'), chats: readChats(settings) };
}
