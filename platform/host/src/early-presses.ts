/**
 * Carries out, in order, what was pressed before the scripts ran, which the document holds (platform/pages/src/boot/hold-presses.ts).
 * @param notify called once, with a sentence, if a control is gone or disabled by then
 */
export function carryOutEarlyPresses(notify: (lost: string) => void): void {
  (window as { carryOutPresses?: (notify: (lost: string) => void) => void }).carryOutPresses?.(notify);
}
