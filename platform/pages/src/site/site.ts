/** The calls of the site that the boot scripts need; the document defines it before them. */
export interface BootSite {
  tokenKey: string;
  calls: { public: string; user: string };
  currencies: Readonly<Record<'zh-CN' | 'en', string>>;
}

type BothLanguages = Readonly<Record<'zh-CN' | 'en', string>>;

export interface Site {
  name: BothLanguages;
  description: BothLanguages;
  failed: BothLanguages;
  again: BothLanguages;
  home: BothLanguages;
  notFound: BothLanguages;
  forbidden: BothLanguages;
  needsScript: BothLanguages;
  offline: BothLanguages;
  themeColor: { light: string; dark: string };
  /** Served as /icon.svg. */
  iconSvg: string;
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
