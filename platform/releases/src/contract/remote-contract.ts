/**
 * The contract that a remote declares in its `remote.json`. The shell, the server and the gate read it before any of its code is loaded.
 */

/** Version of this contract; the gate refuses a release of another version. */
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
  /** The page has the narrow column of forms and text, so the shell can place its heading before the page's code has loaded. */
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
  module: string;
  title: LocalText;
  /**
   * The kind of content, as a word that the product has registered: 'article'. The server describes the document by the kind and
   * the parameters, independent of the path.
   */
  kind?: string;
  /** Parameters of the kind that the path does not contain: { id: 'privacy' }. */
  parameters?: Readonly<Record<string, string>>;
  /** One or two sentences about the page for search engines and link previews. */
  description?: LocalText;
  flags?: RouteFlags;
  /** Names of the query parameters that change the page. The server renders no page for an address with other parameters. */
  query?: readonly string[];
  /** The page's first calls, most important first. The document starts them before any script is loaded. */
  firstCalls?: readonly FirstCall[];
}

export interface NavigationEntry {
  path: string;
  label: Readonly<Record<'zh-CN' | 'en', string>>;
  icon: string;
  order: number;
  /** A count of the signed-in user that the entry shows while it is not zero. */
  count?: 'unreadNotices';
}

/**
 * A rule about the visitors of a remote's pages: of the visits that reached `from`, the share that reaches `to` must not be lower
 * than with the previous release. Steps are words of the product, and 'visit', which every visit reaches.
 */
export interface StepRule {
  from: string;
  to: string;
  /** The largest allowed fall, as a share of the previous release; default 0.1. */
  bound?: number;
  /** Only reports what the rule would have done. */
  dryRun?: boolean;
}

export interface RemoteContract {
  $schema?: string;
  name: string;
  contract: typeof CONTRACT_VERSION;
  routes: readonly RouteContract[];
  tabBar?: readonly NavigationEntry[];
  drawer?: readonly NavigationEntry[];
  /** Pages of remotes in other repositories to which this one links: name to path. The gate requires a live route for each. */
  links?: Readonly<Record<string, string>>;
  /** Shares in per cent for `promote --canary auto`; default 10, 25, 50, 100. */
  canary?: readonly number[];
  /** Rules by which the watcher judges a canary of this remote. */
  steps?: readonly StepRule[];
}

export type Visitor = 'guest' | 'signed in';

export type FlowRole =
  | 'alert'
  | 'button'
  | 'checkbox'
  | 'combobox'
  | 'dialog'
  | 'heading'
  | 'link'
  | 'listitem'
  | 'option'
  | 'radio'
  | 'searchbox'
  | 'spinbutton'
  | 'switch'
  | 'tab'
  | 'textbox';

/** Each step waits for its element, 5 s at most, and uses the first match. */
export type FlowStep =
  | { press: FlowRole; name: LocalText }
  | { fill: FlowRole; name: LocalText; value: LocalText }
  | { see: FlowRole; name: LocalText }
  | { read: LocalText }
  /** Waits until the address has this path. ':id' stands for any segment. */
  | { arrive: string }
  /**
   * Waits until the page shows what the API answered: `value` in the last answer to the path `agrees`, such as
   * 'data.items.0.price', with '*' for each item of a list.
   */
  | { agrees: string; value: string; as: 'text' | 'money' };

/**
 * A flow: what the browser gate does on a squad's pages besides opening them. Flows are data, not code: they are published with
 * the release, and the process that runs the gate (a command, /ops) runs no code of a squad outside its own pages.
 */
export interface GateFlow {
  name: string;
  route: string;
  /** The address to open if the route has parameters or needs a query. Default: the route, with 1 for each parameter. */
  address?: string;
  visitor: Visitor;
  steps: readonly FlowStep[];
}

/** The title of a page's tab; `title` may contain the brand itself. */
export function documentTitle(title: string, brand: string): string {
  if (!title) return brand;
  return title.includes(brand) ? title : `${title} - ${brand}`;
}

export function localText(text: LocalText, language: 'zh-CN' | 'en'): string {
  return typeof text === 'string' ? text : text[language];
}
