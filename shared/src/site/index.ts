/** Texts of documents before any script runs (`Site` of @platform/pages); the shell's own texts are in shell/src/texts.ts. */

const name = { 'zh-CN': '星点', en: 'Stardot' };
const description = {
  'zh-CN': '游戏充值与点卡，到账快。',
  en: 'Game top-ups and game cards, delivered at once.',
};
const themeColor = { light: '#ffffff', dark: '#14141c' };

/** Brand pictures of server/seed/media; a test of the server compares the two. */
const png = (file: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/media/brand-${file}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});
const icon512 = png('icon-512.d5d9639fe8', 512, 'any');

const webManifest = {
  id: '/home',
  name: `${name['zh-CN']} ${name.en}`,
  short_name: name['zh-CN'],
  description: description['zh-CN'],
  lang: 'zh-CN',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f4fa',
  theme_color: themeColor.light,
  icons: [
    png('icon-192.d40bf73bae', 192, 'any'),
    icon512,
    png('icon-maskable-512.4bebdf5a4e', 512, 'maskable'),
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
  shortcuts: [
    { name: '我的订单', url: '/order' },
    { name: '搜索游戏', url: '/search' },
  ],
};

export const SITE = {
  name,
  description,
  failed: {
    'zh-CN': '商店没能打开。请检查网络后重试。',
    en: 'The shop could not be opened. Please check your connection and try again.',
  },
  again: { 'zh-CN': '重试', en: 'Try again' },
  home: { 'zh-CN': '首页', en: 'Home' },
  notFound: { 'zh-CN': '页面不存在', en: 'Page not found' },
  forbidden: { 'zh-CN': '没有访问权限', en: 'Access is forbidden' },
  needsScript: { 'zh-CN': '请启用 JavaScript 后使用本商店。', en: 'This shop needs JavaScript.' },
  offline: {
    'zh-CN': '离线时不会下单，也不会扣款；联网后会自动回到刚才的页面。',
    en: 'Nothing is ordered or paid while you are offline. This page returns by itself once you are back.',
  },
  themeColor,
  iconSvg:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#5a3df0"/><path fill="#fff" d="m32 11 6.3 13.2 14.5 1.9-10.6 10 2.7 14.4L32 43.5l-12.9 7 2.7-14.4-10.6-10 14.5-1.9z"/></svg>\n',
  icon: { src: icon512.src, size: { width: 512, height: 512 } },
  appleTouchIcon: '/media/brand-apple-touch-icon.1cdc4770c4.png',
  webManifest,
  publicCalls: ['app/config', 'article/', 'customModule/', 'goods/', 'search/', 'swiper/'].map(
    (call) => `/api/front/${call}`,
  ),
  serverRoutes: [
    '/api/*',
    '/cashier/*',
    '/dev/*',
    '/docs/*',
    '/healthz/*',
    '/livez/*',
    '/media/*',
    '/metrics/*',
    '/openapi.json',
    '/ops/*',
    '/r/*',
    '/releases/*',
    '/robots.txt',
    '/sitemap.xml',
    '/staff/*',
    '/uploads/*',
  ],
  boot: {
    tokenKey: 'token',
    calls: { public: '/api/front/app/config', user: '/api/front/user/info' },
    currencies: { 'zh-CN': 'CNY', en: 'USD' },
  },
  trustedTypes: ['shop-html', 'dompurify'],
};
