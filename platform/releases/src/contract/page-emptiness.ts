/**
 * Whether a user who looks at the page on screen sees anything. Runs in browsers: the shell reports what it finds as a failed
 * visit (platform/host/src/health-watch.ts), the gate refuses it, and browser tests ask it. A page that shows text or a picture
 * costs one look at the first of them.
 */

export interface Emptiness {
  /** 'shows neither text nor a picture', 'is covered by div.banner'. */
  why: string;
  /** The element that is empty, hides or covers; inside of it or around it is the release that is to blame. */
  cause: Element;
}

/** 'elsewhere': above or below what is in the window, or behind something else that is to be seen, such as a dialog. */
type Look = { is: 'seen' | 'elsewhere' } | { is: 'hidden' | 'covered' | 'cut off' | 'flat' | 'aside'; by: Element };

/** The shell keeps other pages behind the one on screen. */
export const PAGES_ON_SCREEN = '.shell-kept:not([data-away]) .shell-page, #root > :not(.shell)';
const pictures = 'img, svg, canvas, video, iframe, object, embed, input, textarea, select, meter, progress';
const unseen = 'script, style, template, noscript';
/** Of the parts that a page consists of; a page that hides so many is empty. */
const mostLooks = 1_000;
const opaque = 0.95;

/** Null also where the browser cannot tell. */
export function pageEmptiness(): Emptiness | null {
  const page = document.querySelector(PAGES_ON_SCREEN);
  if (page) return emptinessOf(page);
  return { why: 'is not there', cause: document.getElementById('root') ?? document.documentElement };
}

function emptinessOf(page: Element): Emptiness | null {
  if (window.innerWidth < 1 || window.innerHeight < 1) return null;
  const found = new Map<Look['is'], Look>();
  let looks = 0;
  for (const part of partsOf(page)) {
    if (!part.element.checkVisibility) return null;
    const look = lookAt(part);
    if (look.is === 'seen') return null;
    if (!found.has(look.is)) found.set(look.is, look);
    looks += 1;
    if (looks === mostLooks) break;
  }
  const covered = found.get('covered');
  if (!covered && found.has('elsewhere')) return null;
  const worst = covered ?? found.get('hidden') ?? found.get('cut off') ?? found.get('flat') ?? found.get('aside');
  if (!worst || !('by' in worst)) {
    return { why: 'shows neither text nor a picture', cause: page.querySelector('[data-remote]') ?? page };
  }
  const { is, by } = worst;
  const name = describe(by);
  if (is === 'covered') return { why: `is covered by ${name}`, cause: by };
  if (is === 'hidden') return { why: `is hidden by ${name}`, cause: by };
  return { why: is === 'flat' ? `has no size (${name})` : `is ${is} (${name})`, cause: by };
}

interface Part {
  element: HTMLElement;
  /** Undefined for a picture. */
  text?: Text;
}

/** Texts and pictures, in the order of the document. */
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
  // One that is on its way is no empty page; one that did not come shows nothing.
  if (element instanceof HTMLImageElement) return !element.complete || element.naturalWidth > 0 || element.alt !== '';
  if (element.matches(pictures)) return !(element instanceof HTMLInputElement && element.type === 'hidden');
  return getComputedStyle(element).backgroundImage.includes('url(');
}

const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

function lookAt({ element, text }: Part): Look {
  if (!isVisible(element)) return { is: 'hidden', by: outermost(element, (one) => !isVisible(one)) };
  const [box] = boxesOf(element, text);
  if (!box || box.width < 1 || box.height < 1) return { is: 'flat', by: element };
  const { innerWidth, innerHeight } = window;
  if (box.right <= 0 || box.left >= innerWidth || box.bottom + window.scrollY <= 0) return { is: 'aside', by: element };
  if (box.bottom <= 0 || box.top >= innerHeight) return { is: 'elsewhere' };
  const x = middle(box.left, box.right, innerWidth);
  const y = middle(box.top, box.bottom, innerHeight);
  const stack = document.elementsFromPoint(x, y);
  const at = stack.indexOf(element);
  const cover = stack.slice(0, at < 0 ? stack.length : at).find((one) => covers(one, element, text));
  if (cover) return showsAnything(cover, element) ? { is: 'elsewhere' } : { is: 'covered', by: cover };
  return at >= 0 || !takesPointer(element) ? { is: 'seen' } : { is: 'cut off', by: cutBy(element, x, y) };
}

/** Of the part that is in the window. */
const middle = (from: number, to: number, limit: number) => (Math.max(0, from) + Math.min(limit - 1, to)) / 2;

function boxesOf(element: Element, text: Text | undefined): DOMRectList {
  if (!text) return element.getClientRects();
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects();
}

function outermost(element: Element, is: (one: Element) => boolean): Element {
  let found = element;
  for (let one: Element | null = element; one; one = one.parentElement) if (is(one)) found = one;
  return found;
}

/** By itself, or by an empty box that a style has put before or after its content: that of an ancestor can cover too. */
function covers(one: Element, below: Element, text: Text | undefined): boolean {
  // A drawing consists of elements; a text has others beside it.
  if (!text && below.contains(one)) return false;
  if (!one.contains(below) && isOpaque(one, getComputedStyle(one))) return true;
  return ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(one, pseudo);
    return /^(fixed|absolute)$/.test(style.position) && /^"\s*"$/.test(style.content) && isOpaque(one, style);
  });
}

function isOpaque(element: Element, { backgroundColor, opacity }: CSSStyleDeclaration): boolean {
  const [, comma, slash] = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(backgroundColor) ?? [];
  let part = Number(comma ?? slash ?? 1) * Number(opacity || 1);
  for (let one = element.parentElement; one; one = one.parentElement)
    part *= Number(getComputedStyle(one).opacity || 1);
  return part >= opaque;
}

/** Of a cover all that belongs to it is asked: of the panel of a dialog the whole dialog. An ancestor covers with an empty box only. */
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

/** Else no point finds it: behind a dialog, for example, a page is inert. */
function takesPointer(element: Element): boolean {
  if (getComputedStyle(element).pointerEvents === 'none' || element.closest('[inert]')) return false;
  return !document.querySelector('dialog[open]');
}

/** The nearest ancestor that ends before the point; without one, the element itself. */
function cutBy(element: Element, x: number, y: number): Element {
  for (let one = element.parentElement; one; one = one.parentElement) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const isOutside = x < left || x > right || y < top || y > bottom;
    if (isOutside && getComputedStyle(one).overflow !== 'visible') return one;
  }
  return element;
}

function describe(element: Element): string {
  const id = element.id && `#${element.id}`;
  const classes = [...element.classList].slice(0, 2).map((one) => `.${one}`);
  return `${element.localName}${id}${classes.join('')}`;
}
