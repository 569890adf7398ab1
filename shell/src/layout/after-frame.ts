const noFrameMs = 200;

/** As far as it is used; not in each browser. */
interface Scheduler {
  postTask(run: () => void): Promise<unknown>;
}

/** Runs it once, after the next frame is painted; soon where none is, as in a tab in the background. Returns what takes it back. */
export function afterFrame(run: () => void): () => void {
  let isOver = false;
  const stop = () => {
    isOver = true;
  };
  const finish = () => {
    if (!isOver) run();
    stop();
  };
  setTimeout(finish, noFrameMs);
  requestAnimationFrame(() => {
    const { scheduler } = window as { scheduler?: Scheduler };
    // A timer would wait for more than the frame.
    if (scheduler) void scheduler.postTask(finish);
    else setTimeout(finish);
  });
  return stop;
}
