import type { Shell } from '../shell-context';

/** Of few visits: the code for it comes only to those that WeChat's browser makes, or that come back from its authorisation. */
export async function runWechatCheck(shell: Shell): Promise<void> {
  if (!/[?&]code=|MicroMessenger/i.test(`${window.location.search} ${navigator.userAgent}`)) return;
  try {
    const { checkInShell } = await import('./check-in-shell');
    await checkInShell(shell);
  } catch {
    // The shop works without WeChat.
  }
}
