/** WeChat authorisation (docs/product.md#wechat): the callback at the address, and the trigger in WeChat's browser. */
import { natives } from '@platform/host/natives';
import { get } from '@shop/shared/http';
import { toast } from '@shop/shared/ui';
import type { SessionStore } from '../session/session.store';
import { t } from './texts';

/** Set if an exchange in this tab returned no openid: another redirect to WeChat would then loop. */
const failedKey = 'wechat-failed';
const quiet = { quiet: true };

/** An object, because jsdom cannot navigate. */
export const address = {
  /** Navigates to the site's origin, without code and state. */
  reset: () => window.location.replace(window.location.origin),
  leaveFor: (url: string) => window.location.assign(url),
};

type WechatSession = Pick<SessionStore, 'user' | 'hasUser' | 'refreshUser' | 'signIn'>;

/** Runs after each navigation, for the current address. Never rejects. */
export async function checkWechat(
  session: WechatSession,
  { href, search }: Pick<Location, 'href' | 'search'> = window.location,
  userAgent = navigator.userAgent,
): Promise<void> {
  const hasOpenid = () => Boolean(session.user?.openid);
  if (hasOpenid()) return;
  const query = new URLSearchParams(search);
  const [code, state] = [query.get('code'), query.get('state')];
  try {
    if (code && state) {
      const hide = toast.loading(t('wechat.authorising'));
      try {
        const answer = await get('/api/front/app/wechatAuthorize', { code, state }, quiet);
        if (session.hasUser) await session.refreshUser();
        else if (answer?.token_type && answer.access_token) await session.signIn(answer);
      } finally {
        if (!hasOpenid()) natives.sessionStorage.write(failedKey, '1');
        hide();
        address.reset();
      }
    } else if (/MicroMessenger/i.test(userAgent) && !natives.sessionStorage.read(failedKey)) {
      const { url } = await get('/api/wechat/wxcode', { callback: href }, quiet);
      if (url) address.leaveFor(url);
    }
  } catch {
    // The shop works without WeChat.
  }
}
