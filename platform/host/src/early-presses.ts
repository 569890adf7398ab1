/**
 * Carries out, in order, what was pressed before the scripts ran, which the document holds (platform/pages/src/boot/hold-presses.ts).
 * @param tell called once, with a sentence, if a control is gone or disabled by then
 */
export function carryOutEarlyPresses(tell: (lost: string) => void): void {
  (window as { carryOutPresses?: (tell: (lost: string) => void) => void }).carryOutPresses?.(tell);
}
