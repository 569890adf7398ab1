import { createTexts } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts('shell', {
  brand: ['星点', 'Stardot'],
  mainNavigation: ['主导航', 'Main'],
  unread: ['条未读通知', 'unread notices'],
  openMenu: ['打开菜单', 'Open menu'],
  search: ['搜索游戏', 'Search games'],
  account: ['我的账号', 'My account'],
  back: ['返回', 'Back'],
  skipToContent: ['跳到内容', 'Skip to content'],
  backToTop: ['回到顶部', 'Back to top'],
  loadingPage: ['页面加载中', 'Loading page'],
  theme: {
    toDark: ['切换到深色', 'Switch to dark'],
    toLight: ['切换到浅色', 'Switch to light'],
  },
  languageSwitch: ['Switch to English', '切换到中文'],
  languageShort: ['EN · $', '中 · ¥'],
  pageError: {
    title: ['这个页面没能打开', 'This page could not be opened'],
    text: ['请检查网络，或稍后再试。', 'Check your connection, or try again in a moment.'],
    retry: ['重试', 'Try again'],
  },
  notFound: {
    title: ['页面不存在', 'Page not found'],
    text: ['链接可能已失效，去首页看看吧。', 'The link may be out of date. Try the home page.'],
    home: ['返回首页', 'Go home'],
  },
  forbidden: ['没有访问权限', 'Access is forbidden'],
  login: {
    title: ['登录', 'Sign in'],
    signingOut: ['正在退出登录…', 'Signing out…'],
    ended: ['登录已失效，请重新登录', 'You’ve been signed out. Please sign in again.'],
    abnormal: ['登录出错了，请再试一次', 'Sign-in failed. Please try again.'],
  },
  offline: {
    notice: ['网络已断开，内容可能不是最新', 'You’re offline. What you see may be out of date.'],
    refused: [
      '网络已断开：没有提交，也没有扣款。联网后请再试一次。',
      'You’re offline: nothing was sent or charged. Try again when you’re back online.',
    ],
  },
});
