import type { WechatProvider, WechatUser } from './providers';
import type { WechatSignInSettings } from './settings';

const TIMEOUT_MS = 8000;
/** "The code is invalid", "…has been used", "…has expired": the user's browser supplied it, so these are not errors of the shop. */
const codeFaults = [40029, 40163, 42003, 41008];

export class WechatSignIn implements WechatProvider {
  constructor(private readonly settings: WechatSignInSettings) {}

  authorizeUrl(callback: string, state: string): string {
    // WeChat requires these parameters in this order, and the fragment.
    const query = [
      ['appid', this.settings.appId],
      ['redirect_uri', callback],
      ['response_type', 'code'],
      ['scope', 'snsapi_base'],
      ['state', state],
    ].map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`);
    return `https://open.weixin.qq.com/connect/oauth2/authorize?${query.join('&')}#wechat_redirect`;
  }

  async user(code: string): Promise<WechatUser | undefined> {
    const { appId, appSecret, endpoint } = this.settings;
    const query = new URLSearchParams({ appid: appId, secret: appSecret, code, grant_type: 'authorization_code' });
    let answer: { errcode?: number; openid?: unknown; unionid?: unknown };
    try {
      const response = await fetch(`${endpoint}/sns/oauth2/access_token?${query}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      // WeChat sends JSON as text/plain.
      answer = JSON.parse(await response.text());
    } catch (error) {
      // The error omits the URL, which contains the app's secret.
      throw new Error(`WeChat did not answer: ${(error as Error).name}`);
    }
    if (answer.errcode && codeFaults.includes(answer.errcode)) return undefined;
    const { openid, unionid } = answer;
    if (answer.errcode || typeof openid !== 'string' || !openid) throw new Error(`WeChat refused: ${answer.errcode}`);
    return { openid, ...(typeof unionid === 'string' && unionid ? { unionid } : {}) };
  }
}
