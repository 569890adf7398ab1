import { openVisit, report, reportShell } from '@platform/host/health';
import { stubNetwork } from '@shop/shared/testing';
import { waitFor } from '@testing-library/react';
import { act, useState } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { createShell } from './create-shell';
import { applyStyles, dropOtherLanguage, hydrationReporter, keepInput, preparePage } from './hydrate';
import { readRendered } from './rendered-document';

jest.mock('@platform/host/health', () => ({
  ...jest.requireActual('@platform/host/health'),
  report: jest.fn(),
  reportShell: jest.fn(),
}));

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
let root: Root | undefined;
const container = () => document.getElementById('root') as HTMLElement;

afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  localStorage.clear();
  for (const name of Object.keys(document.documentElement.dataset)) delete document.documentElement.dataset[name];
  window.history.replaceState(null, '', '/');
  jest.restoreAllMocks();
});

function Search() {
  const [text, setText] = useState('');
  const [kind, setKind] = useState('a');
  const [agreed, setAgreed] = useState(false);
  return (
    <form>
      <input aria-label="search" value={text} onChange={(event) => setText(event.target.value)} />
      <select aria-label="kind" value={kind} onChange={(event) => setKind(event.target.value)}>
        <option value="a">a</option>
        <option value="b">b</option>
      </select>
      <input type="checkbox" checked={agreed} onChange={(event) => setAgreed(event.target.checked)} />
      <output>{`${text} ${kind} ${agreed}`}</output>
    </form>
  );
}

it('typed, chosen and clicked input reaches React, and the focus stays', async () => {
  document.body.innerHTML = `<div id="root">${renderToString(<Search />)}</div>`;
  const [text, box] = container().querySelectorAll('input');
  const select = container().querySelector('select') as HTMLSelectElement;
  if (!text || !box) throw new Error('no fields');
  text.focus();
  text.value = 'genshin';
  select.value = 'b';
  box.checked = true;
  const restore = keepInput(container());
  await act(async () => {
    root = hydrateRoot(container(), <Search />);
  });
  await act(async () => restore());
  expect(container().querySelector('output')?.textContent).toBe('genshin b true');
  expect([text.value, select.value, box.checked]).toEqual(['genshin', 'b', true]);
  expect(document.activeElement).toBe(text);
});

it('turns the data of styles back into styles', () => {
  document.body.innerHTML = '<div id="root"><p data-style="--w:2px;color:red"></p></div>';
  applyStyles(container());
  expect(container().innerHTML).toBe('<p style="--w: 2px; color: red;"></p>');
});

it('removes a page in another language together with the flag that hides it, and no other page', () => {
  document.body.innerHTML = '<div id="root"><main>一</main></div>';
  dropOtherLanguage(container());
  expect(container().textContent).toBe('一');
  document.documentElement.dataset.redraw = '';
  dropOtherLanguage(container());
  expect(container().childElementCount).toBe(0);
  expect(document.documentElement.dataset).not.toHaveProperty('redraw');
});

const page = (text: string, bar = 'bar') => (
  <div>
    <header>{bar}</header>
    <main data-remote="catalog">{text}</main>
  </div>
);
async function hydrated(client: ReturnType<typeof page>, isChanged: boolean) {
  jest.spyOn(console, 'error').mockImplementation();
  jest.mocked(report).mockClear();
  jest.mocked(reportShell).mockClear();
  openVisit('catalog', '1.0.0-1', './home');
  document.body.innerHTML = `<div id="root">${renderToString(page('from the server'))}</div>`;
  await act(async () => {
    root = hydrateRoot(container(), client, { onRecoverableError: hydrationReporter(container(), () => isChanged) });
  });
}

const ofRemote = [expect.objectContaining({ name: 'catalog', version: '1.0.0-1' }), 'render'];
const ofShell = ['render'];

it.each([
  ['reported as a fault of its remote', page('from the browser'), false, [ofRemote], []],
  ['a fault of the shell if the page is equal', page('from the server', 'another bar'), false, [], [ofShell]],
  ['not reported if a translator changed it before', page('from the browser'), true, [], []],
])('a page that does not hydrate is re-rendered and %s', async (_, client, isChanged, faults, shellFaults) => {
  await hydrated(client, isChanged);
  expect(container().innerHTML).toBe(renderToString(client));
  expect([jest.mocked(report).mock.calls, jest.mocked(reportShell).mock.calls]).toEqual([faults, shellFaults]);
});

describe('a document that came rendered', () => {
  const rendered = (attribute = '1.0.0-1 en dark /home') => {
    document.body.innerHTML = '<script type="application/json" id="page-data">{"/api/front/x":{"code":200}}</script>';
    document.documentElement.dataset.rendered = attribute;
  };

  it('a rendered document contains its user and its answers', () => {
    rendered();
    expect(readRendered('1.0.0-1')).toEqual({
      path: '/home',
      language: 'en',
      theme: 'dark',
      answers: { '/api/front/x': { code: 200 } },
    });
  });

  it.each<[string, () => void]>([
    ['another shell runs', () => rendered('1.0.0-2 en dark /home')],
    ['it is in another language than the visitor’s', () => (document.documentElement.dataset.redraw = '')],
    ['the previous shell took over', () => (document.documentElement.dataset.rescued = '1.0.0-0')],
    ['the history entry holds state', () => window.history.replaceState({ usr: { fields: {} } }, '')],
    ['it leads to a paid order', () => window.history.replaceState(null, '', '/#/pages/order/pay-success?id=7')],
  ])('a document is re-rendered when %s', (_, change) => {
    rendered();
    change();
    expect(readRendered('1.0.0-1')).toBeUndefined();
  });
});

const map = { channel: 'production', rev: 1, microFrontends: {} } as const;
const rendered = { path: '/404', language: 'zh-CN', theme: 'light', answers: {} } as const;

it.each([
  ['is hydrated', () => {}, true],
  [
    'is rendered again when the visitor goes back before that',
    () => window.history.replaceState(null, '', '/goods'),
    false,
  ],
])('a document %s', async (_, meanwhile, isHydrated) => {
  stubNetwork({ 'GET /api/front/app/config': {} });
  window.history.replaceState(null, '', '/404');
  const { shell, dispose } = createShell({ map, visitor: 50, rendered });
  const prepared = preparePage(shell, rendered);
  meanwhile();
  expect(await prepared).toBe(isHydrated);
  dispose();
});

it('loads the user and checks for a coupon when the session is restored after the first navigation', async () => {
  localStorage.setItem('token', 'Bearer x');
  const requests = stubNetwork({
    'GET /api/front/user/info': { id: 7, nickname: '小星', balances: { CNY: '1.00', USD: '1.00' } },
    'GET /api/front/coupon/check': null,
  });
  const { shell, dispose } = createShell({ map, visitor: 50, rendered });
  await shell.session.ensureUser();
  expect(shell.session.hasToken).toBe(false);
  shell.hydration?.restore();
  shell.hydration?.done();
  await waitFor(() => expect(shell.session.user?.nickname).toBe('小星'));
  expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(['/api/front/coupon/check']));
  dispose();
});
