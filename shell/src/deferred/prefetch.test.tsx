import type { RemoteLoader } from '@platform/host/remote-loader';
import { act, fireEvent } from '@testing-library/react';
import { endShell, renderShell, type TestPage } from '../testing/render-shell';
import { startPrefetching } from './prefetch';

let fetched: string[];
const pages: TestPage[] = [
  {
    path: '/home',
    flags: { topBar: true, tabBar: true, search: true },
    Component: () => (
      <>
        <a href="/goods/7?from=home">product</a>
        <a href="/goods/8">another product</a>
        <a href="https://elsewhere.example/goods/9">elsewhere</a>
        <a href="/goods/10" target="_blank" rel="noreferrer">
          new tab
        </a>
        <a href="/order/detail/1">guarded</a>
      </>
    ),
  },
];

async function start(options: { token?: string; connection?: object } = {}) {
  const rendered = await renderShell('/home', { pages, token: options.token });
  const { loader } = rendered.shell;
  const loaded = new Set<string>();
  // The listeners of earlier tests are still there.
  const calls: string[] = [];
  fetched = calls;
  const counting: RemoteLoader = {
    ...loader,
    peek: (release, page) => (loaded.has(page) ? loader.peek(release, page) : undefined),
    async load(release, page) {
      calls.push(page);
      loaded.add(page);
      const { module } = await loader.load(release, page);
      return {
        release,
        module: { ...module, loader: ({ params, request }) => void calls.push(`data ${request.url} ${params.id}`) },
      };
    },
  };
  Object.defineProperty(navigator, 'connection', { value: options.connection, configurable: true });
  startPrefetching({ ...rendered.shell, loader: counting });
  return rendered;
}
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  endShell();
});
/** The active state is painted first. */
const afterFrameMs = 20;
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const data = 'data http://localhost/goods/7?from=home 7';

it.each([undefined, {}, { effectiveType: '4g' }])(
  'fetches code and data of a link at the first touch, after its frame and once, on the network %j',
  async (connection) => {
    const { getByText } = await start({ connection });
    fireEvent.pointerDown(getByText('product'));
    await pass(0);
    expect(fetched).toEqual([]);
    await pass(afterFrameMs);
    expect(fetched).toEqual(['./goods/:id', data]);
    fireEvent.pointerDown(getByText('product'));
    await pass(afterFrameMs);
    expect(fetched).toHaveLength(2);
  },
);

it('fetches code and data of a link that the mouse rests on, not of one that it passes over', async () => {
  const { getByText } = await start();
  fireEvent.pointerOver(getByText('product'));
  await pass(30);
  fireEvent.pointerOver(document.body);
  await pass(200);
  expect(fetched).toEqual([]);
  fireEvent.pointerOver(getByText('product'));
  await pass(100);
  expect(fetched).toEqual(['./goods/:id', data]);
});

it('fetches code and data of a link that has the keyboard focus', async () => {
  const { getByText } = await start();
  act(() => getByText('another product').focus());
  act(() => getByText('product').focus());
  await pass(100);
  expect(fetched).toEqual(['./goods/:id', data]);
});

it('ignores links to other sites and new tabs, and guarded pages of a guest', async () => {
  const { getByText } = await start();
  for (const text of ['elsewhere', 'new tab', 'guarded']) fireEvent.pointerDown(getByText(text));
  await pass(afterFrameMs);
  expect(fetched).toEqual([]);
});

it('fetches the code, not the data, of visible links once the page is idle', async () => {
  await start();
  await pass(1_000);
  expect(fetched).toEqual([]);
  await pass(3_000);
  expect(fetched.sort()).toEqual(['./goods/:id', './search']);
});

it('fetches guarded pages once the user is signed in', async () => {
  await start({ token: 'Bearer x' });
  await pass(5_000);
  expect(fetched).toContain('./order');
  expect(fetched.length).toBeLessThanOrEqual(4);
});

it.each([{ saveData: true, effectiveType: '4g' }, { effectiveType: '3g' }, { effectiveType: 'slow-2g' }])(
  'fetches nothing ahead on the network %j',
  async (connection) => {
    const { getByText } = await start({ connection });
    fireEvent.pointerDown(getByText('product'));
    await pass(5_000);
    expect(fetched).toEqual([]);
  },
);
