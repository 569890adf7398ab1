/** `TEST_FULL=1` (`npm run test:full`) runs what is long by nature in full; a push runs a representative share. */
export const isFullRun = Boolean(process.env.TEST_FULL);
