import { findGlobalChanges } from './scripts';

const owner = { remote: 'promo', container: 'promo_one' };
const found = (code: string) => findGlobalChanges(code, owner).map(({ what }) => what);
/** As a bundler wraps modules. */
const inModule = (code: string) => found(`(() => { ${code} })();`);

describe('scripts of a remote', () => {
  it.each([
    [
      'own variables and members',
      'const shop = { fetch: 1 }; shop.fetch = 2; function f() { this.x = 1 } f.prototype.y = 2;',
    ],
    ['a local of the same name', 'function f(window, fetch) { window.fetch = 1; fetch = 2 }'],
    [
      'reading and calling globals',
      'window.addEventListener("x", () => {}); fetch("/api"); Object.assign({}, window.x);',
    ],
    ['a navigation and the title', 'location.href = "/a"; window.location = "/b"; document.title = "c";'],
    [
      'own storage keys',
      'localStorage.setItem("promo.seen", "1"); window.sessionStorage.removeItem("promo:x"); localStorage.getItem("token");',
    ],
    [
      'an own key with a variable part',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the code under test
      'const key = (id) => { const k = `promo.order.${id}`; sessionStorage.setItem(k, "1"); localStorage.setItem("promo.".concat(id), "") };',
    ],
    ['a variable that starts undefined', 'const f = (on) => { let list = on ? [] : undefined; list[1] = 2; }'],
    ['a key in a variable that is set once', 'let k; k = "promo.a"; sessionStorage.setItem(k, "1")'],
    [
      'registries of the official runtime',
      'const g = self; g.__FEDERATION__.a = 1; const n = a || "__FEDERATION_x"; g[n] = 1',
    ],
    ['an own database', 'indexedDB.open("promo.drafts")'],
    [
      'elements that its page holds',
      'document.createElement("div").style.color = "red"; const el = document.querySelector(".a"); el.hidden = true;',
    ],
  ])('pass: %s', (_, code) => {
    expect(inModule(code)).toEqual([]);
  });

  it('pass as the bundler writes entry and chunks', () => {
    expect(found('var promo_one;(() => { promo_one = { get() {}, init() {} } })();')).toEqual([]);
    expect(
      found('"use strict";(self.rspackChunkpromo_one = self.rspackChunkpromo_one || []).push([["a"], {}]);'),
    ).toEqual([]);
    expect(found('(self["webpackChunkpromo_one"] = self["webpackChunkpromo_one"] || []).push([]);')).toEqual([]);
  });

  it.each([
    ['window.shop = 1', 'writes shop'],
    ['globalThis["fetch"] = () => {}', 'writes fetch'],
    ['fetch = () => {}', 'writes fetch'],
    ['const w = window; w.fetch = () => {}', 'writes fetch'],
    ['let w; w = self; w.a ??= 1', 'writes a'],
    ['const w = typeof globalThis === "object" ? globalThis : window; w.a = 1', 'writes a'],
    ['((w) => { w.a = 1 })(window)', 'writes a'],
    ['Function("return this")().a = 1', 'writes a'],
    ['window[name] = 1', 'writes a global whose name is computed'],
    ['({ a: window.a, ...window.b } = {})', 'writes a', 'writes b'],
    ['for (window.i of []) {}', 'writes i'],
    ['delete window.fetch', 'writes fetch'],
    ['window.onerror = null', 'writes onerror'],
    ['document.cookie = "a=b"', 'writes document.cookie'],
    ['document.shop = 1', 'writes document.shop'],
    ['document.body.style.display = "none"', 'writes document.body.style.display'],
    [
      'document.documentElement.classList.add("dark")',
      'changes elements outside its pages: document.documentElement.classList.add()',
    ],
    ['document.body.append(x)', 'changes elements outside its pages: document.body.append()'],
    ['Array.prototype.last = 1', 'writes Array.prototype.last'],
    ['const { prototype: p } = Element; p.remove = 1', 'writes Element.prototype.remove'],
    ['[].constructor.prototype.x = 1', 'writes (prototype).x'],
    ['({}).__proto__.x = 1', 'writes (prototype).x'],
    ['Object.getPrototypeOf(x).y = 1', 'writes (prototype).y'],
    ['Object.defineProperty(window, "fetch", {})', 'writes fetch'],
    ['const define = Object.defineProperty; define(Response.prototype, "json", {})', 'writes Response.prototype.json'],
    ['Object.assign(window, {})', 'writes the global object'],
    ['Object.freeze(Array.prototype)', 'writes Array.prototype'],
    ['XMLHttpRequest.prototype.open = 1', 'writes XMLHttpRequest.prototype.open'],
    ['history.pushState = 1', 'writes history.pushState'],
    ['navigator.sendBeacon = 1', 'writes navigator.sendBeacon'],
    ['Math.random = () => 0', 'writes Math.random'],
    ['document.write("")', 'calls document.write()'],
    ['navigator.serviceWorker.register("/x.js")', 'calls navigator.serviceWorker.register()'],
    ['navigator.serviceWorker.ready.then(stop)', 'calls navigator.serviceWorker.ready.then()'],
    ['document.createElement("style")', 'makes a <style> element, whose rules apply to the whole document'],
    ['(0, r.jsx)("style", { children: "" })', 'makes a <style> element, whose rules apply to the whole document'],
    ['document.styleSheets[0].insertRule("")', 'adds a style rule to the document'],
    ['document.adoptedStyleSheets.push(s)', 'changes the style sheets of the document'],
    ['localStorage.setItem("token", "")', 'writes "token" in localStorage: keys must start with "promo."'],
    ['localStorage.token = ""', 'writes "token" in localStorage: keys must start with "promo."'],
    ['delete sessionStorage[key]', 'writes a key that is computed in sessionStorage: keys must start with "promo."'],
    [
      'const set = (key) => localStorage.setItem(key, "")',
      'writes a key that is computed in localStorage: keys must start with "promo."',
    ],
    [
      'const s = window.localStorage; s.removeItem(b ? "promo.a" : "token")',
      'writes "token" in localStorage: keys must start with "promo."',
    ],
    [
      'let k = "promo.a"; k = other; localStorage.setItem(k, "")',
      'writes a key that is computed in localStorage: keys must start with "promo."',
    ],
    ['localStorage.clear()', 'calls localStorage.clear(), which concerns keys of others'],
    ['use(localStorage)', 'hands localStorage on: call its methods where its keys can be seen'],
    [
      'Storage.prototype.setItem.call(s, "a", "")',
      'uses Storage.prototype: call the method of localStorage or sessionStorage',
    ],
    ['indexedDB.deleteDatabase("orders")', 'writes "orders" in indexedDB: keys must start with "promo."'],
  ])('are found: %s', (code, ...expected) => {
    expect(inModule(code)).toEqual(expected);
  });

  it('are found at the top of a script, whose declarations are globals', () => {
    expect(found('var shop = 1; function start() {}')).toEqual([
      'declares the global "shop"',
      'declares the global "start"',
    ]);
    expect(found('this.shop = 1')).toEqual(['writes shop']);
  });

  it('have line and column of each fault', () => {
    expect(findGlobalChanges('(() => {\n  window.a = 1;\n})();', owner)).toEqual([
      { line: 2, column: 3, what: 'writes a' },
    ]);
  });

  it('are refused when they cannot be read', () => {
    expect(found('const = 1')).toEqual([expect.stringMatching(/^cannot be read: /)]);
  });
});
