import { failWith, stubNetwork } from '@shop/shared/testing';
import { toast } from '@shop/shared/ui';
import { address, checkWechat } from './wechat';

const exchange = 'GET /api/front/app/wechatAuthorize';
const redirect = 'GET /api/wechat/wxcode';
const inWechat = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50';
const elsewhere = 'Mozilla/5.0 (iPhone) Safari';
const events: string[] = [];

const session = (of: { openid?: string; hasUser?: boolean } = {}) =>
  ({
    user: of.openid ? { openid: of.openid } : null,
    hasUser: of.hasUser ?? false,
    refreshUser: async () => void events.push('refresh the user'),
    signIn: async ({ token_type, access_token }: Record<string, unknown>) =>
      void events.push(`sign in ${token_type} ${access_token}`),
  }) as Parameters<typeof checkWechat>[0];
const at = (search: string) => ({ href: `https://shop.example/home${search}`, search });
const callback = at('?code=c1&state=s1');

beforeEach(() => {
  events.length = 0;
  sessionStorage.clear();
  jest.spyOn(address, 'reset').mockImplementation(() => void events.push('address reset'));
  jest.spyOn(address, 'leaveFor').mockImplementation((url) => void events.push(`leave for ${url}`));
  jest.spyOn(toast, 'loading').mockImplementation(() => {
    events.push('loading');
    return () => void events.push('loading gone');
  });
});
afterEach(() => jest.restoreAllMocks());

it.each([
  ['signs in', false, 'sign in Bearer t'],
  ['refreshes the user if one is loaded already', true, 'refresh the user'],
])('WeChat’s callback exchanges code and state, %s, and resets the address', async (_, hasUser, event) => {
  const requests = stubNetwork({ [exchange]: { token_type: 'Bearer', access_token: 't', expires_in: 1 } });
  await checkWechat(session({ hasUser }), callback, inWechat);
  expect(requests[0]?.params).toEqual({ code: 'c1', state: 's1' });
  expect(events).toEqual(['loading', event, 'loading gone', 'address reset']);
});

it.each([
  ['no type', { access_token: 't' }],
  ['no token', { token_type: 'Bearer' }],
  ['nothing', null],
  ['an error', failWith(50000)],
])('WeChat’s callback does not sign in and does not redirect again when the answer has %s', async (_, answer) => {
  const requests = stubNetwork({ [exchange]: answer, [redirect]: { url: 'https://open.wechat.example' } });
  await checkWechat(session(), callback, inWechat);
  expect(events).toEqual(['loading', 'loading gone', 'address reset']);
  await checkWechat(session(), at(''), inWechat);
  expect(requests).toHaveLength(1);
});

it.each(['?code=c1', '?state=s1', '?code=&state=s1'])(
  'WeChat’s callback needs both code and state: %s',
  async (search) => {
    const requests = stubNetwork({});
    await checkWechat(session(), at(search), elsewhere);
    expect(requests).toEqual([]);
  },
);

it('the redirect to WeChat is requested for this address and followed, inside WeChat', async () => {
  const requests = stubNetwork({ [redirect]: { url: 'https://open.wechat.example/authorize' } });
  await checkWechat(session(), at('?from=mail'), inWechat);
  expect(requests[0]?.params).toEqual({ callback: 'https://shop.example/home?from=mail' });
  expect(events).toEqual(['leave for https://open.wechat.example/authorize']);
});

it.each([
  ['outside WeChat', elsewhere, {}],
  ['when the openid is known', inWechat, { openid: 'o1' }],
])('the redirect to WeChat is not requested %s', async (_, userAgent, of) => {
  const requests = stubNetwork({});
  await checkWechat(session(of), at(''), userAgent);
  expect(requests).toEqual([]);
  expect(events).toEqual([]);
});

it.each([
  ['the call fails', failWith(50000)],
  ['there is no address', { url: '' }],
])('the redirect to WeChat does not happen when %s', async (_, answer) => {
  stubNetwork({ [redirect]: answer });
  await checkWechat(session(), at(''), inWechat);
  expect(events).toEqual([]);
});
