import { ROUNDS } from '@platform/gate';
import type { GateFlow } from '@platform/releases';
import { GateFixture, remote } from './testing/gate-fixture';

const shop = GateFixture.install();
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
