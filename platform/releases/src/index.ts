export { packBuild, UPLOAD_LIMITS, unpackBuild } from './build-archive';
export { allowClosedPipe } from './closed-pipe';
export { contentTypeOf } from './content-type';
export * from './contract';
export { flowFaults } from './contract-faults';
export { forward } from './forward';
export { checksOfMap } from './gate/check-against-map';
export { checkFiles } from './gate/check-files';
export type { ServerContract } from './gate/check-uses';
export * from './gate/queue';
export {
  BROWSER_CHECKS,
  type BrowserCheck,
  type Check,
  type GateContext,
  GateError,
  type GateStep,
  type Verdict,
} from './gate/verdict';
export * from './identity/identity';
export * from './identity/keys';
export * from './manifest';
export * from './map';
export * from './operations/check-release';
export * from './operations/place-in-source';
export * from './operations/promote';
export * from './operations/prune';
export * from './operations/rollback';
export * from './operations/run-action';
export * from './operations/status';
export { hasControlCharacters, terminalText } from './plain-text';
export * from './publish';
export { type MapSource, mapSource } from './store/map-source';
export {
  ConflictError,
  createStore,
  openStore,
  type Store,
  StoreError,
} from './store/store';
