/**
 * Runs `work` at intervals, one run at a time; with 0 it never runs. The returned function stops the timer and waits for the current run.
 */
export function every(milliseconds: number, work: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | null = null;
  if (milliseconds <= 0) return async () => {};
  const timer = setInterval(() => {
    running ??= work().finally(() => {
      running = null;
    });
  }, milliseconds).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
