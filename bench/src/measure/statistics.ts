/** The value below which `share` of the values lie, by linear interpolation between neighbours. The values may be in any order. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** Milliseconds until a call has ended. */
export async function timeOf(call: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call;
  return performance.now() - started;
}
