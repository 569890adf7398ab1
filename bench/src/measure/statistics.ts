export interface Spread {
  median: number;
  /** First and third quartile. */
  low: number;
  high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  return { median: of(sorted, 0.5), low: of(sorted, 0.25), high: of(sorted, 0.75) };
}

/** Linear interpolation between neighbours. */
function of(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** The value below which `share` of the values lie; they need no order. */
export function quantile(values: readonly number[], share: number): number {
  return of(
    [...values].sort((left, right) => left - right),
    share,
  );
}
