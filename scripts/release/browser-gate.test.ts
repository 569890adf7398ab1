import { ROUNDS } from '@platform/gate';
import { gateAccount } from './shop-gate';
import { GateFixture, remote } from './testing/gate-fixture';

const shop = GateFixture.install();

it('the gate passes a release whose routes all work', async () => {
  const good = `self.mfe_page = (node) => {
    self.user().then(({ data }) => { node.append(data ? 'Hello' : 'Sign in'); });
    localStorage.setItem('catalog.seen', '1');
    document.title = 'fine';
  }`;
  expect(await shop.judge(remote(good), shop.step({ rounds: ROUNDS }))).toBe('live');
});

it('the gate refuses a release that throws at render, although its fallback would hide it', async () => {
  expect(await shop.judge(remote('self.mfe_page = () => { throw new Error("boom"); }'))).toEqual({
    browser: expect.stringMatching(/^\/home( \(.+\))?: an error card$/),
  });
});

it('the gate refuses errors, rejected promises and policy violations, each with its position', async () => {
  const bad = `self.mfe_page = (node) => {
    setTimeout(() => { throw new Error('in a timer'); });
    setTimeout(() => Promise.reject(new Error('in a promise')));
    setTimeout(() => console.error('this is wrong'));
    node.setAttribute('style', 'color:red');
  }`;
  const { browser } = (await shop.judge(remote(bad))) as Record<string, string>;
  expect(browser).toContain('/home: error: in a timer at remoteEntry.js:2:30');
  expect(browser).toContain('/home: error: in a promise at remoteEntry.js:3:37');
  expect(browser).toContain('/home: console: this is wrong at remoteEntry.js:4:30');
  expect(browser).toMatch(/\/home: policy: style-src-attr inline at remoteEntry\.js:5/);
});

it('the gate refuses globals, patches, storage keys and styles with effects outside the release’s pages', async () => {
  const bad = `self.leaked = 1;
    self.mfe_page = () => {
      const { fetch } = self;
      self.fetch = (...call) => fetch(...call);
      Array.prototype.last = function () { return this.at(-1); };
      XMLHttpRequest.prototype.open = () => {};
      localStorage.setItem('seen', '1');
      sessionStorage.draft = 'x';
    }`;
  const css =
    '.fine,[data-remote="catalog"] p{color:#000}\n@media (min-width:1px){body main:hover{color:#111}html{margin:0}}';
  const { isolation = '' } = (await shop.judge(remote(bad, css))) as Record<string, string>;
  for (const fault of [
    /it sets the global leaked/,
    /it changes fetch/,
    /it changes Array\.prototype\.last/,
    /it changes XMLHttpRequest\.prototype\.open/,
    /it writes the storage key "seen", which does not start with "catalog\." at remoteEntry\.js:7:\d+/,
    /it writes the storage key "draft", which does not start with "catalog\."/,
    /its style rule "html" reaches html outside its pages in home\.dd\.css/,
  ]) {
    expect(isolation).toMatch(fault);
  }
  expect(isolation).not.toMatch(/"body main|\.fine|data-remote="catalog"\] p/);
});

const demo = { phone: '13800000000', password: 'demo1234' };
const own = { phone: '13900000000', password: 'of:a shopper' };

it.each([
  ['http://localhost:8080', {}, demo],
  ['http://127.0.0.1:8080', { RELEASE_GATE_ACCOUNT: '' }, demo],
  ['https://shop.example', {}, undefined],
  ['https://localhost.example', {}, undefined],
  ['https://shop.example', { RELEASE_GATE_ACCOUNT: '13900000000:of:a shopper' }, own],
])('the gate at %s with %j signs in with %j', (shop, env, account) => {
  expect(gateAccount(shop, env)).toEqual(account);
});
