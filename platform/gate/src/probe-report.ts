/** The report of the probe in a page (page-probe.ts) to the gate. */

/** Key of the symbol under which the page stores the probe. */
export const PROBE = 'release.gate';

export interface ProbeOptions {
  /** The release under test: its name, the URL of its folder, and the global of its container. */
  name: string;
  base: string;
  container: string;
}

export interface SourcePlace {
  url: string;
  line: number;
  column: number;
}

export interface Probe {
  report(): ProbeReport;
  /** Scrolls to the bottom of the page and back. */
  scroll(): Promise<void>;
  /** `step`: audits only open dialogs while there are any, and nothing if the page has not changed since the last audit. */
  audit(root: string, step: boolean): Promise<string[]>;
  /** Visible controls that announce that they open something. */
  openers(root: string): HTMLElement[];
  /** Visible buttons that do not announce whether they open something. */
  buttons(root: string): HTMLElement[];
  hasDialog(): boolean;
  /** Controls that a click does not reach, because another element covers them. */
  covered(): string[];
  /** Why nothing of the page is visible; '' if something is. */
  emptiness(): string;
}

export interface ProbeReport {
  /** Singletons that two releases provide and that were both loaded. */
  copies: string[];
  /** Elements that let the browser resolve or contact another origin without a request that the Content-Security-Policy sees. */
  hints: string[];
  violations: Array<{ directive: string; blocked: string; place: SourcePlace | null }>;
  /** The sum of unexpected layout shifts, and the elements that moved, furthest first. */
  layoutShift: { score: number; moved: string[] };
  /** The parts of a head that search engines and browsers obey. */
  head: Record<'robots' | 'canonical' | 'base' | 'refresh', string>;
  title: string;
  /** Names that the page's code added to `window`. */
  globals: string[];
  /** Built-in functions and prototypes that the page's code replaced or extended: 'fetch', 'Array.prototype.last'. */
  patched: string[];
  /** Storage keys that the release's own files wrote. */
  stored: Array<{ key: string; place: SourcePlace | null }>;
  /** Style rules of the release that match elements outside its pages. */
  styles: Array<{ url: string; selector: string; matches: string }>;
}
