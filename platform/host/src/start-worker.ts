/** Starts the worker of the heartbeat; null where the browser refuses. */
export function startHeartbeatWorker(): Worker | null {
  try {
    return new Worker(new URL('./heartbeat.worker.ts', import.meta.url));
  } catch {
    return null;
  }
}
