import { readFileSync } from 'node:fs';
import { type GateContext, releaseBase, SHELL } from '@platform/releases';
import type { ElementHandle, Page } from 'playwright-core';
import type { Probe } from './page-probe';
import { PROBE, type ProbeOptions, type ProbeReport, type SourcePlace } from './probe-report';

export type ReleaseSource = ReturnType<typeof releaseSource>;

const PROBE_IN_PAGE = `globalThis[Symbol.for('${PROBE}')]`;

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

let axeSource: string | null = null;
function axe(): string {
  axeSource ??= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}

export function releaseSource({ manifest }: Pick<GateContext, 'manifest'>, probe: string) {
  const { name, version } = manifest;
  const isShell = name === SHELL;
  const base = releaseBase(name, version);
  const options: ProbeOptions = { name, base, container: manifest.container ?? '' };
  const root = isShell ? 'body' : `[data-remote="${name}"]:not([hidden])`;

  const fileOf = (url: string) => {
    const at = url.indexOf(base);
    return at < 0 ? url : url.slice(at + base.length);
  };
  const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

  const controls = async (page: Page, which: 'openers' | 'buttons'): Promise<ElementHandle[]> => {
    const list = await page.evaluateHandle(
      ({ key, which, root }) => (globalThis as unknown as Record<symbol, Probe>)[Symbol.for(key)]?.[which](root) ?? [],
      { key: PROBE, which, root },
    );
    return [...(await list.getProperties()).values()].flatMap((item) => item.asElement() ?? []);
  };
  /** A function: the policy of the page refuses a text that is evaluated at each poll. */
  const isEventually = (page: Page, name: 'emptiness' | 'hasDialog', value: string | boolean, timeout: number) =>
    succeeds(
      page.waitForFunction(
        ({ key, name, value }) => (globalThis as unknown as Record<symbol, Probe>)[Symbol.for(key)]?.[name]() === value,
        { key: PROBE, name, value },
        { timeout },
      ),
    );

  return {
    name,
    script: `${PROBE_IN_PAGE} = ${JSON.stringify(options)};${probe}`,
    async probe(page: Page): Promise<ProbeReport> {
      const report = await page.evaluate<ProbeReport | undefined>(`${PROBE_IN_PAGE}?.report()`);
      if (!report) throw new Error('the page navigated away before the check');
      // The shell renders the whole document, so nothing is outside its pages.
      return isShell ? { ...report, globals: [], patched: [], stored: [], styles: [] } : report;
    },
    scroll: (page: Page) => page.evaluate(`${PROBE_IN_PAGE}?.scroll()`),
    async emptiness(page: Page, timeout: number): Promise<string> {
      const isSeen = await isEventually(page, 'emptiness', '', timeout);
      return isSeen ? '' : page.evaluate<string>(`${PROBE_IN_PAGE}?.emptiness() ?? ''`);
    },
    covered: (page: Page) => page.evaluate<string[]>(`${PROBE_IN_PAGE}?.covered() ?? []`),
    /** Loads axe before the release, so that changes which axe makes in the page do not count as changes by the release. */
    loadAxe: (page: Page) => page.addInitScript({ content: axe() }),
    /** The faults that axe finds in the release's pages and in open dialogs; after a step, only in what the step opened or changed. */
    async audit(page: Page, when?: 'after a step') {
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe());
      return page.evaluate<string[]>(`${PROBE_IN_PAGE}?.audit(${JSON.stringify(root)}, ${when !== undefined}) ?? []`);
    },
    openers: (page: Page) => controls(page, 'openers'),
    buttons: (page: Page) => controls(page, 'buttons'),
    /** Waits until a dialog is open, or closed. Resolves to false after `timeout` milliseconds. */
    hasDialog: (page: Page, isOpen: boolean, timeout: number) => isEventually(page, 'hasDialog', isOpen, timeout),
    /** 'home.3f2a1b9c.js:1:2041' for the first position in a stack that is in the release's files, else ''. */
    placeIn(stack: string): string {
      const [, url, line, column] = new RegExp(`(\\S*${escapeRegExp(base)}[^\\s:()]+):(\\d+):(\\d+)`).exec(stack) ?? [];
      return url ? `${fileOf(url)}:${line}:${column}` : '';
    },
    fileOf,
    place: ({ url, line, column }: SourcePlace) => `${fileOf(url)}:${line}:${column}`,
  };
}
