import { readForTab, writeForTab } from '@platform/host/storage';
import { toast } from '@shop/shared/ui';
import type { Shell } from '../shell-context';
import { t } from './texts';
import { checkWechat } from './wechat';

const failedKey = 'wechat-failed';

export function checkInShell({ session }: Shell): Promise<void> {
  return checkWechat(window.location, navigator.userAgent, {
    openid: () => session.user?.openid ?? '',
    hasUser: () => session.hasUser,
    refreshUser: () => session.refreshUser(),
    signIn: (answer) => session.signIn(answer),
    showLoading: () => toast.loading(t('wechat.authorising')),
    resetAddress: () => window.location.replace(window.location.origin),
    leaveFor: (url) => window.location.assign(url),
    hasFailed: () => readForTab(failedKey) !== '',
    rememberFailure: () => writeForTab(failedKey, '1'),
  });
}
