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
