import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { PageDataProvider, preload, resetPageData, usePageData } from '.';

const wrapper = ({ children }: { children: ReactNode }) => (
  <PageDataProvider value={{ provider: () => new Map() }}>{children}</PageDataProvider>
);

it('adopts a call that was started ahead', async () => {
  const fetcher = jest.fn(async () => 'answer');
  preload(['test', 'adopted'], fetcher);
  const { result } = renderHook(() => usePageData(['test', 'adopted'], fetcher), { wrapper });
  await waitFor(() => expect(result.current.data).toBe('answer'));
  expect(fetcher).toHaveBeenCalledTimes(1);
});

it('takes nothing that was fetched ahead before the language or the user changed', async () => {
  preload(['test', 'stale'], async () => '¥6.00');
  await resetPageData();
  const { result } = renderHook(() => usePageData(['test', 'stale'], async () => '$0.99'), { wrapper });
  await waitFor(() => expect(result.current.data).toBe('$0.99'));
});

it('asks the server when the shopper refreshes, whatever was fetched ahead', async () => {
  let count = 0;
  const fetcher = async () => ++count;
  const { result } = renderHook(() => usePageData(['test', 'refreshed'], fetcher), { wrapper });
  await waitFor(() => expect(result.current.data).toBe(1));
  preload(['test', 'refreshed'], async () => -1);
  await result.current.refresh();
  await waitFor(() => expect(result.current.data).toBe(2));
});

describe('a key whose page waits for its answer, or has just got it', () => {
  it('is not asked for again ahead', async () => {
    let settle: (value: string) => void = () => {};
    const fetcher = jest.fn(() => new Promise<string>((resolve) => (settle = resolve)));
    const { result } = renderHook(() => usePageData(['test', 'waiting'], fetcher), { wrapper });
    preload(['test', 'waiting'], fetcher);
    settle('answer');
    await waitFor(() => expect(result.current.data).toBe('answer'));
    preload(['test', 'waiting'], fetcher);
    expect(fetcher).toHaveBeenCalledTimes(1);
  });

  it('is asked for again once the answer is old, failed, or no longer true', async () => {
    const now = jest.spyOn(Date, 'now');
    const fetcher = jest.fn(async () => 'answer');
    const { result } = renderHook(() => usePageData(['test', 'old'], fetcher), { wrapper });
    await waitFor(() => expect(result.current.data).toBe('answer'));
    now.mockReturnValue(Date.now() + 6_000);
    preload(['test', 'old'], fetcher);
    expect(fetcher).toHaveBeenCalledTimes(2);
    now.mockRestore();

    const failing = jest.fn(async () => Promise.reject(new Error('no connection')));
    const failed = renderHook(() => usePageData(['test', 'failed'], failing), { wrapper });
    await waitFor(() => expect(failed.result.current.error).toBeTruthy());
    preload(['test', 'failed'], failing);
    expect(failing).toHaveBeenCalledTimes(2);

    const page = renderHook(() => usePageData(['test', 'untrue'], fetcher), { wrapper });
    await waitFor(() => expect(page.result.current.data).toBe('answer'));
    page.unmount();
    await resetPageData();
    fetcher.mockClear();
    preload(['test', 'untrue'], fetcher);
    expect(fetcher).toHaveBeenCalledTimes(1);
  });
});
