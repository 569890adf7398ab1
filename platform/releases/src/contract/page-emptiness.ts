/**
 * Detects whether the page on screen shows anything visible. It runs in browsers: the shell reports an empty page as a failed
 * visit (platform/host/src/health-watch.ts), the gate refuses it, and browser tests use it. For a page that shows text or a
 * picture, it examines only the first of them.
 */

export interface Emptiness {
  /** 'shows neither text nor a picture', 'is covered by div.banner'. */
  why: string;
  /** The element that is empty, hides or covers. The release to blame is inside or around it. */
  cause: Element;
}

/** 'elsewhere': above or below the window, or behind something visible, such as a dialog. */
type Look = { is: 'seen' | 'elsewhere' } | { is: 'hidden' | 'covered' | 'cut off' | 'flat' | 'aside'; by: Element };

/** The shell keeps other pages behind the one on screen. */
export const PAGES_ON_SCREEN = '.shell-kept:not([data-away]) .shell-page, #root > :not(.shell)';
const pictures = 'img, svg, canvas, video, iframe, object, embed, input, textarea, select, meter, progress';
const unseen = 'script, style, template, noscript';
/** The most parts of a page to examine; a page that hides as many is empty. */
const mostLooks = 1_000;
const opaque = 0.95;
const worstFirst = ['covered', 'hidden', 'cut off', 'flat', 'aside'] as const;

/** Null if the page shows something, or if the browser cannot determine it. */
export function pageEmptiness(): Emptiness | null {
  const page = document.querySelector(PAGES_ON_SCREEN);
  if (page) return emptinessOf(page);
  return { why: 'is not there', cause: document.getElementById('root') ?? document.documentElement };
}

function emptinessOf(page: Element): Emptiness | null {
  if (window.innerWidth < 1 || window.innerHeight < 1) return null;
  const firstLooks = new Map<Look['is'], Look>();
  let looks = 0;
  for (const part of partsOf(page)) {
    if (!part.element.checkVisibility) return null;
    const look = lookAt(part);
    if (look.is === 'seen') return null;
    if (!firstLooks.has(look.is)) firstLooks.set(look.is, look);
    looks += 1;
    if (looks === mostLooks) break;
  }
  if (!firstLooks.has('covered') && firstLooks.has('elsewhere')) return null;
  const [worst] = worstFirst.flatMap((is) => firstLooks.get(is) ?? []);
  if (!worst || !('by' in worst)) {
    return { why: 'shows neither text nor a picture', cause: page.querySelector('[data-remote]') ?? page };
  }
  const { is, by } = worst;
  const name = describeElement(by);
  if (is === 'covered') return { why: `is covered by ${name}`, cause: by };
  if (is === 'hidden') return { why: `is hidden by ${name}`, cause: by };
  return { why: is === 'flat' ? `has no size (${name})` : `is ${is} (${name})`, cause: by };
}

interface Part {
  element: HTMLElement;
  text?: Text;
}

function* partsOf(root: Element): Generator<Part> {
  const filter = (node: Node) =>
    node instanceof Element && node.matches(unseen) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter);
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    if (node instanceof Text) {
      if (node.data.trim() !== '') yield { element: node.parentElement as HTMLElement, text: node };
    } else if (isPicture(node as Element)) yield { element: node as HTMLElement };
  }
}

function isPicture(element: Element): boolean {
  if (element.parentElement?.closest('svg')) return false;
  // A page with an image that still loads is not empty; an image that failed shows nothing.
  if (element instanceof HTMLImageElement) return !element.complete || element.naturalWidth > 0 || element.alt !== '';
  if (element.matches(pictures)) return !(element instanceof HTMLInputElement && element.type === 'hidden');
  return getComputedStyle(element).backgroundImage.includes('url(');
}

const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

function lookAt({ element, text }: Part): Look {
  if (!isVisible(element)) return { is: 'hidden', by: outermost(element, (ancestor) => !isVisible(ancestor)) };
  const [box] = boxesOf(element, text);
  if (!box || box.width < 1 || box.height < 1) return { is: 'flat', by: element };
  const { innerWidth, innerHeight } = window;
  if (box.right <= 0 || box.left >= innerWidth || box.bottom + window.scrollY <= 0) return { is: 'aside', by: element };
  if (box.bottom <= 0 || box.top >= innerHeight) return { is: 'elsewhere' };
  const x = middle(box.left, box.right, innerWidth);
  const y = middle(box.top, box.bottom, innerHeight);
  const stack = document.elementsFromPoint(x, y);
  const at = stack.indexOf(element);
  const cover = stack.slice(0, at < 0 ? stack.length : at).find((above) => covers(above, element, text));
  if (cover) return showsAnything(cover, element) ? { is: 'elsewhere' } : { is: 'covered', by: cover };
  return at >= 0 || !takesPointer(element) ? { is: 'seen' } : { is: 'cut off', by: cutBy(element, x, y) };
}

const middle = (from: number, to: number, limit: number) => (Math.max(0, from) + Math.min(limit - 1, to)) / 2;

function boxesOf(element: Element, text: Text | undefined): DOMRectList {
  if (!text) return element.getClientRects();
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects();
}

function outermost(element: Element, is: (ancestor: Element) => boolean): Element {
  let result = element;
  for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement)
    if (is(ancestor)) result = ancestor;
  return result;
}

/** An element covers by itself or by an empty box before or after its content, as styles of an ancestor can add. */
function covers(cover: Element, below: Element, text: Text | undefined): boolean {
  // The elements of an SVG drawing do not cover it, but a text can have other elements above it.
  if (!text && below.contains(cover)) return false;
  if (!cover.contains(below) && isOpaque(cover, getComputedStyle(cover))) return true;
  return ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(cover, pseudo);
    return /^(fixed|absolute)$/.test(style.position) && /^"\s*"$/.test(style.content) && isOpaque(cover, style);
  });
}

function isOpaque(element: Element, { backgroundColor, opacity }: CSSStyleDeclaration): boolean {
  const [, comma, slash] = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(backgroundColor) ?? [];
  let part = Number(comma ?? slash ?? 1) * Number(opacity || 1);
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    part *= Number(getComputedStyle(ancestor).opacity || 1);
  return part >= opaque;
}

/**
 * Examines the whole layer of the cover: for the panel of a dialog the whole dialog. An ancestor can cover only with an empty
 * box, which shows nothing.
 */
function showsAnything(cover: Element, below: Element): boolean {
  if (cover.contains(below)) return false;
  let layer = cover;
  while (layer.parentElement && !layer.parentElement.contains(below)) layer = layer.parentElement;
  for (const { element, text } of partsOf(layer)) {
    const [box] = boxesOf(element, text);
    if (isVisible(element) && box && box.width >= 1 && box.height >= 1) return true;
  }
  return false;
}

/** Whether hit testing can find the element. Behind a modal dialog, for example, a page is inert. */
function takesPointer(element: Element): boolean {
  if (getComputedStyle(element).pointerEvents === 'none' || element.closest('[inert]')) return false;
  return !document.querySelector('dialog[open]');
}

function cutBy(element: Element, x: number, y: number): Element {
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
    const { left, right, top, bottom } = ancestor.getBoundingClientRect();
    const isOutside = x < left || x > right || y < top || y > bottom;
    if (isOutside && getComputedStyle(ancestor).overflow !== 'visible') return ancestor;
  }
  return element;
}

/** 'div#menu.open' */
export function describeElement(element: Element): string {
  const id = element.id && `#${element.id}`;
  const classes = [...element.classList].slice(0, 2).map((name) => `.${name}`);
  return `${element.localName}${id}${classes.join('')}`;
}
