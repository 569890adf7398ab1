/**
 * Confidence sequences for a share (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021): bounds that contain the true share
 * at all times simultaneously with probability 1 - alpha, so that a release can be judged as often as needed. The likelihood is
 * mixed over a Beta(1/2, 1/2) prior; by Ville's inequality the ratio of the mixture to the likelihood of the true share always
 * stays under 1/alpha with that probability.
 */

export interface Tally {
  visits: number;
  failures: number;
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** For x >= 1/2. */
function logGamma(x: number): number {
  const shifted = x - 1;
  const sum = LANCZOS.reduce((total, factor, index) => total + factor / (shifted + index + 1), 0.9999999999998099);
  const t = shifted + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

const LOG_PRIOR = Math.log(Math.PI);

function containment({ visits, failures }: Tally, alpha: number): (share: number) => boolean {
  const successes = visits - failures;
  const logMixture = logGamma(failures + 0.5) + logGamma(successes + 0.5) - logGamma(visits + 1) - LOG_PRIOR;
  const least = logMixture + Math.log(alpha);
  return (share) =>
    (failures === 0 ? 0 : failures * Math.log(share)) + (successes === 0 ? 0 : successes * Math.log(1 - share)) > least;
}

/** Whether the share is below `limit` with confidence 1 - alpha. It tests the upper bound without searching for it. */
export const isBelow = (tally: Tally, limit: number, alpha: number): boolean =>
  tally.failures < limit * tally.visits && !containment(tally, alpha)(limit);
/** Whether the share is above `limit` with confidence 1 - alpha. */
export const isAbove = (tally: Tally, limit: number, alpha: number): boolean =>
  tally.failures > limit * tally.visits && !containment(tally, alpha)(limit);

/** The highest share with confidence 1 - alpha; 1 without visits. */
export function upperBound(tally: Tally, alpha: number): number {
  const { visits, failures } = tally;
  if (failures === visits) return 1;
  const isInside = containment(tally, alpha);
  let [inside, outside] = [failures / visits, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (inside + outside) / 2;
    if (isInside(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/**
 * Whether `fresh` fails more often than `before` by at least `margin`, that is, whether their confidence sequences do not
 * overlap. For equal shares the probability that this is ever true is at most `alpha`, independent of the number of calls.
 */
export function isWorse(fresh: Tally, before: Tally, { alpha, margin }: { alpha: number; margin: number }): boolean {
  if (fresh.failures / fresh.visits <= before.failures / Math.max(1, before.visits) + margin) return false;
  return isAbove(fresh, upperBound(before, alpha / 2) + margin, alpha / 2);
}
