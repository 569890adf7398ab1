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
  /** Names of the policies that the shell's own libraries create besides the loader's. */
  trustedTypes: readonly string[];
}
