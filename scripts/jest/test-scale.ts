/**
 * How often a long test repeats: the whole count with TEST_FULL (`npm run test:full`), else a tenth of it, at least
 * `least`.
 */
export const repetitions = (count: number, least = 1): number =>
  process.env.TEST_FULL ? count : Math.max(least, Math.ceil(count / 10));
