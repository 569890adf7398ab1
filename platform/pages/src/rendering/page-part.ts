/**
 * Checks a page that a process has sent, and restricts the output of a remote to its own part of the document. The remote's code ran
 * beside the shell's and may have returned anything. So the shell's part comes from a process without that code, and the remote's part
 * is parsed as a browser parses it.
 */
import { MAX_WANTED, type RenderedPage } from '@platform/releases';
import { type DefaultTreeAdapterTypes, html as htmlSpec, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

export class Frame {
  private readonly before: string;
  private readonly after: string;
  readonly hasOnePlace: boolean;
  private read: ParentNode | undefined;

  constructor(
    readonly html: string,
    readonly placeholder: string,
  ) {
    const [before = '', after = '', ...rest] = html.split(placeholder);
    this.before = before;
    this.after = after;
    this.hasOnePlace = html.includes(placeholder) && rest.length === 0;
  }

  partIn(page: string): string | undefined {
    const { before, after } = this;
    const isAround = page.length >= before.length + after.length && page.startsWith(before) && page.endsWith(after);
    return isAround ? page.slice(before.length, page.length - after.length) : undefined;
  }

  /** Replaces placeholders of parameter values by the values, escaped as the shell would escape them. */
  with(values: ReadonlyArray<{ mark: string; value: string }>): Frame {
    if (values.length === 0) return this;
    const html = values.reduce((text, { mark, value }) => text.replaceAll(mark, () => escapeAsReact(value)), this.html);
    return new Frame(html, this.placeholder);
  }

  get tree(): ParentNode {
    this.read ??= read(this.html);
    return this.read;
  }

  get ids(): string[] {
    return Array.from(this.html.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id);
  }
}

const wordSet = (text: string) => new Set(text.trim().split(/\s+/));
const HTML_ELEMENTS = wordSet(`
  a abbr address article aside b bdi bdo blockquote br button caption cite code col colgroup data datalist dd del details dfn dialog
  div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main mark
  menu meter nav ol optgroup option output p picture pre progress q rp rt ruby s samp search section select small source span strong
  sub summary sup table tbody td template textarea tfoot th thead time tr u ul var video audio track wbr`);
const SVG_ELEMENTS = wordSet(`
  svg g a path circle ellipse line polygon polyline rect defs use symbol linearGradient radialGradient stop clipPath mask pattern text
  tspan title desc`);
const NAMES = new Set([...HTML_ELEMENTS, ...SVG_ELEMENTS].map((name) => name.toLowerCase()));
const VOID = wordSet('br col hr img input source track wbr');
/** Comments that React writes between texts and around boundaries. */
const COMMENTS = new Set([' ', '$', '/$', '&', '/&', '$!', '$?']);
/** Newer browsers allow more elements inside them than this parser does. */
const SELECT_ELEMENTS = /^(?:select|optgroup|option)$/;
/** Ids of the document itself, which its scripts look up. */
export const DOCUMENT_IDS: readonly string[] = ['root', 'page-style', 'page-data', 'release-map'];

const REFUSED_ATTRIBUTES = wordSet('srcdoc formaction ping is nonce slot part http-equiv background manifest');
const ADDRESSES = wordSet('href src poster cite xlink:href');
/** Schemes of links besides those of the site itself: none of them runs a script. */
const SCHEMES = wordSet('http: https: mailto: tel: sms: weixin: alipays:');
const OWN_SITE = 'https://own.invalid';
/** These attributes act on an element by its id, and all ids outside the page are the shell's. */
const REFERENCES = wordSet('form popovertarget commandfor');

/** Why a page that this remote has rendered must not be sent; undefined when the remote kept to its part. */
export function pageFault(page: string, frame: Frame, remote: string): string | undefined {
  const part = frame.partIn(page);
  if (part === undefined) return 'it changed the part around the page';
  return tagFault(part) ?? partFault(page, frame, remote);
}

/** Maximum characters of each part. A page has about 40,000. */
const LONGEST = { html: 1_000_000, queryState: 1_000_000, address: 2_000 };

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;
const isOptionalText = (value: unknown) => value === undefined || isText(value, LONGEST.address);
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
/** A path of this site, which no release can turn into another origin. */
const isOwnAddress = (value: unknown): value is string =>
  isText(value, LONGEST.address) && /^\/(?![/\\])[^\s"'<>\\]*$/.test(value);

/** Parses a page that a process has sent; returns undefined when it is not one. The process may run untrusted code. */
export function toRenderedPage(value: unknown): RenderedPage | undefined {
  if (!isRecord(value)) return undefined;
  const { html, queryState, wanted, image } = value;
  if (!isText(html, LONGEST.html) || !isText(queryState, LONGEST.queryState) || parseJson(queryState) === undefined)
    return undefined;
  if (!Array.isArray(wanted) || wanted.length > MAX_WANTED || !wanted.every(isOwnAddress)) return undefined;
  if (image === undefined) return { html, queryState, wanted };
  if (!isRecord(image) || !isText(image.href, LONGEST.address)) return undefined;
  if (!isOptionalText(image.srcset) || !isOptionalText(image.sizes)) return undefined;
  const { href, srcset, sizes } = image as NonNullable<RenderedPage['image']>;
  return { html, queryState, wanted, image: { href, ...(srcset && { srcset }), ...(sizes && { sizes }) } };
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The head preloads the page's largest picture. */
export function isOwnImage(image: RenderedPage['image']): boolean {
  return image === undefined || /^(?:https:\/\/|\/(?![/\\]))[^\s"'<>]*$/.test(image.href);
}

/** Every tag must be allowed and closed in order, so that no parser has to guess where an element ends. */
function tagFault(part: string): string | undefined {
  const open: string[] = [];
  for (const [, mark = ''] of part.matchAll(/<(!--|\/?[^\s/>]*)/g)) {
    const name = mark.toLowerCase();
    if (name === '!--' || VOID.has(name)) continue;
    if (name.startsWith('/')) {
      const last = open.pop();
      if (`/${last}` !== name) return `<${name}> closes <${last ?? 'nothing'}>`;
    } else if (!NAMES.has(name)) return `it has <${name.slice(0, 20)}>`;
    else if (SELECT_ELEMENTS.test(open.at(-1) ?? '') && !SELECT_ELEMENTS.test(name))
      return `it has <${name}> in <${open.at(-1)}>`;
    else open.push(name);
  }
  return open.length > 0 ? `<${open.at(-1)}> is not closed` : undefined;
}

/**
 * Parsed by the rules of the standard, the shell's part must be the same tree around the remote's part as around the placeholder.
 * An end tag in order can still close an outer element, because some elements close others.
 */
function partFault(page: string, frame: Frame, remote: string): string | undefined {
  const part = partOf(read(page), frame.tree, frame.placeholder);
  if (!part) return 'it leaves its part of the page';
  const ids = new Set<string>();
  const references: string[] = [];
  const fault = faultIn(part, { remote, ids, references });
  if (fault) return fault;
  const reservedIds = [...DOCUMENT_IDS, ...frame.ids];
  const conflictingId = reservedIds.find((id) => ids.has(id));
  if (conflictingId) return `the id ${conflictingId} is not its own`;
  const foreign = references.find((id) => !ids.has(id));
  return foreign === undefined ? undefined : `it refers to ${foreign.slice(0, 100)}, which is not its own`;
}

/** Parses the HTML as part of a document. The elements after it reveal a form or a link that is still open. */
const read = (html: string): ParentNode =>
  parse(`<!doctype html><html><head></head><body><div id="root">${html}</div><p>x</p><form></form></body></html>`);

function partOf(page: ParentNode, frame: ParentNode, placeholder: string): Node[] | undefined {
  const part: Node[] = [];
  const isEqual = (actual: ParentNode, expected: ParentNode): boolean => {
    const nodes = [...actual.childNodes];
    const place = expected.childNodes.findIndex((node) => textOf(node) === placeholder);
    const rest = expected.childNodes.filter((_, index) => index !== place);
    if (place >= 0) part.push(...nodes.splice(place, nodes.length - rest.length));
    return (
      nodes.length === rest.length &&
      rest.every((node, index) => {
        const match = nodes[index];
        if (!match || !isSame(node, match)) return false;
        return !isParent(node) || !isParent(match) || isEqual(match, node);
      })
    );
  };
  return isEqual(page, frame) ? part : undefined;
}

const isSame = (left: Node, right: Node): boolean =>
  left.nodeName === right.nodeName &&
  textOf(left) === textOf(right) &&
  (!isElement(left) || !isElement(right) || JSON.stringify(left.attrs) === JSON.stringify(right.attrs));
const textOf = (node: Node): string | undefined =>
  'value' in node ? node.value : 'data' in node ? node.data : undefined;
const isParent = (node: Node): node is Element => 'childNodes' in node;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escapeAsReact = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
const isElement = (node: Node): node is Element => 'tagName' in node;

interface PartState {
  remote: string;
  ids: Set<string>;
  references: string[];
}

function faultIn(nodes: Node[], seen: PartState): string | undefined {
  for (const node of nodes) {
    if (node.nodeName === '#comment' && !COMMENTS.has((node as DefaultTreeAdapterTypes.CommentNode).data))
      return 'it has a comment';
    if (!isElement(node)) continue;
    const fault = elementFault(node) ?? attributeFault(node, seen) ?? faultIn(node.childNodes, seen);
    if (fault) return fault;
  }
  return undefined;
}

function elementFault({ tagName, namespaceURI, ...node }: Element): string | undefined {
  const allowed = namespaceURI === htmlSpec.NS.SVG ? SVG_ELEMENTS : HTML_ELEMENTS;
  const { content } = node as Partial<DefaultTreeAdapterTypes.Template>;
  return allowed.has(tagName) && !content?.childNodes.length ? undefined : `<${tagName}> is not allowed there`;
}

function attributeFault({ attrs, tagName }: Element, { remote, ids, references }: PartState): string | undefined {
  for (const { name: local, prefix, value } of attrs) {
    const name = (prefix ? `${prefix}:${local}` : local).toLowerCase();
    if (name.startsWith('on') || REFUSED_ATTRIBUTES.has(name)) return `<${tagName}> has ${name}`;
    if (ADDRESSES.has(name) && !isHarmless(value, tagName))
      return `<${tagName} ${name}> leads to ${value.slice(0, 100)}`;
    if (name === 'action' && !/^(?:$|[?#]|\/(?![/\\]))/.test(value))
      return `<${tagName} action> leads to ${value.slice(0, 100)}`;
    if (name === 'name' && (tagName === 'form' || tagName === 'img')) return `<${tagName}> has a name`;
    if (name === 'data-remote' && value !== remote) return `<${tagName}> has the data-remote of another remote`;
    if (name === 'id') ids.add(value);
    if (REFERENCES.has(name)) references.push(value);
  }
  return undefined;
}

function isHarmless(address: string, tagName: string): boolean {
  if (tagName === 'use') return address.startsWith('#');
  if (/^[/?#]/.test(address)) return true;
  // A browser does not follow an invalid address.
  const scheme = URL.canParse(address, OWN_SITE) ? new URL(address, OWN_SITE).protocol : '';
  if (!scheme || SCHEMES.has(scheme)) return true;
  return tagName === 'img' && /^data:image\//i.test(address);
}
