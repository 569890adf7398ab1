import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'shell',
  pairs({
    brand: ['星点', 'Stardot'],
    mainNavigation: ['主导航', 'Main'],
    unread: ['条未读通知', 'unread notices'],
    openMenu: ['打开菜单', 'Open menu'],
    menu: ['菜单', 'Menu'],
    search: ['搜索游戏', 'Search games'],
    back: ['返回', 'Back'],
    skipToContent: ['跳到内容', 'Skip to content'],
    backToTop: ['回到顶部', 'Back to top'],
    articles: ['协议与说明', 'Agreements and guides'],
    follow: ['关注我们', 'Follow us'],
    contactSupport: ['联系客服', 'Contact support'],
    loadingPage: ['页面加载中', 'Loading page'],
    theme: {
      toDark: ['切换到深色', 'Switch to dark'],
      toLight: ['切换到浅色', 'Switch to light'],
    },
    languageSwitch: ['Switch to English', '切换到中文'],
    pageError: {
      title: ['这个页面没能打开', 'This page could not be opened'],
      text: ['请稍后重试，其他页面可以正常使用。', 'Try again in a moment. Other pages still work.'],
      retry: ['重试', 'Try again'],
    },
    notFound: {
      title: ['页面不存在', 'Page not found'],
      text: ['链接可能已失效，去首页看看吧。', 'The link may be out of date. Try the home page.'],
      home: ['返回首页', 'Go home'],
    },
    forbidden: {
      title: ['没有访问权限', 'Access is forbidden'],
      text: ['你没有权限查看这个页面。', 'You do not have access to this page.'],
      home: ['返回首页', 'Go home'],
    },
    login: {
      title: ['登录', 'Sign in'],
      abnormal: ['登录接口异常', 'login interface abnormal'],
    },
    greeting: {
      earlyMorning: ['早上好，{{name}}', 'Good morning, {{name}}'],
      morning: ['上午好，{{name}}', 'Good morning, {{name}}'],
      noon: ['中午好，{{name}}', 'Good afternoon, {{name}}'],
      afternoon: ['下午好，{{name}}', 'Good afternoon, {{name}}'],
      evening: ['晚上好，{{name}}', 'Good evening, {{name}}'],
    },
    offline: {
      notice: ['网络已断开，内容可能不是最新', 'You are offline; content may be out of date'],
      refused: [
        '网络已断开：没有提交，也没有扣款。联网后请再试一次。',
        'You are offline: nothing was sent and nothing was charged. Try again when you are back online.',
      ],
    },
  }),
);
