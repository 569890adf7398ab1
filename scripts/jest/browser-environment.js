/** jsdom plus the parts of the web platform that it lacks and Node has; React Router's data routers need them. */
const { TestEnvironment } = require('jest-environment-jsdom');

module.exports = class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of [
      'TextEncoder',
      'TextDecoder',
      'Request',
      'Response',
      'Headers',
      'fetch',
      'ReadableStream',
      'TransformStream',
      'structuredClone',
    ]) {
      if (this.global[name] === undefined) this.global[name] = globalThis[name];
    }
    // Node's Request does not accept jsdom's AbortSignal.
    this.global.AbortController = globalThis.AbortController;
    this.global.AbortSignal = globalThis.AbortSignal;
    if (!this.global.crypto?.getRandomValues) this.global.crypto = globalThis.crypto;
    this.global.getComputedStyle = quickStyles(this.global);
  }
};

const inherited = { visibility: 'visible', pointerEvents: 'auto' };

/**
 * A faster getComputedStyle for Testing Library, which calls it for every element in every query by role. jsdom matches the
 * element with each rule of its default style sheet and copies all properties, which takes a quarter of a test's time. A document
 * with style sheets uses jsdom's function.
 */
function quickStyles({ document, getComputedStyle }) {
  /** Cached by everything that jsdom's style sheet distinguishes, except for rubies. */
  const displays = new Map();
  const displayOf = (element, computed) => {
    if (element.style?.display) return element.style.display;
    const marks = [
      element.getAttribute('type') === 'hidden',
      element.hasAttribute('open'),
      element.hasAttribute('hidden'),
    ];
    const kind = [element.localName, ...marks].join();
    if (!displays.has(kind)) displays.set(kind, computed().display);
    return displays.get(kind);
  };
  const inheritedOf = (element, name) => {
    for (let one = element; one; one = one.parentElement) if (one.style?.[name]) return one.style[name];
    return inherited[name];
  };
  return (element, pseudo) => {
    let style;
    const computed = () => {
      style ??= getComputedStyle(element, pseudo);
      return style;
    };
    if (pseudo || document.styleSheets.length > 0) return computed();
    const read = (name) => {
      if (name === 'display') return displayOf(element, computed);
      if (Object.hasOwn(inherited, name)) return inheritedOf(element, name);
      const value = computed()[name];
      return typeof value === 'function' ? value.bind(style) : value;
    };
    const getPropertyValue = (name) =>
      name in inherited || name === 'display' ? read(name) : computed().getPropertyValue(name);
    return new Proxy({}, { get: (_, name) => (name === 'getPropertyValue' ? getPropertyValue : read(name)) });
  };
}
