/** `TEST_FULL=1` (`npm run test:full`) runs long tests in full; a push runs a representative share. */
export const isFullRun = Boolean(process.env.TEST_FULL);
