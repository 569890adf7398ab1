import type { Shell } from '../shell-context';

/** Few visits need it: the code is loaded only in WeChat's browser, or after its authorisation. */
export async function runWechatCheck({ session }: Shell): Promise<void> {
  if (!/[?&]code=|MicroMessenger/i.test(`${window.location.search} ${navigator.userAgent}`)) return;
  try {
    const { checkWechat } = await import('./wechat');
    await checkWechat(session);
  } catch {
    // The shop works without WeChat.
  }
}
