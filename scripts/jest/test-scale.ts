/** How often a long test repeats: `count` times with TEST_FULL (`npm run test:full`), a tenth of that otherwise. */
export const repetitions = (count: number): number => (process.env.TEST_FULL ? count : Math.ceil(count / 10));
