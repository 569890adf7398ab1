/** A stable random number in [0, 100) by which a canary's share is split. Kept on the device; names nobody. */
const storageKey = 'visitor';

export function visitorNumber(): number {
  try {
    const kept = Number(window.localStorage.getItem(storageKey) ?? Number.NaN);
    if (kept >= 0 && kept < 100) return kept;
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const fresh = (random / 2 ** 32) * 100;
    window.localStorage.setItem(storageKey, String(fresh));
    return fresh;
  } catch {
    // Storage is refused (private mode): such a visitor takes the standard release.
    return 99.999;
  }
}
