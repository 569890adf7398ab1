export { BUDGET, checkFiles, checkSize } from './check-files';
export type { ServerContract } from './check-uses';
export { checksOfMap } from './checks';
export { GateQueue, GateQueueFullError, LeftGateQueueError, placeInLine } from './queue';
export {
  BROWSER_CHECKS,
  type BrowserCheck,
  type Check,
  GATE_VERSION,
  type GateContext,
  GateError,
  type GateStep,
  type Verdict,
} from './verdict';
