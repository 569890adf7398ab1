/** What the document says before any script runs. The shell's own texts stand in shell/src/texts.ts. */
export const SITE = {
  name: { 'zh-CN': '星点', en: 'Stardot' },
  description: {
    'zh-CN': '游戏充值与点卡，到账快。',
    en: 'Game top-ups and game cards, delivered at once.',
  },
  themeColor: { light: '#ffffff', dark: '#14141c' },
} as const;

/** Served as /icon.svg. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="#5a3df0"/><path fill="#fff" d="m32 11 6.3 13.2 14.5 1.9-10.6 10 2.7 14.4L32 43.5l-12.9 7 2.7-14.4-10.6-10 14.5-1.9z"/></svg>\n';

/** Served as /manifest.webmanifest. */
export const WEB_MANIFEST = `${JSON.stringify({
  name: SITE.name['zh-CN'],
  short_name: SITE.name['zh-CN'],
  description: SITE.description['zh-CN'],
  lang: 'zh-CN',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: '#f5f4fa',
  theme_color: SITE.themeColor.light,
  icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
})}\n`;
