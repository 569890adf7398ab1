import type { PageMap } from './release-map';

/** The version of a release and the folder that contains its files, as published. */
export interface SetRelease {
  version: string;
  directory: string;
}

export interface ReleaseSet {
  id: string;
  shell: SetRelease;
  remotes: Record<string, SetRelease>;
  /** The release map of this set: routes, titles, navigation. It contains one release of each name. */
  map: PageMap;
}

export interface RenderRequest {
  /** Path and those query parameters that the route names, as the router sees them. */
  path: string;
  language: 'zh-CN' | 'en';
  currency: 'CNY' | 'USD';
  theme: 'light' | 'dark';
  /** The answers belong to a signed-in user. */
  isSignedIn?: boolean;
  /** The visitor must sign in first: the shell renders its sign-in dialog above the page. */
  asksToSignIn?: boolean;
  /** The full responses of the page's calls, by address. */
  answers: Record<string, unknown>;
  /** Answers may be missing. If a loader lacks one, the page need not be rendered, since only `wanted` counts then. */
  isDraft?: boolean;
}

export interface RenderedPage {
  html: string;
  /** JSON of the answers that the page has used; not yet escaped for a script element. */
  queryState: string;
  /** Calls of the page that had no answer in the request: with these answers it renders more. At most `MAX_WANTED`. */
  wanted: string[];
  /** Largest picture of the first screen, to be preloaded. */
  image?: { href: string; srcset?: string; sizes?: string };
}

/** `createRenderer(set: ReleaseSet)` of `<directory>/server/main.js` (CommonJS) in a shell's release resolves to it. */
export interface PageRenderer {
  /**
   * Renders one page after another, so that pages cannot mix. Waits for nothing outside the process. Rejects when the page cannot
   * be rendered.
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}

export const MAX_WANTED = 8;

/** The file of a release's server build, relative to the release's folder: the shell's main module or a remote's container. */
export const SERVER_MAIN = 'server/main.js';
