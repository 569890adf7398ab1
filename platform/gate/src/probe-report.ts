export const PROBE = 'release.gate';

export interface ProbeOptions {
  name: string;
  base: string;
  container: string;
}

export interface SourcePlace {
  url: string;
  line: number;
  column: number;
}

export interface ProbeReport {
  copies: string[];
  /** Elements that let the browser resolve or contact another origin without a request that the Content-Security-Policy sees. */
  hints: string[];
  violations: Array<{ directive: string; blocked: string; place: SourcePlace | null }>;
  /** The sum of unexpected layout shifts, and the elements that moved, furthest first. */
  layoutShift: { score: number; moved: string[] };
  head: Record<'robots' | 'canonical' | 'base' | 'refresh', string>;
  title: string;
  globals: string[];
  /** Built-in functions and prototypes that the page's code replaced or extended: 'fetch', 'Array.prototype.last'. */
  patched: string[];
  stored: Array<{ key: string; place: SourcePlace | null }>;
  styles: Array<{ url: string; selector: string; matches: string }>;
}
