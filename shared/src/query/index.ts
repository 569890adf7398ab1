/**
 * Page data by key, in one small cache (ADR 0002). A page's `loader` calls `preload`, the page reads the same key with
 * `usePageData`; so a kept page, a prefetch and a render on a server all find the same data. Keys are arrays that begin
 * with the area: ['orders', 'list', {tab}]. Language and sign-in change the answers, so the shell calls
 * `resetPageData()` when either changes.
 */
import { useEffect, useRef } from 'react';
import useSWR, { type Key, mutate, SWRConfig, type SWRConfiguration, unstable_serialize } from 'swr';
import useSWRInfinite from 'swr/infinite';

export type PageKey = readonly [area: string, ...rest: unknown[]];

export interface PageData<T> {
  data: T | undefined;
  error: unknown;
  /** No data yet: draw the skeleton. */
  isLoading: boolean;
  /** Data is there and is being fetched again. */
  isRefreshing: boolean;
  refresh(): Promise<void>;
  /** Replaces the cached value at once, without a call. */
  set(data: T): void;
}

/** A kept page that becomes visible again shows what it had; it asks again only when its data is older than this. */
const freshForMs = 5_000;

const defaults: SWRConfiguration = {
  revalidateOnFocus: false,
  dedupingInterval: freshForMs,
  // The page offers "try again"; money calls must not repeat by themselves.
  shouldRetryOnError: false,
  keepPreviousData: false,
};

/** `key` null: nothing is fetched yet. */
export function usePageData<T>(
  key: PageKey | null,
  fetcher: () => Promise<T>,
  options: { refreshMs?: number } = {},
): PageData<T> {
  const {
    data,
    error,
    isLoading,
    isValidating,
    mutate: update,
  } = useSWR<T>(key as Key, () => adopt(key, fetcher), {
    ...defaults,
    ...(options.refreshMs ? { refreshInterval: options.refreshMs } : {}),
  });
  return {
    data,
    error,
    isLoading,
    isRefreshing: isValidating && data !== undefined,
    refresh: async () => {
      if (key) forget(unstable_serialize(key as Key));
      await update();
    },
    set: (next) => {
      void update(next, { revalidate: false });
    },
  };
}

/** A page of the contract's lists: `{list, total, page, limit, has_more}`. */
export interface ListPage<T> {
  list: T[];
  total: number;
  page: number;
  limit: number;
  has_more: boolean;
}

export interface InfinitePageData<T> {
  items: T[];
  total: number;
  error: unknown;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore(): void;
  refresh(): Promise<void>;
}

/**
 * SWR's filter leaves out the keys of useSWRInfinite, so lists look here: when each prefix was invalidated last. A list
 * on screen is told at once, a kept one sees it when it is shown again.
 */
const invalidated = new Map<string, number>();
const lists = new Set<() => void>();
let invalidations = 0;

function markLists(prefix: readonly unknown[]): void {
  invalidations += 1;
  invalidated.set(JSON.stringify(prefix), invalidations);
  for (const check of lists) check();
}

/** Fetches a list's loaded pages again, in place, when its key was invalidated since they were fetched. */
function useListInvalidation(key: PageKey | null, hasData: boolean, update: () => Promise<unknown>): void {
  const seen = useRef(hasData ? 0 : invalidations);
  const latest = useRef({ key, update });
  useEffect(() => {
    latest.current = { key, update };
  });
  useEffect(() => {
    const check = () => {
      const { key, update } = latest.current;
      const isOld = [...invalidated].some(
        ([prefix, at]) => at > seen.current && startsWith(key, JSON.parse(prefix) as unknown[]),
      );
      seen.current = invalidations;
      if (isOld) void update();
    };
    check();
    lists.add(check);
    return () => void lists.delete(check);
  }, []);
}

export function useInfinitePageData<T>(
  key: PageKey | null,
  fetchPage: (page: number) => Promise<ListPage<T>>,
): InfinitePageData<T> {
  const {
    data,
    error,
    isLoading,
    isValidating,
    size,
    setSize,
    mutate: update,
  } = useSWRInfinite<ListPage<T>>(
    (index, previous: ListPage<T> | null) =>
      !key || (previous && !previous.has_more) ? null : [...key, '$page', index + 1],
    (pageKey: unknown[]) => adopt(pageKey, () => fetchPage(pageKey[pageKey.length - 1] as number)),
    { ...defaults, revalidateFirstPage: false, revalidateAll: false },
  );
  useListInvalidation(key, data !== undefined, update);
  const pages = data ?? [];
  const last = pages[pages.length - 1];
  return {
    items: pages.flatMap((page) => page.list),
    total: pages[0]?.total ?? 0,
    error,
    isLoading,
    isLoadingMore: isValidating && size > pages.length,
    hasMore: last?.has_more ?? false,
    loadMore: () => {
      if (last?.has_more && !isValidating) void setSize(size + 1);
    },
    refresh: async () => {
      forgetAll();
      await setSize(1);
      await update();
    },
  };
}

/** A call that was started ahead is good for this long; older, the page asks itself. */
const aheadForMs = 30_000;
/**
 * Calls started ahead of their page. Not SWR's own preload: that keeps an answer until somebody takes it, so a product
 * fetched ahead in one language showed its price in that currency after the language had changed.
 */
const ahead = new Map<string, { at: number; answer: Promise<unknown> }>();

/**
 * Calls that a page has taken: until when (ms since 1970) another one ahead of the same key would be a call too many,
 * because the page waits for the answer (no end yet) or has just got it.
 */
const taken = new Map<string, number>();

/** Starts the call for a key unless it is under way or just answered; the page that reads the key adopts it. */
export function preload<T>(key: PageKey, fetcher: () => Promise<T>): void {
  const name = unstable_serialize(key as Key);
  const now = Date.now();
  const known = ahead.get(name);
  if (known && now - known.at < aheadForMs) return;
  if (now < (taken.get(name) ?? 0)) return;
  const answer = fetcher();
  ahead.set(name, { at: now, answer });
  // An error reaches the page through usePageData; without this it would also be an unhandled rejection.
  answer.catch(() => {});
}

function adopt<T>(key: unknown, fetcher: () => Promise<T>): Promise<T> {
  const name = unstable_serialize(key as Key);
  const known = ahead.get(name);
  ahead.delete(name);
  const now = Date.now();
  for (const [other, until] of taken) if (until < now) taken.delete(other);
  const answer = known && now - known.at < aheadForMs ? (known.answer as Promise<T>) : fetcher();
  taken.set(name, Number.POSITIVE_INFINITY);
  answer.then(
    () => taken.has(name) && taken.set(name, Date.now() + freshForMs),
    () => taken.delete(name),
  );
  return answer;
}

function forget(name: string): void {
  ahead.delete(name);
  taken.delete(name);
}

function forgetAll(): void {
  ahead.clear();
  taken.clear();
}

/** Fetches again what is on screen, and forgets what is not, of every key that begins with `prefix`. */
export async function invalidate(prefix: readonly unknown[]): Promise<void> {
  forgetAll();
  markLists(prefix);
  await mutate((key) => startsWith(key, prefix));
}

/** Writes a value under a key, for example an order that an action answered. */
export function setPageData<T>(key: PageKey, data: T): void {
  void mutate(key as Key, data, { revalidate: false });
}

/** Forgets everything and fetches again what is on screen: after a change of language or of the signed-in user. */
export async function resetPageData(): Promise<void> {
  forgetAll();
  markLists([]);
  await mutate(() => true, undefined, { revalidate: true });
}

function startsWith(key: unknown, prefix: readonly unknown[]): boolean {
  return Array.isArray(key) && prefix.every((part, index) => JSON.stringify(key[index]) === JSON.stringify(part));
}

export { SWRConfig as PageDataProvider };
