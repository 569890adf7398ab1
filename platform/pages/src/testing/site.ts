import type { DocumentOptions } from '../serving/document-responses';
import type { Site } from '../site/site';

export const CONFIG = '/api/front/app/config';

export const SITE: Site = {
  name: { 'zh-CN': '星点', en: 'Stardot' },
  description: { 'zh-CN': '游戏充值与点卡，到账快。', en: 'Game top-ups and game cards, delivered at once.' },
  failed: { 'zh-CN': '商店没能打开。请检查网络后重试。', en: 'The shop could not be opened.' },
  again: { 'zh-CN': '重试', en: 'Try again' },
  home: { 'zh-CN': '首页', en: 'Home' },
  notFound: { 'zh-CN': '页面不存在', en: 'Page not found' },
  forbidden: { 'zh-CN': '没有访问权限', en: 'Access is forbidden' },
  needsScript: { 'zh-CN': '请启用 JavaScript 后使用本商店。', en: 'This shop needs JavaScript.' },
  offline: { 'zh-CN': '离线时不会下单，也不会扣款。', en: 'Nothing is ordered or paid while you are offline.' },
  themeColor: { light: '#ffffff', dark: '#14141c' },
  iconSvg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle r="9"/></svg>\n',
  icon: { src: '/media/brand-icon-512.d5d9639fe8.png', size: { width: 512, height: 512 } },
  appleTouchIcon: '/media/brand-apple-touch-icon.1cdc4770c4.png',
  webManifest: { id: '/home', start_url: '/home' },
  publicCalls: ['/api/front/goods/'],
  boot: {
    tokenKey: 'token',
    calls: { public: CONFIG, user: '/api/front/user/info' },
    currencies: { 'zh-CN': 'CNY', en: 'USD' },
  },
  trustedTypes: ['shop-html', 'dompurify'],
};

export const guestAnswers =
  (textOf: (address: string) => string | undefined): NonNullable<DocumentOptions['guestIn']> =>
  (language) => ({
    currency: language === 'en' ? 'USD' : 'CNY',
    async ask(address) {
      const text = textOf(address) ?? 'asked';
      return { tag: text, envelope: () => ({ code: 200, data: text }) };
    },
    tagOf: textOf,
  });
