/**
 * Keeps React's updates visible in a document that others change. Browser translation replaces text nodes by <font> elements, and
 * extensions split, merge, wrap and remove nodes. React would throw "not a child of this node", or update a text node that is not
 * in the document (facebook/react#11538). A change that React does not make in a commit is foreign. Foreign changes stay until
 * React changes one of the nodes: its parent then gets React's own nodes back, and a translator translates them again.
 */
import * as ReactDom from 'react-dom';

/** A node of React that others removed, and the nodes around it at that time. */
interface Removed {
  node: Node;
  previous: Node | null;
  next: Node | null;
  /** What replaced it in the same step. */
  standIn: Node | null;
}

/** Foreign changes of the children of a parent. */
interface Changes {
  added: Set<Node>;
  /** In the order of their removal. */
  removed: Removed[];
}

/** Extensions keep their own elements there. */
const inDocument = /^(HTML|HEAD|BODY)$/;

/** React marks the nodes that it rendered or hydrated, but not its comments. */
const isReacts = (node: Node): boolean =>
  node instanceof Comment || Object.keys(node).some((key) => /^__react(Fiber|Container)\$/.test(key));

/** React sets this priority while it changes the document, and in the handlers of clicks and keys. */
const discretePriority = 2;
const { __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = ReactDom as unknown as {
  __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: { p: number };
};
const isCommitting = (): boolean => internals.p === discretePriority;

/** Call before React renders into `container` for the first time. */
export function repairForeignChanges(container: Element) {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  const { nodeValue, textContent } = Object.getOwnPropertyDescriptors(Node.prototype);
  const changes = new WeakMap<Node, Changes>();
  /** Maps a removed node to its parent. */
  const homes = new WeakMap<Node, Node>();
  /** Maps a text node that others changed to React's text. */
  const ownTexts = new WeakMap<Node, string | null>();
  let isContainerChanged = container.querySelector('font') !== null;

  function note({
    type,
    target,
    addedNodes,
    removedNodes,
    previousSibling,
    nextSibling,
    oldValue,
  }: MutationRecord): void {
    isContainerChanged ||= container.contains(target);
    if (type === 'characterData') {
      if (!ownTexts.has(target)) ownTexts.set(target, oldValue);
      return;
    }
    const change = changes.get(target) ?? { added: new Set(), removed: [] };
    changes.set(target, change);
    const { added } = change;
    for (const node of addedNodes) {
      if (homes.get(node) !== target) added.add(node);
      else homes.delete(node);
    }
    change.removed = change.removed.filter(({ node }) => homes.get(node) === target);
    for (const [index, node] of removedNodes.entries()) {
      added.delete(node);
      if (!isReacts(node)) continue;
      change.removed.push({
        node,
        previous: previousSibling,
        next: removedNodes[index + 1] ?? nextSibling,
        standIn: addedNodes[0] ?? null,
      });
      homes.set(node, target);
    }
  }

  const observer = new MutationObserver((records) => records.forEach(note));
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    characterDataOldValue: true,
  });

  function restore(parent: Node): void {
    const { added, removed } = changes.get(parent) ?? { added: [], removed: [] };
    const texts = [...parent.childNodes].filter((node) => ownTexts.has(node));
    // Nodes that others only add, such as the icon of an extension, stay.
    if (removed.length + texts.length === 0) return;
    changes.delete(parent);
    // In reverse, because each of them was removed beside nodes that may have gone later.
    for (const { node, previous, next, standIn } of [...removed].reverse()) {
      if (node.parentNode === parent) continue;
      const isThere = (other: Node | null) => other?.parentNode === parent;
      const behind = isThere(previous) ? (previous?.nextSibling ?? null) : null;
      insertBefore.call(parent, node, [next, standIn].find(isThere) ?? behind);
      homes.delete(node);
    }
    for (const node of inDocument.test(parent.nodeName) ? [] : added) {
      if (node.parentNode === parent && !isReacts(node)) removeChild.call(parent, node);
    }
    for (const node of parent.childNodes) {
      if (ownTexts.has(node)) nodeValue.set?.call(node, ownTexts.get(node) ?? '');
      ownTexts.delete(node);
    }
  }

  /** Puts the node back into the document if its home, or the home of what contains it, lost it. */
  function bringHome(node: Node): void {
    let lost = node;
    for (let home = homes.get(lost); home; home = homes.get(lost)) {
      homes.delete(lost);
      restore(home);
      lost = node.getRootNode();
    }
  }

  /** Call before React removes or moves `node`. */
  function release(parent: Node, node: Node): void {
    homes.delete(node);
    if (changes.get(parent)?.removed.some(({ next }) => next === node)) restore(parent);
  }

  /** React inserts `node` before its own `next`, so a removed node that stood before that one stands before the new one. */
  function insert<T extends Node>(parent: Node, node: T, next: Node | null): T {
    release(parent, node);
    for (const removed of changes.get(parent)?.removed ?? []) if (removed.next === next) removed.next = node;
    return insertBefore.call(parent, node, next) as T;
  }

  /** Runs React's change, which is not a foreign one. */
  function asOwn<T>(target: Node, change: () => T): T {
    observer.takeRecords().forEach(note);
    bringHome(target);
    if (!target.isConnected) bringHome(target.getRootNode());
    const result = change();
    observer.takeRecords();
    return result;
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (!isCommitting()) return removeChild.call(this, child) as T;
    return asOwn(this, () => {
      if (child.parentNode !== this) restore(this);
      release(this, child);
      // Others moved it before they were observed.
      if (child.parentNode) removeChild.call(child.parentNode, child);
      return child;
    });
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    if (!isCommitting()) return insertBefore.call(this, node, next) as T;
    return asOwn(this, () => {
      if (next && next.parentNode !== this) restore(this);
      let before = next;
      while (before && before.parentNode !== this) before = before.parentNode;
      return insert(this, node, before);
    });
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    if (!isCommitting()) return appendChild.call(this, node) as T;
    return asOwn(this, () => insert(this, node, null));
  };
  const withSetter = (property: PropertyDescriptor, prepare: (node: Node) => void): PropertyDescriptor => ({
    ...property,
    set(this: Node, value: string) {
      if (!isCommitting()) return property.set?.call(this, value);
      asOwn(this, () => {
        prepare(this);
        property.set?.call(this, value);
      });
    },
  });
  Object.defineProperties(Node.prototype, {
    nodeValue: withSetter(nodeValue, ({ parentNode }) => parentNode && restore(parentNode)),
    textContent: withSetter(textContent, (node) => changes.delete(node)),
  });

  return {
    /** Whether the content of the container had foreign changes, so that it may not hydrate. */
    isChanged: () => isContainerChanged,
    stop: () => {
      observer.disconnect();
      Object.assign(Node.prototype, { removeChild, insertBefore, appendChild });
      Object.defineProperties(Node.prototype, { nodeValue, textContent });
    },
  };
}
