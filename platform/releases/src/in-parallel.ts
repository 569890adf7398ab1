/** Runs `work` for every item, at most `most` at a time; results are in the order of the items. The first error stops new work. */
export async function inParallel<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  // Waits for all lanes, so that nothing is written after the caller has continued.
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane));
  for (const { status, reason } of lanes as PromiseRejectedResult[]) if (status === 'rejected') throw reason;
  return results;
}

/** Concurrent requests to a store: enough to hide a bucket's round trips, few enough not to be throttled. */
export const AT_ONCE = 8;
