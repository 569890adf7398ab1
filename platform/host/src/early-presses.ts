/**
 * Carries out, in order, what was pressed before the scripts ran, which the document holds (platform/pages/src/boot/hold-presses.ts).
 * @param tellOfLost called once if a control is gone or disabled by then
 */
export function carryOutEarlyPresses(tellOfLost: () => void): void {
  (window as { carryOutPresses?: (tellOfLost: () => void) => void }).carryOutPresses?.(tellOfLost);
}
