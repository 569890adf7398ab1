import { translate } from '@shop/shared/i18n';
import { toast } from '@shop/shared/ui';
import type { Shell } from '../shell-context';
import { readForTab, writeForTab } from '../storage';
import { checkWechat } from './wechat';

const failedKey = 'wechat-failed';

export function runWechatCheck({ session }: Shell): Promise<void> {
  return checkWechat(window.location, navigator.userAgent, {
    openid: () => session.user?.openid ?? '',
    hasUser: () => session.hasUser,
    refreshUser: () => session.refreshUser(),
    signIn: (answer) => session.signIn(answer),
    showLoading: () => toast.loading(translate('wechat.authorising', { ns: 'shell' })),
    resetAddress: () => window.location.replace(window.location.origin),
    leaveFor: (url) => window.location.assign(url),
    hasFailed: () => readForTab(failedKey) !== '',
    rememberFailure: () => writeForTab(failedKey, '1'),
  });
}
