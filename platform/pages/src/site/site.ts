type BothLanguages = Readonly<Record<'zh-CN' | 'en', string>>;

/** What documents say of the site that they belong to, before any script runs. */
export interface Site {
  name: BothLanguages;
  description: BothLanguages;
  /** The page could not be opened. */
  failed: BothLanguages;
  again: BothLanguages;
  home: BothLanguages;
  notFound: BothLanguages;
  forbidden: BothLanguages;
  /** For browsers without scripts. */
  needsScript: BothLanguages;
  /** On the offline page, below what it says itself. */
  offline: BothLanguages;
  themeColor: { light: string; dark: string };
  /** Served as /icon.svg. */
  iconSvg: string;
  /** Of link previews and search results. */
  icon: { src: string; size: { width: number; height: number } };
  appleTouchIcon: string;
  /** Served as /manifest.webmanifest. */
  webManifest: object;
  /** Paths of calls that a search engine needs when it runs a page. */
  publicCalls: readonly string[];
  /** Patterns of the addresses that the product's server answers itself, which no remote may claim. */
  serverRoutes: readonly string[];
  /** Names of the policies that the shell's own libraries create besides the loader's. */
  trustedTypes: readonly string[];
}

const both = (zh: string, en: string): BothLanguages => ({ 'zh-CN': zh, en });
const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="28" fill="#555"/></svg>\n';

/** Of a product that has not said what it is. */
let current: Site = {
  name: both('网站', 'Site'),
  description: both('', ''),
  failed: both(
    '页面没能打开。请检查网络后重试。',
    'The page could not be opened. Please check your connection and try again.',
  ),
  again: both('重试', 'Try again'),
  home: both('首页', 'Home'),
  notFound: both('页面不存在', 'Page not found'),
  forbidden: both('没有访问权限', 'Access is forbidden'),
  needsScript: both('请启用 JavaScript。', 'This site needs JavaScript.'),
  offline: both('联网后会自动回到刚才的页面。', 'This page returns by itself once you are back.'),
  themeColor: { light: '#ffffff', dark: '#000000' },
  iconSvg: DOT,
  icon: { src: '/icon.svg', size: { width: 64, height: 64 } },
  appleTouchIcon: '/icon.svg',
  webManifest: {},
  publicCalls: [],
  serverRoutes: [],
  trustedTypes: [],
};

/** Call once, before the first document is composed. */
export function describeSite(site: Site): void {
  current = site;
}

export const site = (): Site => current;
