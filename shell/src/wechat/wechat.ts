/** WeChat authorisation (docs/product.md#wechat): the callback at the address, and the trigger in WeChat's browser. */

import type { TokenAnswer, WxCode } from '@shop/server/wire';
import { get } from '@shop/shared/http';

const exchangeCode = (code: string, state: string): Promise<TokenAnswer> =>
  get('/api/front/app/wechatAuthorize', { code, state }, { quiet: true });
const requestRedirect = (callback: string): Promise<WxCode> => get('/api/wechat/wxcode', { callback }, { quiet: true });

function isWechatBrowser(userAgent: string): boolean {
  return /MicroMessenger/i.test(userAgent);
}

/** Code and state, if the query has both. */
function callbackOf(search: string): { code: string; state: string } | null {
  const query = new URLSearchParams(search);
  const code = query.get('code');
  const state = query.get('state');
  return code && state ? { code, state } : null;
}

export interface WechatHost {
  openid(): string;
  hasUser(): boolean;
  refreshUser(): Promise<void>;
  signIn(answer: TokenAnswer): Promise<void>;
  showLoading(): () => void;
  /** Navigates to the site's origin, without code and state. */
  resetAddress(): void;
  leaveFor(url: string): void;
  /** True if an exchange in this tab returned no openid: another redirect to WeChat would then loop. */
  hasFailed(): boolean;
  rememberFailure(): void;
}

/** Runs after each navigation, for the current address. Never rejects. */
export async function checkWechat(
  location: { href: string; search: string },
  userAgent: string,
  host: WechatHost,
): Promise<void> {
  if (host.openid()) return;
  const callback = callbackOf(location.search);
  try {
    if (callback) {
      const hide = host.showLoading();
      try {
        const answer = await exchangeCode(callback.code, callback.state);
        if (host.hasUser()) await host.refreshUser();
        else if (answer?.token_type && answer.access_token) await host.signIn(answer);
      } finally {
        if (!host.openid()) host.rememberFailure();
        hide();
        host.resetAddress();
      }
    } else if (isWechatBrowser(userAgent) && !host.hasFailed()) {
      const { url } = await requestRedirect(location.href);
      if (url) host.leaveFor(url);
    }
  } catch {
    // The shop works without WeChat.
  }
}
