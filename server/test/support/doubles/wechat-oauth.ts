import { randomBytes } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse } from './double';

/** WeChat's exchange of a code for a user: each code is single use and valid for five minutes; errors are HTTP 200 with an errcode. */
export class WechatOauthDouble extends Double {
  readonly appId = 'wxabcdef1234567890';
  readonly appSecret = randomBytes(16).toString('hex');
  private readonly codes = new Map<string, { openid: string; unionid?: string; used: boolean; until: number }>();

  env(): NodeJS.ProcessEnv {
    return {
      WECHAT_SIGN_IN: 'on',
      PUBLIC_URL: 'https://shop.example',
      WECHAT_APP_ID: this.appId,
      WECHAT_APP_SECRET: this.appSecret,
      WECHAT_ENDPOINT: this.endpoint,
    };
  }

  consent(openid: string, unionid?: string, seconds = 300): string {
    const code = `0${randomBytes(15).toString('hex')}`;
    this.codes.set(code, { openid, unionid, used: false, until: Date.now() + seconds * 1000 });
    return code;
  }

  protected answer({ method, url }: DoubleRequest): DoubleResponse {
    const { pathname, searchParams } = new URL(url, 'http://wechat');
    // WeChat sends JSON as text/plain.
    const respond = (body: object): DoubleResponse => ({
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(body),
    });
    const fault = (errcode: number, errmsg: string) => respond({ errcode, errmsg });
    if (method !== 'GET' || pathname !== '/sns/oauth2/access_token') return { status: 404, body: '' };
    if (searchParams.get('appid') !== this.appId) return fault(40013, 'invalid appid');
    if (searchParams.get('secret') !== this.appSecret) return fault(40125, 'invalid appsecret');
    if (searchParams.get('grant_type') !== 'authorization_code') return fault(40002, 'invalid grant_type');
    const consent = this.codes.get(searchParams.get('code') ?? '');
    if (!consent) return fault(40029, 'invalid code');
    if (consent.used) return fault(40163, 'code been used');
    if (consent.until < Date.now()) return fault(42003, 'code expired');
    consent.used = true;
    const { openid, unionid } = consent;
    return respond({
      access_token: 'ACCESS',
      expires_in: 7200,
      openid,
      scope: 'snsapi_base',
      ...(unionid ? { unionid } : {}),
    });
  }
}
