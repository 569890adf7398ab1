/** What a remote declares in its `remote.json`: known to the shell, the server and the gate before any of its code is loaded. */

/** Version of this contract; the gate refuses a release of another one. */
export const CONTRACT_VERSION = 1;

export type LocalText = string | Readonly<Record<'zh-CN' | 'en', string>>;

/** Layout flags (docs/product.md#layout). Default false, except `keepAlive` and `layout`. */
export interface RouteFlags {
  tabBar?: boolean;
  topBar?: boolean;
  placeholder?: boolean;
  fixed?: boolean;
  transparent?: boolean;
  showTitle?: boolean;
  search?: boolean;
  back?: boolean;
  /** The page has the narrow column of forms and text, so that its heading stands above it before its code has come. */
  narrow?: boolean;
  /** Default true: the page keeps state, data and scroll position when the visitor returns. */
  keepAlive?: boolean;
  requiresLogin?: boolean;
  /** Default true; false renders outside the layout (/youxi). */
  layout?: boolean;
}

export interface FirstCall {
  /** A GET of the API, with the same query as the page's own call. ':id' is replaced by the route's parameter. */
  url: string;
  /** Only for addresses without a query, because a query changes the call. */
  plain?: boolean;
  /** Path of the largest picture's address in the response, such as '0.image'. The picture is preloaded. */
  picture?: string;
}

export interface RouteContract {
  /** React Router syntax: '/hello/:name'. */
  path: string;
  /** The exposed module: './product'. */
  page: string;
  /** Source file, for the build only. */
  module: string;
  title: LocalText;
  /**
   * What the page shows, in a word that the product has registered: 'article'. Documents are described by it and by the parameters,
   * whatever the path is.
   */
  kind?: string;
  /** Parameters of the kind that the path does not hold: { id: 'privacy' }. */
  parameters?: Readonly<Record<string, string>>;
  /** One or two sentences about the page for search engines and previews of links. */
  description?: LocalText;
  flags?: RouteFlags;
  /** Names of the query's parameters that change what the page shows. A server draws no page for others. */
  query?: readonly string[];
  /** The page's first calls, most important first. The document starts them before any script is loaded. */
  firstCalls?: readonly FirstCall[];
}

export interface NavigationEntry {
  path: string;
  label: Readonly<Record<'zh-CN' | 'en', string>>;
  icon: string;
  order: number;
  /** A number of whoever is signed in that stands on the entry while it is not zero. */
  count?: 'unreadNotices';
}

/**
 * Where the visitors of a remote's pages are to get: of those who have reached `from`, no fewer reach `to` than with the release before.
 * Steps are words of the product, and 'visit', which every visit reaches.
 */
export interface StepRule {
  from: string;
  to: string;
  /** What is bad: that it falls, which is the default, or that it rises. */
  direction?: 'falls' | 'rises';
  /** By how much, as a share of the release before; 0.1, a tenth, without it. */
  bound?: number;
  /** Says what it would have done, and does nothing. */
  dryRun?: boolean;
}

export interface RemoteContract {
  $schema?: string;
  name: string;
  contract: typeof CONTRACT_VERSION;
  routes: readonly RouteContract[];
  tabBar?: readonly NavigationEntry[];
  drawer?: readonly NavigationEntry[];
  /** Pages of remotes that live elsewhere, to which this one links: name to path. The gate asks for a live route of each that is linked to. */
  links?: Readonly<Record<string, string>>;
  /** Shares in per cent for `promote --canary auto`; default 10, 25, 50, 100. */
  canary?: readonly number[];
  /** By which the watcher judges a canary of it. */
  steps?: readonly StepRule[];
}

/** What the tab of a page says; `title` may name the site itself. */
export function documentTitle(title: string, brand: string): string {
  if (!title) return brand;
  return title.includes(brand) ? title : `${title} - ${brand}`;
}

export function localText(text: LocalText, language: 'zh-CN' | 'en'): string {
  return typeof text === 'string' ? text : text[language];
}
