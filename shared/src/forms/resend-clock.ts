import { useSyncExternalStore } from 'react';

/*
 * The end of the wait, by phone and purpose. It is kept in memory and in sessionStorage, so that a closed dialog or a reload does
 * not restart the wait (docs/product.md#verification-codes).
 */
const ends = new Map<string, number>();

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

export function startResendWait(phone: string, purpose: string, seconds: number): void {
  const key = keyOf(phone, purpose);
  const end = Date.now() + seconds * 1000;
  ends.set(key, end);
  try {
    sessionStorage.setItem(key, String(end));
  } catch {
    // Without storage the end is kept in memory.
  }
}

function everyTick(look: () => void): () => void {
  const timer = setInterval(look, 250);
  return () => clearInterval(timer);
}

/** Whole seconds until a code may be sent again to this phone; 0 if it may be sent now. */
export function useResendWait(phone: string, purpose: string): number {
  return useSyncExternalStore(
    everyTick,
    () => Math.max(0, Math.ceil((endOf(keyOf(phone, purpose)) - Date.now()) / 1000)),
    () => 0,
  );
}
