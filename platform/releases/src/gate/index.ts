export { BUDGET, checkFiles, checkSize } from './check-files';
export { checksOfMap, type ServerContract } from './checks';
export { type GateCheck, GateQueue, GateQueueFullError, LeftGateQueueError, placeInLine } from './queue';
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
