import { stubNetwork } from '@shop/shared/testing';
import type { Shell } from '../shell-context';
import { runWechatCheck } from './run-wechat-check';

const shell = { session: { user: null, hasUser: false } } as unknown as Shell;
const inBrowser = (userAgent: string) => jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);

it('requests the authorisation only in WeChat’s browser', async () => {
  const requests = stubNetwork({ 'GET /api/wechat/wxcode': { url: '' } });
  inBrowser('Mozilla/5.0 (iPhone) Safari');
  await runWechatCheck(shell);
  expect(requests).toEqual([]);
  inBrowser('Mozilla/5.0 (iPhone) MicroMessenger/8.0.50');
  await runWechatCheck(shell);
  expect(requests).toMatchObject([{ url: '/api/wechat/wxcode' }]);
});
