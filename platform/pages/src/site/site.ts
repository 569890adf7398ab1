/** What the boot scripts know of the site's calls; the document defines it before them. */
export interface BootSite {
  /** Of the session's token in local storage. */
  tokenKey: string;
  /** Addresses of the calls that every page makes: for everybody, and with a token. */
  calls: { everybody: string; user: string };
  /** By language, what prices are asked for in. */
  currencies: Readonly<Record<'zh-CN' | 'en', string>>;
}

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
  boot: BootSite;
  /** Names of the policies that the shell's own libraries create besides the loader's. */
  trustedTypes: readonly string[];
}
