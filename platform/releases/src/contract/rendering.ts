import type { PageMap } from './release-map';

/** What the server, its renderer processes and the server builds of releases agree on. */

/** Which release: its version and the folder that holds its files, as published. */
export interface SetRelease {
  version: string;
  directory: string;
}

/** Where the releases of a document lie on disk. Sets with equal ids render the same. */
export interface ReleaseSet {
  id: string;
  shell: SetRelease;
  /** By name. */
  remotes: Record<string, SetRelease>;
  /** The release map of this set (`PageMap`): routes, titles, navigation. It offers one release of each name. */
  map: PageMap;
}

export interface RenderRequest {
  /** Path and those query parameters that the route names, as the router sees them. */
  path: string;
  language: 'zh-CN' | 'en';
  currency: 'CNY' | 'USD';
  theme: 'light' | 'dark';
  /** The answers are a signed-in user's. */
  isSignedIn?: boolean;
  /** Whoever opens the page is first asked to sign in: the shell draws its dialog above it. */
  asksToSignIn?: boolean;
  /** The responses of the calls that the page makes, whole, by address. */
  answers: Record<string, unknown>;
  /** Answers may be missing: a page whose loader lacks one need not be drawn, since only `wanted` counts then. */
  isDraft?: boolean;
}

export interface RenderedPage {
  /** What stands inside `#root`. */
  html: string;
  /** JSON of the answers that the page has used; not yet escaped for a script element. */
  queryState: string;
  /** Calls that the page has made without an answer in the request: with theirs it draws more. At most `MAX_WANTED`. */
  wanted: string[];
  /** Largest picture of the first screen, to be preloaded. */
  image?: { href: string; srcset?: string; sizes?: string };
}

/** What `<directory>/server/main.js` of a shell's release exports (CommonJS). */
export interface ServerBuild {
  createRenderer(set: ReleaseSet): Promise<PageRenderer>;
}

export interface PageRenderer {
  /**
   * Draws one page after another, so that pages cannot mix. Waits for nothing outside the process. Rejects when the page cannot be
   * rendered.
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}

export const MAX_WANTED = 8;

/** The file of a release's server build, relative to the release's folder: the shell's main module or a remote's container. */
export const SERVER_MAIN = 'server/main.js';
