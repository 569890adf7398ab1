/** Concurrent requests to a store: enough to hide a bucket's round trips, few enough not to be throttled. */
export const AT_ONCE = 8;

/** Runs `work` for every item, AT_ONCE at a time; results are in the order of the items. The first error stops new work. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  // An error in the loop of one lane ends a generator, and with it the loops of all lanes.
  const entries = (function* () {
    yield* items.entries();
  })();
  const lane = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  // Waits for all lanes, so that nothing is written after the caller has continued.
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  for (const { status, reason } of lanes as PromiseRejectedResult[]) if (status === 'rejected') throw reason;
  return results;
}
