export { callFaults, retiring } from './call-faults';
export { checkAgainstMap } from './check-against-map';
export { checkAttestation } from './check-attestation';
export { BUDGET, checkFiles, checkSize } from './check-files';
export { checkCalls, checkUses } from './check-uses';
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
