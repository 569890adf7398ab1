/** What the probe saw in a page (page-probe.ts), as the gate reads it. */

/** Where the page keeps the probe. */
export const PROBE = 'release.gate';

export interface ProbeOptions {
  /** The name and the addresses of the release under test: its global, and the folder of its files. */
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
  /** To the bottom of the page and back. */
  scroll(): Promise<void>;
  /** `step`: only open dialogs while there are any, and nothing when the page is as it was at the last audit. */
  audit(root: string, step: boolean): Promise<string[]>;
  /** Visible controls that say that they open something. */
  openers(root: string): HTMLElement[];
  /** Visible buttons that do not say whether they open something. */
  buttons(root: string): HTMLElement[];
  hasDialog(): boolean;
  /** Controls on which a press does not land. */
  covered(): string[];
  /** Why nothing of the page can be seen; '' when something can. */
  emptiness(): string;
}

export interface ProbeReport {
  /** Singletons that two releases provide and that were both loaded. */
  copies: string[];
  /** Elements that let the browser look up or ask another origin without a request that the policy sees. */
  hints: string[];
  violations: Array<{ directive: string; blocked: string; place: SourcePlace | null }>;
  /** The sum of unexpected layout shifts, and the elements that moved, furthest first. */
  layoutShift: { score: number; moved: string[] };
  /** What search engines and browsers obey in a head. */
  head: Record<'robots' | 'canonical' | 'base' | 'refresh', string>;
  title: string;
  /** Names that the page's code added to `window`. */
  globals: string[];
  /** Built-in functions and prototypes that the page's code replaced or extended: 'fetch', 'Array.prototype.last'. */
  patched: string[];
  /** Storage keys written by the release's own files. */
  stored: Array<{ key: string; place: SourcePlace | null }>;
  /** Style rules of the release that match elements outside its pages. */
  styles: Array<{ url: string; selector: string; matches: string }>;
}
