import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { Activity, type ReactNode } from 'react';
import {
  invalidate,
  listQueryOptions,
  prefetch,
  prefetchList,
  QueryClientProvider,
  queryClient,
  queryOptions,
  resetQueries,
  useListQuery,
  useQuery,
} from './';
import type { ListPage } from './list';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
const queryOf = <Data,>(queryFn: () => Promise<Data>, name = 'test') =>
  queryOptions({ queryKey: ['test', name], queryFn });
const show = <Data,>(query: ReturnType<typeof queryOf<Data>>) => renderHook(() => useQuery(query), { wrapper });

function Page({ fetcher }: { fetcher: () => Promise<string> }) {
  return <p>{useQuery(queryOf(fetcher)).data ?? 'loading'}</p>;
}

const keptAlive = (fetcher: () => Promise<string>, mode: 'visible' | 'hidden') => (
  <Activity mode={mode}>
    <Page fetcher={fetcher} />
  </Activity>
);

/** A fetcher whose requests are answered by hand, in any order. */
function manualFetcher() {
  const pending: Array<(value: string) => void> = [];
  const fetcher = jest.fn(() => new Promise<string>((resolve) => pending.push(resolve)));
  return { fetcher, answer: (call: number, value: string) => act(async () => pending[call]?.(value)) };
}

let now = Date.now();
const pass = (milliseconds: number) => {
  now += milliseconds;
};
beforeEach(() => {
  now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
  queryClient.clear();
});

it('shares one request between the prefetch and the page', async () => {
  const { fetcher, answer } = manualFetcher();
  prefetch(queryOf(fetcher));
  prefetch(queryOf(fetcher));
  const { result } = show(queryOf(fetcher));
  await answer(0, 'answer');
  await waitFor(() => expect(result.current.data).toBe('answer'));
  prefetch(queryOf(fetcher));
  expect(fetcher).toHaveBeenCalledTimes(1);
});

it('requests data again that is older than 5 seconds, invalidated or failed', async () => {
  const fetcher = jest.fn(async () => 'answer');
  const { result, unmount } = show(queryOf(fetcher));
  await waitFor(() => expect(result.current.data).toBe('answer'));
  unmount();
  pass(4_900);
  prefetch(queryOf(fetcher));
  expect(fetcher).toHaveBeenCalledTimes(1);
  pass(200);
  prefetch(queryOf(fetcher));
  expect(fetcher).toHaveBeenCalledTimes(2);
  await act(() => invalidate(['test']));
  prefetch(queryOf(fetcher));
  expect(fetcher).toHaveBeenCalledTimes(3);

  const failing = jest.fn(async () => Promise.reject(new Error('no connection')));
  const failed = show(queryOf(failing, 'failed'));
  await waitFor(() => expect(failed.result.current.error).toBeTruthy());
  prefetch(queryOf(failing, 'failed'));
  expect(failing).toHaveBeenCalledTimes(2);
});

describe('a page', () => {
  it('does not retry a failed request, and recovers by refetch', async () => {
    let isUp = false;
    const fetcher = jest.fn(async () => (isUp ? 'answer' : Promise.reject(new Error('down'))));
    const { result } = show(queryOf(fetcher));
    await waitFor(() => expect(result.current.error).toBeTruthy());
    expect(fetcher).toHaveBeenCalledTimes(1);
    isUp = true;
    await act(() => result.current.refetch());
    await waitFor(() => expect(result.current.data).toBe('answer'));
    expect(result.current.error).toBeNull();
  });

  it('requests stale data again when the connection is back, not when the window gets the focus', async () => {
    const fetcher = jest.fn(async () => 'answer');
    const { result } = show(queryOf(fetcher));
    await waitFor(() => expect(result.current.data).toBe('answer'));
    pass(60_000);
    await act(async () => void window.dispatchEvent(new Event('visibilitychange')));
    expect(fetcher).toHaveBeenCalledTimes(1);
    await act(async () => {
      window.dispatchEvent(new Event('offline'));
      window.dispatchEvent(new Event('online'));
    });
    await waitFor(() => expect(fetcher).toHaveBeenCalledTimes(2));
  });

  it('fails at once without a connection instead of waiting', async () => {
    act(() => void window.dispatchEvent(new Event('offline')));
    const { result } = show(queryOf(async () => Promise.reject(new Error('offline'))));
    await waitFor(() => expect(result.current.error).toBeTruthy());
    act(() => void window.dispatchEvent(new Event('online')));
  });

  it('shows the old data of a kept-alive page when it is visible again, and refetches it', async () => {
    const { fetcher, answer } = manualFetcher();
    const { rerender } = render(keptAlive(fetcher, 'visible'), { wrapper });
    await answer(0, 'old');
    expect(await screen.findByText('old')).toBeVisible();
    rerender(keptAlive(fetcher, 'hidden'));
    pass(3_600_000);
    expect(fetcher).toHaveBeenCalledTimes(1);
    rerender(keptAlive(fetcher, 'visible'));
    expect(screen.getByText('old')).toBeVisible();
    await answer(1, 'new');
    expect(await screen.findByText('new')).toBeVisible();
  });
});

it('keeps 200 queries and the mounted ones, and a kept-alive page whose query was removed requests it again', async () => {
  const fetcher = jest.fn(async () => 'answer');
  fetcher.mockResolvedValueOnce('old answer');
  const others = async (prefix: string) => {
    for (let index = 0; index < 250; index += 1) prefetch(queryOf(async () => index, `${prefix} ${index}`));
    await act(async () => {});
  };
  const { rerender } = render(keptAlive(fetcher, 'visible'), { wrapper });
  await others('first');
  prefetch(queryOf(async () => 'last', 'last'));
  const cache = queryClient.getQueryCache();
  expect(cache.getAll()).toHaveLength(200);
  expect(cache.getAll()[0]?.queryKey).toEqual(['test', 'test']);
  rerender(keptAlive(fetcher, 'hidden'));
  await others('second');
  await others('third');
  expect(cache.find({ queryKey: ['test', 'test'] })).toBeUndefined();
  rerender(keptAlive(fetcher, 'visible'));
  expect(await screen.findByText('answer')).toBeVisible();
  await act(async () => void invalidate(['test', 'test']));
  await waitFor(() => expect(fetcher).toHaveBeenCalledTimes(3));
});

it('removes the data at once after a change of user or language and refetches mounted queries', async () => {
  const { fetcher, answer } = manualFetcher();
  const { result } = show(queryOf(fetcher));
  await answer(0, '¥6.00');
  await waitFor(() => expect(result.current.data).toBe('¥6.00'));
  act(() => void resetQueries());
  await waitFor(() => expect(result.current).toMatchObject({ data: undefined, isLoading: true }));
  await answer(1, '$0.99');
  await waitFor(() => expect(result.current.data).toBe('$0.99'));
});

it('never shows an answer that was pending during a change of user, mounted or prefetched', async () => {
  const onScreen = manualFetcher();
  const ahead = manualFetcher();
  const page = show(queryOf(onScreen.fetcher, 'on screen'));
  prefetch(queryOf(ahead.fetcher, 'ahead'));
  await act(async () => void resetQueries());
  await onScreen.answer(0, 'earlier user');
  await ahead.answer(0, 'earlier user');
  const next = show(queryOf(ahead.fetcher, 'ahead'));
  expect(page.result.current.data).toBeUndefined();
  expect(next.result.current.data).toBeUndefined();
  await onScreen.answer(1, 'this user');
  await ahead.answer(1, 'this user');
  await waitFor(() => expect(page.result.current.data).toBe('this user'));
  await waitFor(() => expect(next.result.current.data).toBe('this user'));
});

describe('a list', () => {
  let version = 1;
  const fetchPage = jest.fn(
    async (page: number): Promise<ListPage<string>> => ({
      list: [`row ${page} v${version}`],
      total: 3,
      page,
      limit: 1,
      has_more: page < 3,
    }),
  );
  const list = listQueryOptions<string>(['test', 'list'], fetchPage);
  const showList = () => renderHook(() => useListQuery(list), { wrapper });
  beforeEach(() => {
    version = 1;
    fetchPage.mockClear();
  });

  async function withTwoPages() {
    const rendered = showList();
    await waitFor(() => expect(rendered.result.current.items).toEqual(['row 1 v1']));
    act(() => rendered.result.current.loadMore());
    await waitFor(() => expect(rendered.result.current.items).toEqual(['row 1 v1', 'row 2 v1']));
    return rendered;
  }

  it('loads page after page until the last', async () => {
    const { result } = await withTwoPages();
    expect(result.current).toMatchObject({ total: 3, hasMore: true, isLoadingMore: false });
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.hasMore).toBe(false));
    act(() => result.current.loadMore());
    expect(fetchPage.mock.calls.map(([page]) => page)).toEqual([1, 2, 3]);
  });

  it.each([
    ['a row that moved to the next page', ['b', 'c'], ['a', 'b', 'c']],
    ['a row twice on one page', ['c', 'c'], ['a', 'b', 'c']],
    ['nothing new', ['a', 'b'], ['a', 'b']],
  ])('asks by the cursor of the page before, and shows each row once despite %s', async (_what, second, shown) => {
    const pages = [['a', 'b'], second].map((ids) => ids.map((order_no) => ({ order_no })));
    const fetcher = jest.fn(async (page: number, cursor?: string) => ({
      list: pages[page - 1] ?? [],
      total: 3,
      page,
      limit: 2,
      has_more: page < 2,
      ...(!cursor && { next: 'after-b' }),
    }));
    const orders = listQueryOptions(['test', 'orders', shown], fetcher, ({ order_no }) => order_no);
    const { result } = renderHook(() => useListQuery(orders), { wrapper });
    await waitFor(() => expect(result.current.items).toHaveLength(2));
    act(() => result.current.loadMore());
    await waitFor(() => expect(result.current.hasMore).toBe(false));
    expect(result.current.items.map(({ order_no }) => order_no)).toEqual(shown);
    expect(fetcher.mock.calls).toEqual([
      [1, undefined],
      [2, 'after-b'],
    ]);
  });

  it('shares the request of the list’s first page with a prefetch', async () => {
    prefetchList(list);
    const { result } = showList();
    await waitFor(() => expect(result.current.items).toHaveLength(1));
    expect(fetchPage).toHaveBeenCalledTimes(1);
  });

  it('refetches a list that was invalidated while hidden when it is visible again, and no other', async () => {
    const first = await withTwoPages();
    first.unmount();
    pass(60_000);
    const second = showList();
    expect(second.result.current.items).toHaveLength(2);
    expect(fetchPage).toHaveBeenCalledTimes(2);
    second.unmount();
    await invalidate(['test']);
    version = 2;
    const third = showList();
    await waitFor(() => expect(third.result.current.items).toEqual(['row 1 v2', 'row 2 v2']));
  });

  it('goes back to the first page when the user refreshes', async () => {
    const { result } = await withTwoPages();
    version = 2;
    await act(() => result.current.refresh());
    await waitFor(() => expect(result.current.items).toEqual(['row 1 v2']));
    expect(fetchPage.mock.calls.map(([page]) => page)).toEqual([1, 2, 1]);
  });
});
