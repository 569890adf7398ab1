import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { createBrowserRouter, RouterProvider, useNavigate } from '../router';
import { Dialog, navigateFromOverlays, Sheet } from './index';

function Page() {
  const [open, setOpen] = useState(false);
  const [isNested, setNested] = useState(false);
  const navigate = useNavigate();
  const leave = (to: string, replace = false) => {
    setOpen(false);
    setNested(false);
    void navigate(to, { replace });
  };
  return (
    <>
      <input aria-label="Quantity" />
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <button type="button" onClick={() => void navigate('/third')}>
        go on
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title="Sign in">
        <input aria-label="Phone" defaultValue="13" />
        <input type="search" aria-label="Country" />
        <input aria-label="Code" autoComplete="one-time-code" />
        <textarea aria-label="Reason" />
        <button type="button" onClick={() => setNested(true)}>
          countries
        </button>
        <button type="button" onClick={() => leave('/third')}>
          link
        </button>
        <button type="button" onClick={() => leave('/third', true)}>
          finish
        </button>
      </Sheet>
      <Dialog open={isNested} onClose={() => setNested(false)} title="Countries">
        <button type="button" onClick={() => leave('/third')}>
          nested link
        </button>
      </Dialog>
    </>
  );
}

// Chromium calls the listeners of the window's own events in the order of their registration, as if all of them captured.
for (const method of ['addEventListener', 'removeEventListener'] as const) {
  const call = window[method].bind(window);
  window[method] = (type: string, listener: EventListenerOrEventListenerObject) => call(type, listener, true);
}

let router: ReturnType<typeof createBrowserRouter>;
let number = 0;

/** Pages of a new history: /first, then the page with the sheet. */
async function openSheet(): Promise<void> {
  number += 1;
  window.history.pushState(null, '', `/first?${number}`);
  router = createBrowserRouter([
    { path: '/first', element: 'first page' },
    { path: '/second', element: <Page /> },
    { path: '/third', element: 'third page' },
  ]);
  router.navigate = navigateFromOverlays(router.navigate);
  render(<RouterProvider router={router} useTransitions={false} />);
  await act(() => router.navigate('/second?game=1'));
  await userEvent.type(screen.getByRole('textbox', { name: 'Quantity' }), '12');
  await userEvent.click(screen.getByRole('button', { name: 'open' }));
  expect(screen.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
}
afterEach(() => router.dispose());

/** A traversal takes a turn of the event loop, and the module may go on to another entry. */
const go = (delta: number) =>
  act(async () => {
    window.history.go(delta);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  });
const address = () => window.location.pathname + window.location.search;
const dialogs = () => document.querySelectorAll('.ui-overlay:not(.is-closing)');
const settled = () => waitFor(() => expect(window.history.state.overlays).toBeUndefined());
const first = () => `/first?${number}`;

it('Back closes a sheet and keeps page, address and typed text; the second Back leaves the page', async () => {
  await openSheet();
  const onChange = jest.fn();
  router.subscribe(onChange);
  await go(-1);
  expect(onChange).not.toHaveBeenCalled();
  expect(dialogs()).toHaveLength(0);
  expect(address()).toBe('/second?game=1');
  expect(screen.getByRole('textbox', { name: 'Quantity' })).toHaveValue('12');
  await go(-1);
  expect(address()).toBe(first());
  expect(screen.getByText('first page')).toBeVisible();
});

it.each([
  ['Back closes nested overlays one by one', -1],
  ['a jump over two entries closes two overlays', -2],
])('%s', async (_, steps) => {
  await openSheet();
  await userEvent.click(screen.getByRole('button', { name: 'countries' }));
  expect(dialogs()).toHaveLength(2);
  await go(steps);
  expect(dialogs()).toHaveLength(2 + steps);
  if (steps === -1) await go(-1);
  expect(dialogs()).toHaveLength(0);
  expect(address()).toBe('/second?game=1');
});

it('Forward after Back does not open the sheet again and stays on the page', async () => {
  await openSheet();
  await go(-1);
  await go(1);
  await settled();
  expect(dialogs()).toHaveLength(0);
  expect(address()).toBe('/second?game=1');
  await go(-1);
  expect(address()).toBe(first());
});

it.each([
  ['the close button', () => userEvent.click(screen.getByRole('button', { name: '关闭' }))],
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the scrim', () => userEvent.click(document.querySelector('.ui-overlay') as Element)],
])('one Back leaves the page after %s has closed the sheet', async (_, close) => {
  await openSheet();
  await close();
  expect(dialogs()).toHaveLength(0);
  await settled();
  expect(address()).toBe('/second?game=1');
  await go(-1);
  expect(address()).toBe(first());
});

it.each(['link', 'nested link'])(
  'a %s in a sheet leads to a page whose Back shows the page of the sheet',
  async (name) => {
    await openSheet();
    if (name === 'nested link') await userEvent.click(screen.getByRole('button', { name: 'countries' }));
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText('third page')).toBeVisible();
    await go(-1);
    expect(address()).toBe('/second?game=1');
    expect(window.history.state.idx).toBe(1);
    expect(dialogs()).toHaveLength(0);
    await go(1);
    expect(address()).toBe('/third');
    expect(window.history.state.idx).toBe(2);
    await go(-2);
    expect(address()).toBe(first());
  },
);

it('a page that replaces the page of the sheet leaves no entry of it', async () => {
  await openSheet();
  await userEvent.click(screen.getByRole('button', { name: 'finish' }));
  expect(await screen.findByText('third page')).toBeVisible();
  await go(-1);
  expect(address()).toBe(first());
});

it('a navigation while the entry is removed leads to its page', async () => {
  await openSheet();
  await userEvent.click(screen.getByRole('button', { name: '关闭' }));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  await userEvent.click(screen.getByRole('button', { name: 'go on' }));
  expect(await screen.findByText('third page')).toBeVisible();
  await go(-1);
  expect(address()).toBe('/second?game=1');
  await go(-1);
  expect(address()).toBe(first());
});

it('a document that is loaded again at the entry of a sheet removes the entry', async () => {
  await openSheet();
  const { state } = window.history;
  await userEvent.keyboard('{Escape}');
  await settled();
  window.history.pushState(state, '');
  navigateFromOverlays(async () => {});
  await settled();
  await go(-1);
  expect(address()).toBe(first());
});

it('a refused navigation keeps the entry of the sheet', async () => {
  await openSheet();
  const { state } = window.history;
  await navigateFromOverlays(async (_to: string, _options?: { replace?: boolean }) => {})('/user');
  expect(window.history.state).toEqual(state);
});

describe('unsaved text', () => {
  const question = () => screen.queryByRole('alertdialog', { name: '放弃已输入的内容？' });
  const type = (name: string, text: string) => userEvent.type(screen.getByRole('textbox', { name }), text);

  it.each([
    ['Back', () => go(-1)],
    ['the close button', () => userEvent.click(screen.getByRole('button', { name: '关闭' }))],
    ['Escape', () => userEvent.keyboard('{Escape}')],
  ])('%s asks before it closes a sheet with typed text', async (_, close) => {
    await openSheet();
    await type('Reason', 'bought twice');
    await close();
    expect(question()).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: '继续编辑' }));
    await waitFor(() => expect(question()).not.toBeInTheDocument());
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveValue('bought twice');
    await close();
    await userEvent.click(screen.getByRole('button', { name: '放弃' }));
    await waitFor(() => expect(dialogs()).toHaveLength(0));
    await settled();
    await go(-1);
    expect(address()).toBe(first());
  });

  it('Back answers the question with no and keeps the text', async () => {
    await openSheet();
    await type('Phone', '8');
    await go(-1);
    expect(question()).toBeVisible();
    await go(-1);
    expect(question()).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Phone' })).toHaveValue('138');
    expect(address()).toBe('/second?game=1');
  });

  it.each([
    ['a search', async () => userEvent.type(screen.getByRole('searchbox'), 'china')],
    ['a field that was only visited', async () => userEvent.click(screen.getByRole('textbox', { name: 'Phone' }))],
    ['a cleared field', async () => userEvent.clear(screen.getByRole('textbox', { name: 'Phone' }))],
    ['a code to sign in', async () => type('Code', '123456')],
    ['spaces', async () => type('Reason', '   ')],
  ])('%s is no unsaved text', async (_, change) => {
    await openSheet();
    await change();
    await go(-1);
    expect(dialogs()).toHaveLength(0);
  });
});

describe('a browser with close requests', () => {
  class CloseWatcher extends EventTarget {
    static open: CloseWatcher[] = [];
    constructor() {
      super();
      CloseWatcher.open.push(this);
    }
    destroy = () => void CloseWatcher.open.splice(CloseWatcher.open.indexOf(this), 1);
    static request(): void {
      const watcher = CloseWatcher.open.at(-1);
      watcher?.destroy();
      watcher?.dispatchEvent(new Event('close'));
    }
  }
  beforeEach(() => Object.assign(window, { CloseWatcher }));
  afterEach(() => {
    Reflect.deleteProperty(window, 'CloseWatcher');
  });

  it('a close request closes the topmost overlay, and the next one the sheet below, without a step in the history', async () => {
    await openSheet();
    await userEvent.click(screen.getByRole('button', { name: 'countries' }));
    expect(CloseWatcher.open).toHaveLength(1);
    await act(async () => CloseWatcher.request());
    expect(screen.getByRole('dialog')).toHaveAccessibleName('Sign in');
    await act(async () => CloseWatcher.request());
    expect(dialogs()).toHaveLength(0);
    expect(CloseWatcher.open).toHaveLength(0);
    await settled();
    await go(-1);
    expect(address()).toBe(first());
  });
});
