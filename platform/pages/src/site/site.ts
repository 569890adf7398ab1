import { SITE_NAME } from './site-name';

/** Texts of the document before any script runs; the shell's own are in shell/src/texts.ts. */
export const SITE = {
  name: SITE_NAME,
  description: {
    'zh-CN': '游戏充值与点卡，到账快。',
    en: 'Game top-ups and game cards, delivered at once.',
  },
  failed: {
    'zh-CN': '商店没能打开。请检查网络后重试。',
    en: 'The shop could not be opened. Please check your connection and try again.',
  },
  again: { 'zh-CN': '重试', en: 'Try again' },
  home: { 'zh-CN': '首页', en: 'Home' },
  notFound: { 'zh-CN': '页面不存在', en: 'Page not found' },
  forbidden: { 'zh-CN': '没有访问权限', en: 'Access is forbidden' },
  themeColor: { light: '#ffffff', dark: '#14141c' },
} as const;

/** Served as /icon.svg. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#5a3df0"/><path fill="#fff" d="m32 11 6.3 13.2 14.5 1.9-10.6 10 2.7 14.4L32 43.5l-12.9 7 2.7-14.4-10.6-10 14.5-1.9z"/></svg>\n';

/** Brand pictures of server/seed/media; a test of the server compares the two. */
const png = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/media/brand-${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});
const icon512 = png('icon-512.d5d9639fe8', 512, 'any');
/** Of link previews and search results. */
export const SITE_ICON = { src: icon512.src, size: { width: 512, height: 512 } };
export const APPLE_TOUCH_ICON = '/media/brand-apple-touch-icon.1cdc4770c4.png';

/** Served as /manifest.webmanifest. */
export const WEB_MANIFEST = `${JSON.stringify({
  id: '/home',
  name: `${SITE.name['zh-CN']} ${SITE.name.en}`,
  short_name: SITE.name['zh-CN'],
  description: SITE.description['zh-CN'],
  lang: 'zh-CN',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f4fa',
  theme_color: SITE.themeColor.light,
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
})}\n`;
