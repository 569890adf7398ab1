/**
 * Replays, in order, the clicks that the document has held since before hydration (platform/pages/src/boot/hold-clicks.ts).
 * @param notify called once, with a sentence, if an element is gone or disabled by then
 */
export function replayEarlyClicks(notify: (lost: string) => void): void {
  (window as { carryOutPresses?: (notify: (lost: string) => void) => void }).carryOutPresses?.(notify);
}
