import { useSyncExternalStore } from 'react';

/*
 * The end of the wait, by phone and purpose. It is kept in memory and in sessionStorage, so that a closed dialog or a reload does
 * not restart the wait (docs/product.md#verification-codes).
 */
const ends = new Map<string, number>();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const keyOf = (phone: string, purpose: string) => `resend:${purpose}:${phone}`;

function endOf(key: string): number {
  const end = ends.get(key);
  if (end !== undefined) return end;
  let stored = 0;
  try {
    stored = Number(sessionStorage.getItem(key)) || 0;
  } catch {
    // Without storage the end is kept in memory until a reload.
  }
  ends.set(key, stored);
  return stored;
}

const secondsLeft = (key: string) => Math.max(0, Math.ceil((endOf(key) - Date.now()) / 1000));

function tick() {
  for (const listener of listeners) listener();
  if ([...ends.values()].every((end) => end <= Date.now())) stop();
}

function stop() {
  clearInterval(timer);
  timer = undefined;
}

function run() {
  if (timer === undefined && listeners.size > 0) timer = setInterval(tick, 250);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  run();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

export function startResendWait(phone: string, purpose: string, seconds: number): void {
  const key = keyOf(phone, purpose);
  const end = Date.now() + seconds * 1000;
  ends.set(key, end);
  try {
    sessionStorage.setItem(key, String(end));
  } catch {
    // Without storage the end is kept in memory.
  }
  run();
  for (const listener of listeners) listener();
}

/** Whole seconds until a code may be sent again to this phone; 0 if it may be sent now. */
export function useResendWait(phone: string, purpose: string): number {
  const key = keyOf(phone, purpose);
  return useSyncExternalStore(
    subscribe,
    () => secondsLeft(key),
    () => 0,
  );
}
