export { checkAgainstMap } from './check-against-map';
export { BUDGET, checkFiles, checkSize } from './check-files';
export { type Check, GATE_VERSION, type GateContext, GateError, type GateStep, type Verdict } from './verdict';
