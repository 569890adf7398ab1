/**
 * Runs in the page before any other script, and records what the release under test does besides rendering its page. The state
 * before that release is recorded when its first script element is inserted, which is always before the script runs.
 */
import { describeElement, pageEmptiness } from '@platform/releases/contract';
import { PROBE, type ProbeOptions, type ProbeReport, type SourcePlace } from './probe-report';

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: Array<{ node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }>;
}

/** Objects that all code of the page shares and can change. */
const SHARED = ['console', 'crypto', 'document', 'history', 'navigator', 'performance', 'trustedTypes'] as const;
/** Properties of `window` that hold a single handler for all code of the page. */
const HANDLERS = ['onerror', 'onunhandledrejection', 'onpopstate', 'onbeforeunload'] as const;
/** Globals of the bundler and of Module Federation, which every release has or which are named after the release. */
const PLUMBING =
  /^(__FEDERATION__|__VMOK__|__GLOBAL_LOADING_REMOTE_ENTRY__|__PRELOADED_MAP__|(webpack|rspack)Chunk\w*|mfe_[a-z0-9_]+|__pw.*|axe|\d+)$/i;

/** React sets this property on the document to which it listens. With hydration it appears after the remote's code has run. */
const REACT_MARK = /^document\._reactListening\w+$/;

const { name, base, container } = (globalThis as unknown as Record<symbol, ProbeOptions>)[
  Symbol.for(PROBE)
] as ProbeOptions;
const ownPages = `[data-remote="${name}"]`;

/** Milliseconds after input in which the browser does not count a layout shift as unexpected. */
const INPUT_MS = 500;

const violations: ProbeReport['violations'] = [];
document.addEventListener('securitypolicyviolation', (event) => {
  const { violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber } = event;
  const place = sourceFile ? { url: sourceFile, line: lineNumber, column: columnNumber } : null;
  violations.push({ directive: violatedDirective, blocked: blockedURI, place });
});

/** Periods in which axe ran in the page: it blocks the main thread and delays what a tap changes. */
const audits: Array<{ from: number; to: number }> = [];
const isOfAudit = (time: number) => audits.some(({ from, to }) => from <= time && time <= to + INPUT_MS);

const shifts: Array<{ time: number; value: number; moved: Array<{ element: string; distance: number }> }> = [];
new PerformanceObserver((list) => {
  for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
    if (hadRecentInput) continue;
    const moved = sources.flatMap(({ node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const distance = Math.abs(from.top - to.top) + Math.abs(from.left - to.left);
      return element ? [{ element: describeElement(element), distance }] : [];
    });
    shifts.push({ time: startTime, value, moved });
  }
}).observe({ type: 'layout-shift', buffered: true });

function callerPlace(): SourcePlace | null {
  for (const line of (new Error().stack ?? '').split('\n')) {
    const [, url, row, column] = /(https?:\/\/[^\s()]+):(\d+):(\d+)/.exec(line) ?? [];
    if (url) return { url, line: Number(row), column: Number(column) };
  }
  return null;
}
const stored: ProbeReport['stored'] = [];
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (this: Storage, key: string, value: string) {
  stored.push({ key: String(key), place: callerPlace() });
  return setItem.call(this, key, value);
};

const storageKeys = () => new Set([...Object.keys(localStorage), ...Object.keys(sessionStorage)]);

// The original functions: a release that replaces them can hide nothing.
const { getOwnPropertyNames, getOwnPropertyDescriptor } = Object;
const { ownKeys } = Reflect;

function membersOf(prefix: string, target: object, into: Map<string, unknown>): void {
  for (const key of ownKeys(target)) {
    const { value, get } = getOwnPropertyDescriptor(target, key) ?? {};
    into.set(`${prefix}.${String(key)}`, get ?? value);
  }
}

function takeSnapshot() {
  const members = new Map<string, unknown>();
  const global = globalThis as unknown as Record<string, unknown>;
  for (const key of getOwnPropertyNames(globalThis)) {
    const { value } = getOwnPropertyDescriptor(globalThis, key) ?? {};
    const isNamespace = typeof value === 'object' && value !== null && /^[A-Z]/.test(key);
    if (typeof value !== 'function' && !isNamespace) continue;
    members.set(key, value);
    if (PLUMBING.test(key) || key === container) continue;
    membersOf(key, value, members);
    if (value.prototype) membersOf(`${key}.prototype`, value.prototype, members);
  }
  for (const key of HANDLERS) members.set(key, global[key]);
  for (const key of SHARED) if (global[key]) membersOf(key, global[key] as object, members);
  const sheets = new Set([...document.styleSheets, ...document.adoptedStyleSheets]);
  return { globals: new Set(getOwnPropertyNames(globalThis)), members, sheets, storageKeys: storageKeys() };
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

let before: ReturnType<typeof takeSnapshot> | null = null;
const isOwn = (url: string) => new URL(url, location.href).pathname.startsWith(base);
const insertions = new MutationObserver((records) => {
  const inserted = records.flatMap(({ addedNodes }) => [...addedNodes]);
  if (!inserted.some((node) => node instanceof HTMLScriptElement && node.src && isOwn(node.src))) return;
  before = takeSnapshot();
  insertions.disconnect();
});
insertions.observe(document, { childList: true, subtree: true });

function changedMembers(): Pick<ProbeReport, 'globals' | 'patched'> {
  if (!before) return { globals: [], patched: [] };
  const now = takeSnapshot();
  const isNew = (key: string) => !before?.globals.has(key) && key !== container && !PLUMBING.test(key);
  const globals = [...now.globals].filter(isNew);
  const differs = (key: string) => !Object.is(before?.members.get(key), now.members.get(key));
  const patched = [...now.members.keys()].filter((key) => {
    const [owner = ''] = key.split('.');
    // A new global is reported by its own name, and a replaced object is reported once, not once for each member.
    return differs(key) && !REACT_MARK.test(key) && before?.globals.has(owner) && (owner === key || !differs(owner));
  });
  return { globals, patched };
}

/** Removes what `querySelector` cannot match: pseudo-elements, and states of the pointer and of focus. */
const queryable = (selector: string) =>
  selector
    .replace(/::?(before|after|first-line|first-letter|placeholder|marker|selection|backdrop)\b/g, '')
    .replace(/::[\w-]+(\([^)]*\))?/g, '')
    .replace(/:(hover|active|focus-visible|focus-within|focus)\b/g, '')
    .replace(/(^|[\s,>+~(])(?=[,)]|$)/g, '$1*');

function elementsOf(selector: string, within: ParentNode): Element[] {
  try {
    return [...within.querySelectorAll(queryable(selector))];
  } catch {
    return [];
  }
}

function foreignMatches(rules: CSSRuleList, url: string, within: ParentNode[], matches: ProbeReport['styles']): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      const selectors = rule.parentRule instanceof CSSStyleRule ? `:is(${rule.parentRule.selectorText})` : '';
      const selector = rule.selectorText.replaceAll('&', selectors);
      const outside = within
        .flatMap((root) => elementsOf(selector, root))
        .find((element) => !element.closest(ownPages));
      if (outside) matches.push({ url, selector: rule.selectorText, matches: describeElement(outside) });
    }
    if (!('cssRules' in rule)) continue;
    const start = 'start' in rule ? String(rule.start) : null;
    const roots = start ? within.flatMap((root) => elementsOf(start, root)) : within;
    foreignMatches(rule.cssRules as CSSRuleList, url, roots, matches);
  }
}

function foreignStyles(): ProbeReport['styles'] {
  const matches: ProbeReport['styles'] = [];
  // The route is outside the layout, or the page did not load.
  if (!document.querySelector(ownPages)) return matches;
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    const isNew = before !== null && !before.sheets.has(sheet) && !sheet.href;
    if (!isNew && !(sheet.href && isOwn(sheet.href))) continue;
    try {
      foreignMatches(sheet.cssRules, sheet.href ?? '', [document], matches);
    } catch {
      // A style sheet that did not load has no readable rules.
    }
  }
  return matches;
}

function foreignHints(): string[] {
  const isForeign = (address: string) => address !== '' && new URL(address, location.href).origin !== location.origin;
  const links = [
    ...document.querySelectorAll<HTMLLinkElement>('link[rel~="dns-prefetch" i], link[rel~="preconnect" i]'),
  ];
  const pings = [...document.querySelectorAll<HTMLAnchorElement>('a[ping]')];
  return [
    ...links.filter(({ href }) => isForeign(href)).map(({ rel, href }) => `<link rel="${rel}"> to ${href}`),
    ...pings.filter(({ ping }) => ping.split(/\s+/).some(isForeign)).map(({ ping }) => `<a ping> to ${ping}`),
  ];
}

function headValues(): ProbeReport['head'] {
  const values = (selector: string, attribute: string) =>
    [...document.querySelectorAll(selector)].map((element) => element.getAttribute(attribute) ?? '').join(', ');
  return {
    robots: values('meta[name="robots" i], meta[name="googlebot" i], meta[name="bingbot" i]', 'content'),
    canonical: values('link[rel~="canonical" i]', 'href'),
    base: values('base[href]', 'href'),
    refresh: values('meta[http-equiv="refresh" i]', 'content'),
  };
}

function report(): ProbeReport {
  const unexpected = shifts.filter(({ time }) => !isOfAudit(time));
  const moved = unexpected.flatMap((shift) => shift.moved).sort((left, right) => right.distance - left.distance);
  const written = stored.filter(({ place }) => place && isOwn(place.url));
  // No hook can watch an assignment such as `localStorage.key = …`.
  const existingKeys = new Set([...(before?.storageKeys ?? storageKeys()), ...stored.map(({ key }) => key)]);
  const assigned = [...storageKeys()].filter((key) => !existingKeys.has(key)).map((key) => ({ key, place: null }));
  return {
    hints: foreignHints(),
    violations,
    copies: secondCopies(),
    layoutShift: {
      score: unexpected.reduce((sum, { value }) => sum + value, 0),
      moved: [...new Set(moved.map(({ element }) => element))].slice(0, 3),
    },
    head: headValues(),
    title: document.title,
    ...changedMembers(),
    stored: [...written, ...assigned].filter(({ key }) => !key.startsWith(`${name}.`)),
    styles: foreignStyles(),
  };
}

const openDialogs = () =>
  [...document.querySelectorAll('dialog[open], [role="dialog"], [role="alertdialog"]')].filter((dialog) =>
    dialog.checkVisibility(),
  );

const hasDialog = () => openDialogs().length > 0;

function hasName(element: Element): boolean {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const labels = ids.map((id) => document.getElementById(id)?.textContent);
  return [...labels, element.getAttribute('aria-label'), element.getAttribute('title')].some((text) => text?.trim());
}

let lastAudited = '';

/** `step`: audits only open dialogs while there are any, and nothing if the page has not changed since the last audit. */
async function audit(root: string, step: boolean): Promise<string[]> {
  const { axe } = globalThis as unknown as {
    axe: {
      run(root: object, options: object): Promise<{ violations: AxeResult[]; incomplete: AxeResult[] }>;
    };
  };
  const dialogs = openDialogs();
  const include = step && dialogs.length > 0 ? dialogs : [...document.querySelectorAll(root), ...dialogs];
  if (include.length === 0) return [];
  const content = include.map(({ outerHTML }) => outerHTML).join('');
  if (step && content === lastAudited) return [];
  lastAudited = content;
  const from = performance.now();
  await animationsEnd();
  const { violations, incomplete } = await axe.run(
    { include },
    { preload: false, resultTypes: ['violations', 'incomplete'] },
  );
  audits.push({ from, to: performance.now() });
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
  // axe applies this rule to elements with the role only, not to the `dialog` element.
  const unnamed = dialogs.filter((dialog) => dialog.matches('dialog:not([role])') && !hasName(dialog));
  // axe takes text in the colour of its background for hidden on purpose.
  const unseen = incomplete.flatMap(({ nodes }) =>
    nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio')),
  );
  return [
    ...faults,
    ...unnamed.map((dialog) => `aria-dialog-name at ${describeElement(dialog)}`),
    ...unseen.map(({ target }) => `text in the colour of its background at ${target.join(' ')}`),
  ];
}

interface AxeResult {
  id: string;
  nodes: Array<{ target: unknown[]; any: Array<{ data?: { messageKey?: string } | null }> }>;
}

const ANNOUNCED = ':is([aria-haspopup]:not([aria-haspopup="false"]), [aria-expanded="false"])';
/** The buttons of a list look alike and do the same, so only the first ones are clicked. */
const MAX_ALIKE = 3;

function clickable(root: string, selector: string): HTMLElement[] {
  const enabled = `:is(${selector}):not(a[href], :disabled, [aria-disabled="true"], [aria-expanded="true"])`;
  return [...document.querySelectorAll(root)]
    .flatMap((element) => [...element.querySelectorAll<HTMLElement>(enabled)])
    .filter((control) => !(control instanceof HTMLButtonElement && control.form && control.type === 'submit'))
    .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
}

const openers = (root: string) => clickable(root, ANNOUNCED);

function buttons(root: string): HTMLElement[] {
  const counts = new Map<string, number>();
  return clickable(root, `:is(button, [role="button"]):not(${ANNOUNCED})`).filter((button) => {
    const look = `${button.className} in ${button.parentElement?.className}`;
    const count = (counts.get(look) ?? 0) + 1;
    counts.set(look, count);
    return count <= MAX_ALIKE;
  });
}

/** Finishes all transitions: a colour in a transition has no measurable contrast. The end of one transition may start another. */
async function animationsEnd(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    for (const animation of finite) animation.finish();
    await nextPaint();
    if (finite.length === 0) return;
  }
}

const CONTROLS =
  'a[href],button,input:not([type="hidden"]),select,textarea,summary,[role="button"],[role="link"],[role="tab"],[role="option"],[role="checkbox"],[role="radio"],[role="switch"]';

function shownBox(control: Element): DOMRect | null {
  const [first] = [...control.getClientRects()].sort(
    (one, other) => other.width * other.height - one.width * one.height,
  );
  if (!first) return null;
  let [left, top, right, bottom] = [
    Math.max(first.left, 0),
    Math.max(first.top, 0),
    Math.min(first.right, innerWidth),
    Math.min(first.bottom, innerHeight),
  ];
  for (let parent = control.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflow === 'visible') continue;
    const box = parent.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return right - left > 2 && bottom - top > 2 ? new DOMRect(left, top, right - left, bottom - top) : null;
}

function isClickOn(control: Element, element: Element): boolean {
  if (control.contains(element)) return true;
  const other = element.closest(`label,${CONTROLS}`);
  return other instanceof HTMLLabelElement ? other.control === control : other?.contains(control) === true;
}

function covered(): string[] {
  const modal = [...document.querySelectorAll('dialog:modal, [aria-modal="true"]')]
    .filter((dialog) => dialog.checkVisibility())
    .at(-1);
  const faults: string[] = [];
  for (const control of (modal ?? document.body).querySelectorAll(CONTROLS)) {
    if (control.matches(':disabled, [aria-disabled="true"]') || control.closest('[inert], [aria-hidden="true"]'))
      continue;
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = shownBox(control);
    if (!box) continue;
    const element = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (element && !isClickOn(control, element))
      faults.push(`${describeElement(control)} lies under ${describeElement(element)}`);
  }
  return [...new Set(faults)].slice(0, 5);
}

interface Share {
  from?: string;
  loaded?: boolean | number;
  lib?: unknown;
}

/** Only the official runtime of Module Federation has this global: instance → scope → module → version. */
type OfficialShares = Record<string, Record<string, Record<string, Record<string, Share>>>>;

function secondCopies(): string[] {
  const { __FEDERATION__: official } = globalThis as { __FEDERATION__?: { __SHARE__?: OfficialShares } };
  const scopes = Object.values(official?.__SHARE__ ?? {}).flatMap((instance) => Object.values(instance));
  const providers = new Map<string, Set<string>>();
  for (const [share, versions] of scopes.flatMap((scope) => Object.entries(scope))) {
    for (const [version, { from, loaded, lib }] of Object.entries(versions)) {
      if (loaded || lib) providers.set(share, (providers.get(share) ?? new Set()).add(`${version} of ${from ?? '?'}`));
    }
  }
  return [...providers]
    .filter(([, from]) => from.size > 1)
    .map(([share, from]) => `${share} (${[...from].join(', ')})`);
}

async function scroll(): Promise<void> {
  const bottom = document.documentElement.scrollHeight;
  for (const part of [0.5, 1, 0]) {
    window.scrollTo(0, bottom * part);
    await nextPaint();
  }
}

const emptiness = () => pageEmptiness()?.why ?? '';

const probe = Object.freeze({ report, scroll, audit, openers, buttons, hasDialog, covered, emptiness });
export type Probe = typeof probe;
Object.defineProperty(globalThis, Symbol.for(PROBE), { value: probe });
