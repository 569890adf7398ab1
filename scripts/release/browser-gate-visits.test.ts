import { browserGate, ROUNDS } from '@platform/gate';
import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { type Check, type GateFlow, history, promote } from '@platform/releases';
import { publishLive, publishSample } from '@platform/releases/testing';
import { browserGateOrReason } from './shop-gate';
import { by, chromium, GateFixture, remote, shell } from './testing/gate-fixture';

const shop = GateFixture.install();

const press: GateFlow = {
  name: 'shows the price',
  route: '/home',
  visitor: 'guest',
  steps: [{ press: 'button', name: { 'zh-CN': '价格', en: 'Price' } }, { read: '6.00' }],
};
const page = (price: string) => `self.mfe_page = (node) => {
  const button = node.appendChild(document.createElement('button'));
  button.textContent = localStorage.getItem('language') === 'en' ? 'Price' : '价格';
  button.onclick = () => { ${price} };
}`;

it('the gate runs the flows of the published release in both languages', async () => {
  expect(await shop.judge({ ...remote(page('node.append("6.00")')), flows: [press] })).toBe('live');
});

it('the gate refuses a release whose button throws or does nothing in a flow', async () => {
  expect(await shop.judge({ ...remote(page('throw new Error("boom")')), flows: [press] })).toEqual({
    browser: expect.stringMatching(/; flow "shows the price": error: boom at remoteEntry\.js:4:\d+$/),
    flows: expect.stringMatching(/^flow "shows the price": step 2, read "6\.00": .*Timeout/),
  });
});

it('the gate refuses a page that the server cannot render and reports the position', async () => {
  await publishLive(shop.store, {
    name: 'shell',
    more: { 'main.aa.js': shell, 'server/main.js': SHELL_BUILD('1') },
  });
  const renders = (code: string) => {
    const sample = remote(`self.mfe_page = (node) => { node.append('again') } // ${code}`);
    return { ...sample, more: { ...sample.more, 'server/main.js': remoteBuild({ '/home': code }) } };
  };
  expect(await shop.judge(renders('return window.innerWidth;'), shop.step({ rounds: ROUNDS }))).toMatchObject({
    browser: expect.stringMatching(
      /^\/home \(rendered\): the server does not render it: ReferenceError: window is not defined at server\/main\.js:\d+:\d+, in catalog@/,
    ),
  });
});

it('the gate fails when the account cannot sign in, and skips the check only with a reason', async () => {
  shop.mayEnter = false;
  try {
    const context = { store: shop.store, manifest: await shop.manifest(), map: await shop.store.readMap() };
    const outcomes = (await shop.step().run(context)).filter(({ outcome }) => outcome !== 'passed');
    expect(outcomes).toMatchObject([
      {
        check: 'sign-in',
        outcome: 'failed',
        detail: expect.stringMatching(/RELEASE_GATE_ACCOUNT.*login answered 41001/),
      },
    ]);
    const version = await publishSample(shop.store, remote('self.mfe_page = () => {} // again'));
    const options = { ...by, name: 'catalog', version, steps: [shop.step()], skip: ['sign-in'] };
    await expect(promote(shop.store, options)).rejects.toThrow('--why');
    await promote(shop.store, { ...options, why: 'a shop without accounts' });
    expect((await history(shop.store))[0]?.why).toBe('a shop without accounts (skipped: sign-in)');
  } finally {
    shop.mayEnter = true;
  }
});

it('the gate fails when the page does not show the name of the shopper', async () => {
  await publishLive(shop.store, {
    name: 'shell',
    more: { 'main.aa.js': shell.replace("getItem('token')", "getItem('user')") },
  });
  const context = { store: shop.store, manifest: await shop.manifest(), map: await shop.store.readMap() };
  const failed = (checks: Check[]) => checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed(await shop.step({ nameMs: 1_000 }).run(context))).toMatchObject([
    { check: 'sign-in', detail: expect.stringContaining('/user does not show the name "Ann of the gate"') },
  ]);
});

it('the gate closes its documents when Chromium does not start', async () => {
  const close = jest.fn(async () => {});
  const step = browserGate({
    against: shop.against,
    chromium: '/bin/false',
    probe: '',
    documents: () => ({ documentOf: () => ({ headers: {}, html: '' }), close }),
  });
  const context = { store: shop.store, manifest: await shop.manifest(), map: await shop.store.readMap() };
  await expect(step.run(context)).rejects.toThrow(/browser has been closed|Failed to launch/);
  expect(close).toHaveBeenCalledTimes(1);
});

describe('without a shop or a browser', () => {
  const outcome = async (env: Record<string, string>, address: string | null) => {
    const step = await browserGateOrReason(address, { PATH: process.env.PATH, ...env });
    return step.run({ store: shop.store, map: await shop.store.readMap(), manifest: {} as never });
  };

  it.each<[string, string | null, Record<string, string>, string]>([
    ['skipped', null, {}, '--against'],
    ['skipped', 'http://127.0.0.1:9', {}, 'no shop answers'],
    ['failed', null, { RELEASE_GATE: 'strict' }, '--skip browser'],
  ])('the browser check is %s with the shop %s and the settings %j', async (state, address, env, why) => {
    expect(await outcome(env, address)).toMatchObject([{ outcome: state, detail: expect.stringContaining(why) }]);
  });

  it('the gate starts Chromium without a sandbox as root only with GATE_SANDBOX=off', async () => {
    jest.spyOn(process, 'getuid').mockReturnValue(0);
    const env = { CHROME_PATH: chromium, RELEASE_GATE: 'strict', GATE_SANDBOX: '' };
    const refused = await outcome(env, shop.against);
    jest.restoreAllMocks();
    expect(refused).toMatchObject([{ outcome: 'failed', detail: expect.stringContaining('GATE_SANDBOX=off') }]);
  });
});
