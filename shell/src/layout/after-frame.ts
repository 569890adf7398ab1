const noFrameMs = 200;

/** The part in use; not every browser has it. */
interface Scheduler {
  postTask(run: () => void): Promise<unknown>;
}

/** Runs `run` once, after the next frame is painted, or soon without one, as in a background tab. Returns a function that cancels it. */
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
    // A timer would wait longer than the frame.
    if (scheduler) void scheduler.postTask(finish);
    else setTimeout(finish);
  });
  return stop;
}
