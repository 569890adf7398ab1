const noFrameMs = 200;

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
    // Not every browser has it. A timer would wait longer than the frame.
    const { scheduler } = window as { scheduler?: { postTask(run: () => void): Promise<unknown> } };
    if (scheduler) void scheduler.postTask(finish);
    else setTimeout(finish);
  });
  return stop;
}
