import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 10;

/**
 * Polls until `look` returns a truthy value and resolves to it. For conditions that emit no event, such as a row, a port or
 * another process. The time limit is for a hang, and below jest's own, so that the error names what the test waited for.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, hangMs = 55_000): Promise<NonNullable<T>> {
  const end = performance.now() + hangMs;
  for (;;) {
    const result = await look();
    if (result) return result;
    if (performance.now() > end) throw new Error(`Waited ${hangMs / 1000} s for ${what}`);
    await pause(PAUSE_MS);
  }
}
