import { failWith, stubNetwork } from '@shop/shared/testing';
import { checkWechat, type WechatHost } from './wechat';

const exchange = 'GET /api/front/app/wechatAuthorize';
const redirect = 'GET /api/wechat/wxcode';
const inWechat = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50';
const elsewhere = 'Mozilla/5.0 (iPhone) Safari';
const events: string[] = [];
let failed = false;

function host(of: { openid?: string; hasUser?: boolean } = {}): WechatHost {
  return {
    openid: () => of.openid ?? '',
    hasUser: () => of.hasUser ?? false,
    refreshUser: async () => void events.push('refresh the user'),
    signIn: async ({ token_type, access_token }) => void events.push(`sign in ${token_type} ${access_token}`),
    showLoading: () => {
      events.push('loading');
      return () => void events.push('loading gone');
    },
    resetAddress: () => void events.push('address reset'),
    leaveFor: (url) => void events.push(`leave for ${url}`),
    hasFailed: () => failed,
    rememberFailure: () => {
      failed = true;
    },
  };
}
const at = (search: string) => ({ href: `https://shop.example/home${search}`, search });
const callback = at('?code=c1&state=s1');

beforeEach(() => {
  events.length = 0;
  failed = false;
});

describe('the callback of WeChat', () => {
  it('WeChat’s callback exchanges code and state, signs in, and resets the address', async () => {
    const requests = stubNetwork({ [exchange]: { token_type: 'Bearer', access_token: 't', expires_in: 1 } });
    await checkWechat(callback, inWechat, host());
    expect(requests[0]?.params).toEqual({ code: 'c1', state: 's1' });
    expect(events).toEqual(['loading', 'sign in Bearer t', 'loading gone', 'address reset']);
  });

  it('WeChat’s callback refreshes the user if one is loaded already', async () => {
    stubNetwork({ [exchange]: { token_type: 'Bearer', access_token: 't', expires_in: 1 } });
    await checkWechat(callback, inWechat, host({ hasUser: true }));
    expect(events).toEqual(['loading', 'refresh the user', 'loading gone', 'address reset']);
  });

  it.each([
    ['no type', { access_token: 't' }],
    ['no token', { token_type: 'Bearer' }],
    ['nothing', null],
    ['an error', failWith(50000)],
  ])('WeChat’s callback does not sign in and does not redirect again when the answer has %s', async (_, answer) => {
    const requests = stubNetwork({ [exchange]: answer, [redirect]: { url: 'https://open.wechat.example' } });
    await checkWechat(callback, inWechat, host());
    expect(events).toEqual(['loading', 'loading gone', 'address reset']);
    await checkWechat(at(''), inWechat, host());
    expect(requests).toHaveLength(1);
  });

  it.each(['?code=c1', '?state=s1', '?code=&state=s1'])(
    'WeChat’s callback needs both code and state: %s',
    async (search) => {
      const requests = stubNetwork({});
      await checkWechat(at(search), elsewhere, host());
      expect(requests).toEqual([]);
    },
  );
});

describe('the redirect to WeChat', () => {
  it('the redirect to WeChat is requested for this address and followed, inside WeChat', async () => {
    const requests = stubNetwork({ [redirect]: { url: 'https://open.wechat.example/authorize' } });
    await checkWechat(at('?from=mail'), inWechat, host());
    expect(requests[0]?.params).toEqual({ callback: 'https://shop.example/home?from=mail' });
    expect(events).toEqual(['leave for https://open.wechat.example/authorize']);
  });

  it.each([
    ['outside WeChat', elsewhere, {}],
    ['when the openid is known', inWechat, { openid: 'o1' }],
  ])('the redirect to WeChat is not requested %s', async (_, userAgent, of) => {
    const requests = stubNetwork({});
    await checkWechat(at(''), userAgent, host(of));
    expect(requests).toEqual([]);
    expect(events).toEqual([]);
  });

  it.each([
    ['the call fails', failWith(50000)],
    ['there is no address', { url: '' }],
  ])('the redirect to WeChat does not happen when %s', async (_, answer) => {
    stubNetwork({ [redirect]: answer });
    await checkWechat(at(''), inWechat, host());
    expect(events).toEqual([]);
  });
});
