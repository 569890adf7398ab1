import { browserGate, ROUNDS } from '@platform/gate';
import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { type GateFlow, history, promote } from '@platform/releases';
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
const pageWith = (price: string) => `self.mfe_page = (node) => {
  const button = node.appendChild(document.createElement('button'));
  button.textContent = localStorage.getItem('language') === 'en' ? 'Price' : '价格';
  button.onclick = () => { ${price} };
}`;

it('the gate runs the flows of the published release in both languages', async () => {
  expect(await shop.judge({ ...remote(pageWith('node.append("6.00")')), flows: [press] })).toBe('live');
});

it('the gate refuses a release whose button throws or does nothing in a flow', async () => {
  expect(await shop.judge({ ...remote(pageWith('throw new Error("boom")')), flows: [press] })).toEqual({
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
    const outcomes = (await shop.step().run(await shop.context())).filter(({ outcome }) => outcome !== 'passed');
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
  const checks = await shop.step({ nameMs: 1_000 }).run(await shop.context());
  expect(checks.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
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
  await expect(step.run(await shop.context())).rejects.toThrow(/browser has been closed|Failed to launch/);
  expect(close).toHaveBeenCalledTimes(1);
});

describe('without a shop or a browser', () => {
  const outcome = async (env: Record<string, string>, address: string | null) => {
    const step = await browserGateOrReason(address, { PATH: process.env.PATH, ...env });
    return step.run(await shop.context());
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

const page = (code: string, css?: string) => remote(`self.mfe_page = (node) => { ${code} };`, css);
const flow = (steps: GateFlow['steps'], visitor: GateFlow['visitor'] = 'guest'): GateFlow => ({
  name: 'acts',
  route: '/home',
  visitor,
  steps,
});
const button = `const button = node.appendChild(document.createElement('button')); button.textContent = 'Buy';`;

it('the gate accepts controls that a click reaches, in a scrolling row, in a label and beside a disabled control', async () => {
  const sound = `${button}
    const row = node.appendChild(document.createElement('div')); row.className = 'row';
    for (const name of ['one', 'two']) row.append(Object.assign(document.createElement('a'), { href: '/home', textContent: name }));
    const label = node.appendChild(document.createElement('label'));
    label.append(Object.assign(document.createElement('input'), { type: 'checkbox' }), document.createElement('span'), 'Remember');
    node.append(Object.assign(document.createElement('button'), { disabled: true, className: 'off', textContent: 'Off' }));`;
  const css = `[data-remote="catalog"] :is(a,input){margin:0}
    [data-remote="catalog"] .row{overflow:auto;width:100px;white-space:nowrap} [data-remote="catalog"] .row a{display:inline-block;width:90px}
    [data-remote="catalog"] label{position:relative;display:block} [data-remote="catalog"] label span{position:absolute;inset:0}
    [data-remote="catalog"] .off{pointer-events:none}`;
  expect(await shop.judge(page(sound, css))).toBe('live');
});

it('the gate refuses a control under an invisible layer', async () => {
  const code = `${button} node.appendChild(document.createElement('div')).className = 'layer';`;
  const css = '[data-remote="catalog"] .layer{position:fixed;inset:0;opacity:0}';
  expect(await shop.judge(page(code, css))).toEqual({
    presses: '/home (answers as they are): button lies under div.layer',
  });
});

it('the gate refuses a dialog without a name in the middle of a flow', async () => {
  const flows = [
    flow([
      { press: 'button', name: 'Buy' },
      { press: 'button', name: 'Close' },
      { see: 'button', name: 'Buy' },
    ]),
  ];
  expect(await shop.judge({ ...page(opensDialog('')), flows })).toEqual({
    accessibility: expect.stringMatching(/flow "acts": aria-dialog-name at \S+$/),
  });
  expect(await shop.judge({ ...page(opensDialog('Buy it')), flows })).toBe('live');
});

const opensDialog = (name: string) => `${button} button.onclick = () => {
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.ariaLabel = '${name}';
  dialog.onclose = () => dialog.remove();
  const close = dialog.appendChild(document.createElement('button'));
  close.textContent = 'Close';
  close.onclick = () => dialog.close();
  dialog.showModal();
};`;

const late = (dialog: string) => dialog.replace('dialog.showModal()', 'setTimeout(() => dialog.showModal(), 600)');
const leads = `
  node.appendChild(Object.assign(document.createElement('button'), { textContent: 'Go', className: 'go' }))
    .onclick = () => { history.pushState(null, '', '/other'); node.replaceChildren(); };
  node.appendChild(Object.assign(document.createElement('button'), { textContent: 'Leave', className: 'leave' }))
    .onclick = () => { location.href = 'https://elsewhere.example/'; };`;

it.each([
  ['a button that announces a dialog', `${opensDialog('')} button.ariaHasPopup = 'dialog';`],
  ['a button that opens a dialog', opensDialog('')],
  ['a late dialog behind buttons that leave the page,', leads + late(opensDialog(''))],
])('the gate refuses %s without a name', async (_, code) => {
  expect(await shop.judge(page(code))).toEqual({
    accessibility: expect.stringMatching(/^\/home \(answers as they are\): aria-dialog-name at \S+$/),
  });
});

it('the gate accepts a late dialog with a name behind buttons that leave the page', async () => {
  expect(await shop.judge(page(leads + late(opensDialog('Buy it'))))).toBe('live');
});

it('clicks of the gate change nothing in the shop and nothing that other pages see', async () => {
  shop.writes = [];
  const orders = `${button} button.onclick = () => {
    localStorage.removeItem('token');
    localStorage.setItem('catalog.bought', '1');
    fetch('/api/front/order/create', { method: 'POST' }).catch(() => node.append('No connection'));
  };
  const form = node.appendChild(document.createElement('form'));
  form.append(Object.assign(document.createElement('button'), { textContent: 'Send' }));
  form.onsubmit = () => { throw new Error('submitted'); };
  if (localStorage.getItem('catalog.bought')) throw new Error('bought before');`;
  expect(await shop.judge(page(orders), shop.step({ rounds: ROUNDS }))).toBe('live');
  expect(shop.writes).toEqual(['/api/front/app/login']);
});

it('the gate compares the page with the API answers that it got', async () => {
  const flows = [flow([{ agrees: '/api/front/user/info', value: 'data.nickname', as: 'text' }], 'signed in')];
  const shows = (text: string) =>
    page(`self.user().then(({ data }) => node.appendChild(document.createElement('span')).append(${text}));`);
  expect(await shop.judge({ ...shows(`data ? data.nickname : ''`), flows })).toBe('live');
  expect(await shop.judge({ ...shows(`data ? data.nickname.slice(1) : ''`), flows })).toEqual({
    flows: expect.stringContaining('the page does not show Ann of the gate'),
  });
});

it('the gate refuses text in the colour of its background, even in the dark theme only', async () => {
  const css = '[data-theme="dark"] [data-remote="catalog"]{background:#fff;color:#fff}';
  expect(await shop.judge(page('', css), shop.step({ rounds: ROUNDS }))).toEqual({
    accessibility: '/home (signed in, 390 px): text in the colour of its background at main',
  });
});

it('the gate refuses a head that scripts change for search engines', async () => {
  const code = `document.head.append(Object.assign(document.createElement('meta'), { name: 'robots', content: 'noindex' }));`;
  expect(await shop.judge(page(code))).toEqual({
    head: '/home: robots is "noindex" after the scripts, "" in the document',
  });
});
