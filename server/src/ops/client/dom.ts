/** Elements are made by DOM calls only, so that no text can become markup. */
type Child = Node | string | null | undefined | false;

export interface Given {
  [attribute: string]: unknown;
  onClick?: () => void;
  data?: Record<string, string>;
}

function fill<T extends HTMLElement | SVGElement>(
  node: T,
  { onClick, data, ...attributes }: Given,
  children: Child[],
): T {
  if (onClick) node.addEventListener('click', onClick);
  Object.assign(node.dataset, data);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(
    ...children.filter((child): child is Node | string => typeof child === 'string' || child instanceof Node),
  );
  return node;
}

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, given: Given = {}, ...children: Child[]) {
  return fill(document.createElement(tag), given, children);
}

export function svgElement<K extends keyof SVGElementTagNameMap>(tag: K, given: Given = {}, ...children: Child[]) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), given, children);
}

/** `key` names the button within its card, so that it keeps the focus when the card is drawn again. */
export function button(key: string, text: string, onClick: () => void, kind = 'quiet', more: Given = {}) {
  return element('button', { type: 'button', class: kind, data: { key }, onClick, ...more }, text);
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`ops.html has no #${id}`);
  return found;
}
